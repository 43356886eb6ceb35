/**
 * Features that Playwright switches off. Chromium takes the last `--disable-features` alone, so that a list of ours must
 * hold Playwright's too; a test compares it with the Playwright that is installed.
 */
const PLAYWRIGHT_DISABLES = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'msForceBrowserSignIn',
  'msEdgeUpdateLaunchServicesPreferredVersion',
];

/** Features that cost a process a context and are of no use to a browser that nobody types an address into. */
const WE_DISABLE = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'SpareRendererForSitePerProcess'];

const SWITCHES = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  // A headless machine renders in software; asking for a GPU first costs time.
  '--disable-gpu',
];

const DISABLE_FEATURES = '--disable-features=';

/** Command line switches for Chromium beside those that Playwright gives it, with the user's own. */
export function chromiumArgs(own: readonly string[]): string[] {
  const theirs = own
    .filter(arg => arg.startsWith(DISABLE_FEATURES))
    .flatMap(arg => arg.slice(DISABLE_FEATURES.length).split(','));
  const features = [...new Set([...PLAYWRIGHT_DISABLES, ...WE_DISABLE, ...theirs])];
  return [
    ...SWITCHES,
    ...own.filter(arg => !arg.startsWith(DISABLE_FEATURES)),
    `${DISABLE_FEATURES}${features.join(',')}`,
  ];
}

/**
 * Features that Playwright switches off, and on. Chromium takes the last list of each alone, so that one of ours must
 * hold Playwright's too; a test compares them with the Playwright that is installed.
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

const PLAYWRIGHT_ENABLES = ['CDPScreenshotNewSurface', 'SkipListAccountsWithoutGaiaCookies'];

/** Features that cost a process a context and are of no use to a browser that nobody types an address into. */
const WE_DISABLE = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'SpareRendererForSitePerProcess'];

/**
 * The network service as a thread of the browser's process saves 23 MB and the start of a process. On Linux it is no
 * sandbox either way.
 */
const WE_ENABLE = ['NetworkServiceInProcess2'];

const SWITCHES = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  // A headless machine renders in software; asking for a GPU first costs time.
  '--disable-gpu',
];

/**
 * Without a window nobody ends the print preview that a page opens by `print()`, and while it is open Chromium refuses
 * `Page.printToPDF` (seen with Chromium 156).
 */
const WITHOUT_WINDOW = ['--disable-print-preview'];

/**
 * Nothing leaves the browser but through the proxies of its contexts: no name is looked up in it, no packet sent past
 * them.
 */
const PROXIED_ONLY = [
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
  '--disable-quic',
  // WebRTC over the proxy alone; Chromium and its headless shell have different names for it.
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
];

/** A page outside of all contexts gets a proxy that does not exist. */
export const NO_WAY_OUT = ['--proxy-server=socks5://127.0.0.1:1', '--proxy-bypass-list=<-loopback>'];

const DISABLE_FEATURES = '--disable-features=';
const ENABLE_FEATURES = '--enable-features=';

/** Command line switches for Chromium beside those that Playwright gives it, with the user's own. */
export function chromiumArgs(own: readonly string[], { headless }: { headless: boolean }): string[] {
  const disabled = [...new Set([...PLAYWRIGHT_DISABLES, ...WE_DISABLE, ...featuresIn(own, DISABLE_FEATURES)])];
  const enabled = [...new Set([...PLAYWRIGHT_ENABLES, ...WE_ENABLE, ...featuresIn(own, ENABLE_FEATURES)])];
  return [
    ...SWITCHES,
    ...(headless ? WITHOUT_WINDOW : []),
    ...PROXIED_ONLY,
    ...own.filter(arg => !arg.startsWith(DISABLE_FEATURES) && !arg.startsWith(ENABLE_FEATURES)),
    `${ENABLE_FEATURES}${enabled.join(',')}`,
    `${DISABLE_FEATURES}${disabled.join(',')}`,
  ];
}

function featuresIn(args: readonly string[], flag: string): string[] {
  return args.filter(arg => arg.startsWith(flag)).flatMap(arg => arg.slice(flag.length).split(','));
}

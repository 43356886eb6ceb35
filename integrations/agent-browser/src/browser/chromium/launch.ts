import { AsyncLocalStorage } from 'node:async_hooks';
import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { accessSync, constants, statSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';
import { inTime, within } from '@browser-toolset/core/waiting';
import type { Browser, BrowserContext } from 'playwright-core';
import type { EgressProxy } from '#egress/egress-proxy.js';
import { EgressProxyPool } from '#egress/proxy-pool.js';
import { withoutResolverRules } from '#egress/resolver.js';
import { UrlPolicy } from '#egress/url-policy.js';
import type { ResolvedConfig } from '../../options.js';
import { badSetup, plainMessage } from '../../results/errors.js';
import { makeProfileFolder } from '../files/files.js';
import { removeAbandonedFolders } from '../files/temporary-folders.js';
import type { LaunchAttempt, Started } from '../running-browser.js';
import { loadBrowserManager, loadPlaywright } from './agent-browser.js';
import { ChromiumProcess } from './chromium-process.js';
import { definedOnly, throughProxy } from './context-options.js';
import { excludeFromHostListeners, runBeforeDeath } from './process-end.js';

/**
 * Playwright's `--disable-features` and `--enable-features`. Chromium uses only the last list of each, so ours must
 * repeat Playwright's; a test compares them with the installed version.
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

/** Features that add a process per context and serve only browsers with an address bar. */
const WE_DISABLE = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'SpareRendererForSitePerProcess'];

/** Running the network service in the browser process saves 23 MB and a process; on Linux it has no sandbox anyway. */
const WE_ENABLE = ['NetworkServiceInProcess2'];

const SWITCHES = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  // Headless machines render in software; probing for a GPU first costs time.
  '--disable-gpu',
];

/** Nobody closes the print preview of a headless `print()`, and an open one blocks `Page.printToPDF` (seen in 156). */
const WITHOUT_WINDOW = ['--disable-print-preview'];

/** All traffic must leave through the contexts' proxies: no DNS lookup in the browser, no packet past a proxy. */
const PROXIED_ONLY = [
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
  '--disable-quic',
  // WebRTC only through the proxy; Chromium and its headless shell name the switch differently.
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
];

/** Pages outside all contexts get an unreachable proxy. */
const NO_WAY_OUT = ['--proxy-server=socks5://127.0.0.1:1', '--proxy-bypass-list=<-loopback>'];

const DISABLE_FEATURES = '--disable-features=';
const ENABLE_FEATURES = '--enable-features=';

/** Chromium's command line switches in addition to Playwright's, merged with the user's own. */
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

/** Builds without unpacked extensions: the headless shell; Google Chrome, which has no switch for them since 137. */
const WITHOUT = /headless[-_]shell|google[-_ ]?chrome(?!-for-testing)|Google Chrome\.app/i;

/** Switches that load the option `extensions`. @throws ToolError when a manifest is missing or Chromium loads none. */
async function extensionArgs(extensions: readonly string[], executablePath: string): Promise<string[]> {
  if (extensions.length === 0) return [];
  if (WITHOUT.test(executablePath))
    throw badSetup(
      `The option extensions needs a browser other than ${executablePath}, which does not load unpacked extensions: use Chromium or Chrome for Testing.`,
    );
  const folders = extensions.map(folder => resolve(folder));
  for (const folder of folders)
    await access(join(folder, 'manifest.json')).catch(cause => {
      throw badSetup(`The option extensions names ${folder}, which has no manifest.json.`, cause);
    });
  const list = folders.join(',');
  return [`--disable-extensions-except=${list}`, `--load-extension=${list}`];
}

/** Command names under which distributions and vendors install a Chromium that Playwright can drive. */
const COMMANDS = ['google-chrome', 'google-chrome-stable', 'chromium', 'chromium-browser', 'microsoft-edge'];

const HEADLESS_SHELLS = ['chrome-headless-shell', 'chromium-headless-shell'];

const MAC_APPLICATIONS = ['Google Chrome', 'Chromium', 'Microsoft Edge'];

const WINDOWS_PROGRAMS = ['Google\\Chrome\\Application\\chrome.exe', 'Microsoft\\Edge\\Application\\msedge.exe'];

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    // A candidate that cannot be executed, for any reason, is skipped.
    return false;
  }
}

function onPath(commands: readonly string[], env: NodeJS.ProcessEnv): string[] {
  const folders = [...(env.PATH ?? '').split(delimiter), '/usr/bin'].filter(folder => folder !== '');
  return folders.flatMap(folder => commands.map(command => join(folder, command)));
}

function* candidates({ playwrightOwn, headless, env }: Required<ExecutableSearch>): Generator<string> {
  if (playwrightOwn !== '') yield playwrightOwn;
  yield* onPath(COMMANDS, env);
  for (const name of MAC_APPLICATIONS) yield `/Applications/${name}.app/Contents/MacOS/${name}`;
  for (const root of [env.PROGRAMFILES, env['PROGRAMFILES(X86)'], env.LOCALAPPDATA]) {
    for (const program of WINDOWS_PROGRAMS) if (root) yield `${root}\\${program}`;
  }
  if (!headless) return;
  yield shellBeside(playwrightOwn);
  yield* onPath(HEADLESS_SHELLS, env);
}

/** The path of Playwright's headless shell (`playwright install --only-shell`). */
export function shellBeside(playwrightOwn: string): string {
  return playwrightOwn.replace(
    /chromium-(\d+)([/\\])chrome-([^/\\]+)\2.*?(\.exe)?$/,
    'chromium_headless_shell-$1$2chrome-headless-shell-$3$2chrome-headless-shell$4',
  );
}

interface ExecutableSearch {
  playwrightOwn?: string;
  /** A headless browser may fall back to a headless shell. */
  headless?: boolean;
  env?: NodeJS.ProcessEnv;
}

/**
 * Finds the Chromium to run: the `CHROMIUM_PATH` environment variable, Playwright's own, Chrome, a distribution's
 * Chromium, or a headless shell. Throws an error that explains how to get one when there is none.
 */
export function findExecutable({
  playwrightOwn = '',
  headless = true,
  env = process.env,
}: ExecutableSearch = {}): string {
  if (env.CHROMIUM_PATH) return checkExecutable(env.CHROMIUM_PATH, 'CHROMIUM_PATH');
  for (const candidate of candidates({ playwrightOwn, headless, env })) if (isExecutable(candidate)) return candidate;
  throw badSetup(
    'No Chromium was found: install Chrome or Chromium (Debian and Ubuntu: apt-get install chromium; anywhere: npx playwright install chromium), or set CHROMIUM_PATH or the option executablePath.',
  );
}

function checkExecutable(path: string, from: string): string {
  if (isExecutable(path)) return path;
  throw badSetup(`${from} is ${path}, which cannot be executed.`);
}

type AnyListener = (...args: unknown[]) => void;

/** Side effects of a launch on this process, which the launching library does not report. */
interface LaunchTraces {
  /** The browser process; undefined when Node publishes no event for new processes. */
  chromium?: ChromiumProcess;
  /** Resolves when that process has ended. */
  ended: Promise<void>;
  listeners: { event: string; listener: AnyListener }[];
}

/**
 * Runs a launch and records the process it starts and the listeners it adds to this process. The asynchronous context
 * attributes them, so concurrent launches and the host program's own listeners stay apart.
 */
async function watchLaunch<T>(attempt: LaunchAttempt, launch: (traces: LaunchTraces) => Promise<T>): Promise<T> {
  const context = new AsyncLocalStorage<LaunchTraces>();
  const { promise: ended, resolve: onEnded } = Promise.withResolvers<void>();
  const onProcess = (message: unknown): void => {
    const traces = context.getStore();
    if (traces === undefined) return;
    traces.chromium = new ChromiumProcess((message as { process: ChildProcess }).process);
    traces.chromium.ended.then(onEnded);
    // The launch was cancelled before there was a process to kill.
    if (attempt.isCancelled) traces.chromium.kill();
    attempt.noteProcess();
  };
  const onListener = (event: string | symbol, listener: AnyListener): void => {
    if (typeof event === 'string' && (event === 'exit' || event.startsWith('SIG')))
      context.getStore()?.listeners.push({ event, listener });
  };
  subscribe('child_process', onProcess);
  process.on('newListener', onListener);
  try {
    const traces: LaunchTraces = { listeners: [], ended };
    return await context.run(traces, () => launch(traces));
  } finally {
    process.off('newListener', onListener);
    unsubscribe('child_process', onProcess);
    context.disable();
  }
}

/** In milliseconds: the wait for Playwright to clean up after a failed launch. */
const CLEAN_UP_MS = 5_000;
/** The time in milliseconds from the end of the process until its launch rejects, on a busy machine. */
const LAUNCH_LOG_MS = 3_000;

export async function launch(config: ResolvedConfig, attempt: LaunchAttempt): Promise<Started> {
  const executablePath =
    config.executablePath === undefined
      ? findExecutable({ playwrightOwn: loadPlaywright().chromium.executablePath(), headless: config.headless })
      : checkExecutable(config.executablePath, 'The option executablePath');
  const profile = config.profile === undefined ? undefined : await makeProfileFolder(config.profile);
  const extensions = await extensionArgs(config.extensions, executablePath);
  const BrowserManager = await loadBrowserManager();
  const manager = new BrowserManager();
  const egressProxies = new EgressProxyPool(config.proxy);
  const [egressProxy] = await Promise.all([egressProxies.open(), removeAbandonedFolders()]);
  return watchLaunch(attempt, async traces => {
    attempt.kill = () => traces.chromium?.kill();
    let launched: Promise<void> | undefined;
    try {
      if (attempt.isCancelled) throw new Error('it was closed before it was ready.');
      setFileNameEncoding();
      launched = manager.launch(launchOptions(config, executablePath, { profile, egressProxy, extensions }));
      await inTime(
        config.launchTimeout,
        Promise.race([launched, death(traces, launched)]),
        () => new Error(`it did not respond within ${config.launchTimeout} ms.`),
      );
      takeOverSignals(traces);
      return await started(manager, traces, { config, egressProxies, egressProxy });
    } catch (cause) {
      // A process that comes later is killed, too.
      attempt.isCancelled = true;
      attempt.kill();
      // Playwright cleans up after a failed launch, which it notices when the process ends.
      await within(CLEAN_UP_MS, traces.chromium?.ended ?? Promise.resolve());
      await within(LAUNCH_LOG_MS, Promise.allSettled([launched, manager.close()]));
      await traces.chromium?.removeLeftovers();
      await egressProxies.close();
      throw new Error(`Chromium could not be started (${executablePath}): ${launchFailure(cause)}`, { cause });
    }
  });
}

/**
 * Sets a UTF-8 locale for this process where its environment names none, as in containers. On Linux, Chromium would take
 * file names for ASCII, and a download in another script would lose its name. Playwright gives Chromium the environment of
 * this process, and agent-browser can give it no other.
 */
function setFileNameEncoding({ env, platform } = process): void {
  if (platform === 'linux' && !env.LC_ALL && !env.LC_CTYPE && !env.LANG) env.LC_CTYPE = 'C.UTF-8';
}

type Manager = InstanceType<Awaited<ReturnType<typeof loadBrowserManager>>>;

/** Rejects when the process has ended. A pending launch may give a better reason, or never settle (Playwright 1.65). */
async function death({ ended }: LaunchTraces, launched: Promise<void>): Promise<never> {
  await ended;
  await within(LAUNCH_LOG_MS, launched);
  throw new Error('it exited before it was ready.');
}

function launchOptions(
  config: ResolvedConfig,
  executablePath: string,
  { profile, egressProxy, extensions }: { profile: string | undefined; egressProxy: EgressProxy; extensions: string[] },
): Parameters<Manager['launch']>[0] {
  const { headless, viewport, headers, userAgent, colorScheme, ignoreHTTPSErrors } = config;
  const base = { headless, executablePath, viewport };
  const webMcp = config.webMcp ? ['--enable-features=WebMCP'] : [];
  const own = chromiumArgs([...withoutResolverRules(config.args), ...webMcp, ...extensions], { headless });
  // The proxy of a profile's context is set on the command line.
  const args = profile === undefined ? [...own, ...NO_WAY_OUT] : own;
  // Contexts that agent-browser does not create get their options later.
  if (profile === undefined && !canUseSpare(config)) return { ...base, args };
  const proxy = throughProxy(egressProxy);
  const options = { ignoreHTTPSErrors, proxy, ...definedOnly({ headers, userAgent, colorScheme, profile }) };
  return { ...base, args, ...options };
}

/** Whether the context that agent-browser opens at launch is usable: the options need nothing that it cannot set. */
function canUseSpare(config: ResolvedConfig): boolean {
  const { profile, locale, timezoneId, storageState, device, geolocation, urlPolicy } = config;
  if (new UrlPolicy(urlPolicy).needsUrls) return false;
  return [profile, locale, timezoneId, storageState, device, geolocation].every(option => option === undefined);
}

interface Launched {
  config: ResolvedConfig;
  egressProxies: EgressProxyPool;
  egressProxy: EgressProxy;
}

async function started(
  manager: Manager,
  traces: LaunchTraces,
  { config, egressProxies, egressProxy }: Launched,
): Promise<Started> {
  const context = manager.getContext();
  const browser = manager.getBrowser() ?? context?.browser() ?? null;
  if (context === null || browser === null) throw new Error('agent-browser launched no browser.');
  await traces.chromium?.claimFolders(artifactsFolderOf(browser));
  const isProfile = config.profile !== undefined;
  const isSpare = canUseSpare(config);
  if (isProfile || isSpare) unhookManager(context);
  else await Promise.all([context.close(), egressProxy.close()]);
  return {
    browser,
    ownContext: isProfile ? context : null,
    ...(isProfile && { ownProxy: egressProxy }),
    ...(isSpare && { spare: { context, egressProxy } }),
    egressProxies,
    isLaunched: true,
    stop: () => manager.close(),
    ...(traces.chromium !== undefined && { chromium: traces.chromium }),
  };
}

interface PlaywrightInternals {
  _connection: { toImpl(browser: Browser): { options: { artifactsDir: string } } };
}

/** Playwright does not export this folder: its internals are those of the one version that this package depends on. */
function artifactsFolderOf(browser: Browser): string {
  return (browser as unknown as PlaywrightInternals)._connection.toImpl(browser).options.artifactsDir;
}

/** Removes agent-browser's listeners, which store every console message for the life of the browser. */
function unhookManager(context: BrowserContext): void {
  context.removeAllListeners('page');
  for (const page of context.pages()) {
    page.removeAllListeners('console');
    page.removeAllListeners('pageerror');
  }
}

/** Keeps Playwright from ending the process on SIGINT, which the host program may handle; we close the browser. */
function takeOverSignals({ listeners }: LaunchTraces): void {
  for (const { event, listener } of listeners) {
    if (event === 'SIGINT') process.off(event, listener);
    else if (event === 'exit') runBeforeDeath(listener);
    else excludeFromHostListeners(listener);
  }
}

const EXIT_CODE = /<process did exit: exitCode=(\S+), signal=(\S+)>/;
const ERROR_LINE = /\[pid=\d+\]\[err\] (.*)/g;

function launchFailure(error: unknown): string {
  const log = error instanceof Error ? error.message : String(error);
  const exit = EXIT_CODE.exec(log);
  if (exit === null || log.includes('profile is already in use')) return plainMessage(error);
  if (log.includes('Missing X server')) return 'there is no display for its window: use headless: true, or xvfb-run.';
  const lines = [...log.matchAll(ERROR_LINE)].map(match => plainMessage(match[1]));
  const how = exit[2] === 'null' ? `exited with code ${exit[1]}` : `was killed by ${exit[2]}`;
  return [`it ${how}.`, ...lines.slice(-1)].join(' ');
}

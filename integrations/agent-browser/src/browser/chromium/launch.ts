import { AsyncLocalStorage } from 'node:async_hooks';
import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { accessSync, constants, statSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';
import { inTime, within } from '@browser-toolset/core/waiting';
import type { BrowserContext } from 'playwright-core';
import type { EgressProxy } from '../../network/egress-proxy.js';
import { EgressProxyPool } from '../../network/proxy-pool.js';
import { withoutResolverRules } from '../../network/resolver.js';
import type { ResolvedConfig } from '../../options.js';
import { UrlPolicy } from '../../policy/url-policy.js';
import { badSetup, plainMessage } from '../../results/errors.js';
import { makeProfileFolder } from '../files/files.js';
import type { LaunchAttempt, Started } from '../running-browser.js';
import { loadBrowserManager, loadPlaywright } from './agent-browser.js';
import { ChromiumProcess } from './chromium-process.js';
import { definedOnly, throughProxy } from './context-options.js';
import { excludeFromHostListeners, runBeforeDeath } from './process-end.js';

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
const NO_WAY_OUT = ['--proxy-server=socks5://127.0.0.1:1', '--proxy-bypass-list=<-loopback>'];

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

/** Builds of Chromium that run no unpacked extensions: the headless shell has none, Google Chrome takes no switch for them since 137. */
const WITHOUT = /headless[-_]shell|google[-_ ]?chrome(?!-for-testing)|Google Chrome\.app/i;

/**
 * The switches that load the unpacked extensions of the option `extensions`.
 *
 * @throws ToolError For a folder without a manifest, and for a Chromium that loads none.
 */
async function extensionArgs(
  { extensions }: Pick<ResolvedConfig, 'extensions'>,
  executablePath: string,
): Promise<string[]> {
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

/** Names of a browser that Playwright can drive, as distributions and vendors install it. */
const COMMANDS = ['google-chrome', 'google-chrome-stable', 'chromium', 'chromium-browser', 'microsoft-edge'];

/** Chromium without a user interface. */
const HEADLESS_SHELLS = ['chrome-headless-shell', 'chromium-headless-shell'];

const MAC_APPLICATIONS = ['Google Chrome', 'Chromium', 'Microsoft Edge'];

const WINDOWS_PROGRAMS = ['Google\\Chrome\\Application\\chrome.exe', 'Microsoft\\Edge\\Application\\msedge.exe'];

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    // Whatever the reason is that it cannot be run, the next candidate is tried.
    return false;
  }
}

function* onPath(commands: readonly string[], env: NodeJS.ProcessEnv): Generator<string> {
  for (const folder of (env.PATH ?? '').split(delimiter)) {
    for (const command of commands) if (folder !== '') yield join(folder, command);
  }
  for (const command of commands) yield `/usr/bin/${command}`;
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

/** Where Playwright keeps its headless shell (`playwright install --only-shell`). */
export function shellBeside(playwrightOwn: string): string {
  return playwrightOwn.replace(
    /chromium-(\d+)([/\\])chrome-([^/\\]+)\2.*?(\.exe)?$/,
    'chromium_headless_shell-$1$2chrome-headless-shell-$3$2chrome-headless-shell$4',
  );
}

/** Where to look for a browser. */
interface ExecutableSearch {
  /** The path at which Playwright would have its own. */
  playwrightOwn?: string;
  /** Without a window, a headless shell will do where there is nothing else. */
  headless?: boolean;
  env?: NodeJS.ProcessEnv;
}

/**
 * Finds the Chromium to run: the `CHROMIUM_PATH` environment variable, Playwright's own, Chrome, a distribution's
 * Chromium, or a headless shell. Throws a sentence that says what to do when there is none.
 */
export function findExecutable({
  playwrightOwn = '',
  headless = true,
  env = process.env,
}: ExecutableSearch = {}): string {
  const chosen = env.CHROMIUM_PATH;
  if (chosen) {
    if (isExecutable(chosen)) return chosen;
    throw badSetup(`CHROMIUM_PATH is ${chosen}, which cannot be executed.`);
  }
  for (const candidate of candidates({ playwrightOwn, headless, env })) if (isExecutable(candidate)) return candidate;
  throw badSetup(
    'No Chromium was found: install Chrome or Chromium (Debian and Ubuntu: apt-get install chromium; anywhere: npx playwright install chromium), or set CHROMIUM_PATH or the option executablePath.',
  );
}

/** The executable that was asked for. Throws when it cannot be executed. */
function checkExecutable(path: string): string {
  if (isExecutable(path)) return path;
  throw badSetup(`The option executablePath is ${path}, which cannot be executed.`);
}

type AnyListener = (...args: unknown[]) => void;

/** Changes that a launch made to this process, which the launching library does not report. */
interface LaunchTraces {
  /** The browser's process. Undefined when Node does not announce new processes. */
  chromium?: ChromiumProcess;
  /** Resolves when that process has ended. */
  ended: Promise<void>;
  /** Listeners for signals and for the exit of this process that were installed. */
  listeners: { event: string; listener: AnyListener }[];
}

/**
 * Runs a launch and notes the process that it starts and the listeners on this process that it installs. Whose doing they are
 * is told by the asynchronous context that they happen in, so launches side by side and the host program's own
 * listeners are not mixed up.
 */
async function watchLaunch<T>(attempt: LaunchAttempt, launch: (traces: LaunchTraces) => Promise<T>): Promise<T> {
  const context = new AsyncLocalStorage<LaunchTraces>();
  let onEnded = (): void => undefined;
  const onProcess = (message: unknown): void => {
    const traces = context.getStore();
    if (traces === undefined) return;
    traces.chromium = new ChromiumProcess((message as { process: ChildProcess }).process);
    traces.chromium.ended.then(onEnded);
    // It was given up while there was no process to end yet.
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
    const ended = new Promise<void>(resolve => {
      onEnded = resolve;
    });
    const traces: LaunchTraces = { listeners: [], ended };
    return await context.run(traces, () => launch(traces));
  } finally {
    process.off('newListener', onListener);
    unsubscribe('child_process', onProcess);
    context.disable();
  }
}

/** So many milliseconds a launch that failed has to be taken back. */
const CLEAN_UP_TIME = 5_000;
/** So many milliseconds after the end of its process a launch has to tell of it, on a busy machine as well. */
const LAUNCH_LOG_MS = 3_000;

/** Launches a Chromium through agent-browser. */
export async function launch(config: ResolvedConfig, attempt: LaunchAttempt): Promise<Started> {
  const executablePath =
    config.executablePath === undefined
      ? findExecutable({ playwrightOwn: loadPlaywright().chromium.executablePath(), headless: config.headless })
      : checkExecutable(config.executablePath);
  const profile = config.profile === undefined ? undefined : await makeProfileFolder(config.profile);
  const extensions = await extensionArgs(config, executablePath);
  const BrowserManager = await loadBrowserManager();
  const manager = new BrowserManager();
  const egressProxies = new EgressProxyPool(config.proxy);
  const egressProxy = await egressProxies.open();
  return watchLaunch(attempt, async traces => {
    attempt.kill = () => traces.chromium?.kill();
    if (attempt.isCancelled) throw new Error('The browser was closed while it was starting.');
    const launched = manager.launch(launchOptions(config, executablePath, { profile, egressProxy, extensions }));
    try {
      await inTime(
        config.launchTimeout,
        Promise.race([launched, death(traces, launched)]),
        () => new Error(`it did not respond within ${config.launchTimeout} ms.`),
      );
    } catch (cause) {
      attempt.kill();
      // Playwright takes back what it began when its launch fails, which it does when the process ends.
      await within(CLEAN_UP_TIME, traces.chromium?.ended ?? Promise.resolve());
      await within(LAUNCH_LOG_MS, Promise.allSettled([launched, manager.close()]));
      await traces.chromium?.removeLeftovers();
      await egressProxies.close();
      throw new Error(`Chromium could not be started (${executablePath}): ${launchFailure(cause)}`, { cause });
    }
    traces.chromium?.noteFolders();
    takeOverSignals(traces);
    return started(manager, traces, { config, egressProxies, egressProxy });
  });
}

type Manager = InstanceType<Awaited<ReturnType<typeof loadBrowserManager>>>;

/** Rejects when the process has ended. A launch that is under way may tell better why, or never end (seen with Playwright 1.65). */
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
  // A profile's own context takes its proxy from the command line.
  const args = profile === undefined ? [...own, ...NO_WAY_OUT] : own;
  // Contexts that agent-browser does not make get their options when they are made.
  if (profile === undefined && !canUseSpare(config)) return { ...base, args };
  const proxy = throughProxy(egressProxy);
  const options = { ignoreHTTPSErrors, proxy, ...definedOnly({ headers, userAgent, colorScheme, profile }) };
  return { ...base, args, ...options };
}

/** agent-browser opens a context at once; it is as good as one of our making unless options ask for what it does not know. */
function canUseSpare(config: ResolvedConfig): boolean {
  const { profile, locale, timezoneId, storageState, device, geolocation, urlPolicy } = config;
  if (new UrlPolicy(urlPolicy).needsUrls) return false;
  return [profile, locale, timezoneId, storageState, device, geolocation].every(option => option === undefined);
}

interface Launched {
  config: ResolvedConfig;
  egressProxies: EgressProxyPool;
  /** Of the context that agent-browser opened. */
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
  const isProfile = config.profile !== undefined;
  const isSpare = canUseSpare(config);
  if (isProfile || isSpare) unhookManager(context);
  else await Promise.all([context.close(), egressProxy.close()]);
  return {
    browser,
    ownContext: isProfile ? context : null,
    ...(isProfile && { ownDoor: egressProxy }),
    ...(isSpare && { spare: { context, egressProxy } }),
    egressProxies,
    isLaunched: true,
    stop: () => manager.close(),
    ...(traces.chromium !== undefined && { chromium: traces.chromium }),
  };
}

/** Else agent-browser collects what every page writes to its console for as long as the browser lives. */
function unhookManager(context: BrowserContext): void {
  context.removeAllListeners('page');
  for (const page of context.pages()) {
    page.removeAllListeners('console');
    page.removeAllListeners('pageerror');
  }
}

/** Playwright ends the process on SIGINT even when the host program has other plans; the browser is ended by us. */
function takeOverSignals({ listeners }: LaunchTraces): void {
  for (const { event, listener } of listeners) {
    if (event === 'SIGINT') process.off(event, listener);
    else if (event === 'exit') runBeforeDeath(listener);
    else excludeFromHostListeners(listener);
  }
}

const EXIT_CODE = /<process did exit: exitCode=(\S+), signal=(\S+)>/;
const ERROR_LINE = /\[pid=\d+\]\[err\] (.*)/g;

/** The reason in a launch's log. */
function launchFailure(error: unknown): string {
  const log = error instanceof Error ? error.message : String(error);
  const exit = EXIT_CODE.exec(log);
  if (exit === null || log.includes('profile is already in use')) return plainMessage(error);
  if (log.includes('Missing X server')) return 'there is no display for its window: use headless: true, or xvfb-run.';
  const lines = [...log.matchAll(ERROR_LINE)].map(match => plainMessage(match[1]));
  const how = exit[2] === 'null' ? `exited with code ${exit[1]}` : `was killed by ${exit[2]}`;
  return [`it ${how}.`, ...lines.slice(-1)].join(' ');
}

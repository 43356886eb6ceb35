import { inTime, within } from '@browser-toolset/core/waiting';
import type { BrowserContext } from 'playwright-core';
import type { ResolvedConfig } from '../../config.js';
import type { Door } from '../../network/door.js';
import { Doors } from '../../network/doors.js';
import { withoutResolverRules } from '../../network/resolver.js';
import { plainMessage } from '../../outcome/errors.js';
import { UrlPolicy } from '../../policy/url-policy.js';
import { makeProfileFolder } from '../files/files.js';
import type { Attempt, Started } from '../running-browser.js';
import { loadBrowserManager, loadPlaywright } from './agent-browser.js';
import { chromiumArgs, NO_WAY_OUT } from './chromium-args.js';
import { definedOnly, throughDoor } from './context-options.js';
import { checkExecutable, findExecutable } from './executable.js';
import { extensionArgs } from './extensions.js';
import { type LaunchTraces, watchLaunch } from './launch-watch.js';
import { disown, runBeforeDeath } from './process-end.js';

/** So many milliseconds a launch that failed has to be taken back. */
const CLEAN_UP_TIME = 5_000;
/** So many milliseconds after the end of its process a launch has to tell of it, on a busy machine as well. */
const TELL_TIME = 3_000;

/** Launches a Chromium through agent-browser. */
export async function launch(config: ResolvedConfig, attempt: Attempt): Promise<Started> {
  const executablePath =
    config.executablePath === undefined
      ? findExecutable({ playwrightOwn: loadPlaywright().chromium.executablePath(), headless: config.headless })
      : checkExecutable(config.executablePath);
  const profile = config.profile === undefined ? undefined : await makeProfileFolder(config.profile);
  const extensions = await extensionArgs(config, executablePath);
  const BrowserManager = await loadBrowserManager();
  const manager = new BrowserManager();
  const doors = new Doors(config.proxy);
  const door = await doors.open();
  return watchLaunch(attempt, async traces => {
    attempt.kill = () => traces.chromium?.kill();
    if (attempt.isCancelled) throw new Error('The browser was closed while it started.');
    const launched = manager.launch(launchOptions(config, executablePath, { profile, door, extensions }));
    try {
      await inTime(
        config.launchTimeout,
        Promise.race([launched, death(traces, launched)]),
        () => new Error(`it did not answer within ${config.launchTimeout} ms.`),
      );
    } catch (cause) {
      attempt.kill();
      // Playwright takes back what it began when its launch fails, which it does when the process ends.
      await within(CLEAN_UP_TIME, traces.chromium?.ended ?? Promise.resolve());
      await within(TELL_TIME, Promise.allSettled([launched, manager.close()]));
      await traces.chromium?.removeLeftovers();
      await doors.close();
      throw new Error(`Chromium could not be started (${executablePath}): ${launchFailure(cause)}`, { cause });
    }
    traces.chromium?.noteFolders();
    takeOverSignals(traces);
    return started(manager, traces, { config, doors, door });
  });
}

type Manager = InstanceType<Awaited<ReturnType<typeof loadBrowserManager>>>;

/** Rejects when the process has ended. A launch that is under way may tell better why, or never end (seen with Playwright 1.65). */
async function death({ ended }: LaunchTraces, launched: Promise<void>): Promise<never> {
  await ended;
  await within(TELL_TIME, launched);
  throw new Error('it ended before it was up.');
}

function launchOptions(
  config: ResolvedConfig,
  executablePath: string,
  { profile, door, extensions }: { profile: string | undefined; door: Door; extensions: string[] },
): Parameters<Manager['launch']>[0] {
  const { headless, viewport, headers, userAgent, colorScheme, ignoreHTTPSErrors } = config;
  const base = { headless, executablePath, viewport };
  const webMcp = config.webMcp ? ['--enable-features=WebMCP'] : [];
  const own = chromiumArgs([...withoutResolverRules(config.args), ...webMcp, ...extensions], { headless });
  // A profile's own context takes its proxy from the command line.
  const args = profile === undefined ? [...own, ...NO_WAY_OUT] : own;
  // Contexts that agent-browser does not make get their options when they are made.
  if (profile === undefined && !canUseSpare(config)) return { ...base, args };
  const proxy = throughDoor(door);
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
  doors: Doors;
  /** Of the context that agent-browser opened. */
  door: Door;
}

async function started(manager: Manager, traces: LaunchTraces, { config, doors, door }: Launched): Promise<Started> {
  const context = manager.getContext();
  const browser = manager.getBrowser() ?? context?.browser() ?? null;
  if (context === null || browser === null) throw new Error('agent-browser launched no browser.');
  const isProfile = config.profile !== undefined;
  const isSpare = canUseSpare(config);
  if (isProfile || isSpare) unhookManager(context);
  else await Promise.all([context.close(), door.close()]);
  return {
    browser,
    ownContext: isProfile ? context : null,
    ...(isProfile && { ownDoor: door }),
    ...(isSpare && { spare: { context, door } }),
    doors,
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
    else disown(listener);
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
  const how = exit[2] === 'null' ? `with code ${exit[1]}` : `by ${exit[2]}`;
  return [`it ended ${how}.`, ...lines.slice(-1)].join(' ');
}

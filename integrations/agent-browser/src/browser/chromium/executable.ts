import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { badSetup } from '../../outcome/errors.js';

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

function* candidates({ playwrightOwn, headless, env }: Required<Where>): Generator<string> {
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
interface Where {
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
export function findExecutable({ playwrightOwn = '', headless = true, env = process.env }: Where = {}): string {
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
export function checkExecutable(path: string): string {
  if (isExecutable(path)) return path;
  throw badSetup(`The option executablePath is ${path}, which cannot be executed.`);
}

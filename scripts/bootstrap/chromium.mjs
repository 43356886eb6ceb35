import { createRequire } from 'node:module';
import { join } from 'node:path';
import { findOnPath, isExecutable } from './executables.mjs';
import { BootstrapError, causeOf } from './failure.mjs';
import { root } from './layout.mjs';
import { capture } from './processes.mjs';
import { step } from './progress.mjs';

const fromToolset = createRequire(join(root, 'integrations/agent-browser/package.json'));

/** A browser that was named but is not there is told at once, not after minutes of installing. */
export async function checkNamedChromium() {
  const named = process.env.CHROMIUM_PATH;
  if (!named || (await isExecutable(named))) return;
  throw new BootstrapError(
    `CHROMIUM_PATH is ${named}, which is not a program that can be run: correct it or unset it.`,
  );
}

/** @returns {Promise<string>} the browser to use, installed where that is possible */
export async function ensureChromium() {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH;
  return (await findChromium()) ?? (await installFromDistribution()) ?? giveUp();
}

async function findChromium() {
  for (const path of [fromToolset('playwright-core').chromium.executablePath(), ...usualPlaces()]) {
    if (path && (await isExecutable(path))) return path;
  }
  return findOnPath('google-chrome', 'google-chrome-stable', 'chromium', 'chromium-browser', 'microsoft-edge');
}

function usualPlaces() {
  if (process.platform === 'darwin') {
    return ['Google Chrome', 'Chromium', 'Microsoft Edge'].map(
      name => `/Applications/${name}.app/Contents/MacOS/${name}`,
    );
  }
  if (process.platform === 'win32') {
    const { PROGRAMFILES, 'PROGRAMFILES(X86)': PROGRAMFILES_X86, LOCALAPPDATA } = process.env;
    return [PROGRAMFILES, PROGRAMFILES_X86, LOCALAPPDATA].flatMap(base =>
      base
        ? [join(base, 'Google/Chrome/Application/chrome.exe'), join(base, 'Microsoft/Edge/Application/msedge.exe')]
        : [],
    );
  }
  return ['/usr/bin/google-chrome', '/usr/bin/chromium', '/snap/bin/chromium'];
}

async function installFromDistribution() {
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || !(await findOnPath('apt-get'))) return undefined;
  await step("Chromium from the distribution's packages", async () => {
    process.env.DEBIAN_FRONTEND = 'noninteractive';
    const update = await aptGet('update');
    const install = await aptGet('install', '-y', '--no-install-recommends', 'chromium');
    // An update that reached nothing calls itself a success: the reason is then in its output.
    if (!install.ok)
      giveUp(`apt-get could not install one: ${causeOf(update.output + install.output) ?? 'see .toolchain/logs'}`);
  });
  return findChromium();
}

/** @param {string[]} args */
function aptGet(...args) {
  const patience = ['-o', 'DPkg::Lock::Timeout=300', '-o', 'Acquire::Retries=3'];
  return capture({ file: 'apt-get', args: [...patience, ...args] }, { log: `apt-get-${args[0]}` });
}

/**
 * @param {string} [reason]
 * @returns {never}
 */
function giveUp(reason) {
  const { version } = fromToolset('playwright-core/package.json');
  const problem = `No Chromium was found${reason ? ` (${reason})` : ''}`;
  throw new BootstrapError(
    `${problem}: run \`npx -y playwright-core@${version} install --with-deps chromium\` or install Google Chrome, or set CHROMIUM_PATH to a browser.`,
  );
}

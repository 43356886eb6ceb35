import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'dist/vendored');
const require = createRequire(import.meta.url);

/**
 * Libraries of which the package takes a part into itself, so that who installs it does not get all that they depend on:
 * what is taken, and the module that has it where that is not the entry.
 */
const VENDORED = [
  // The entry also loads drivers for phones and other browsers.
  { name: 'agent-browser', from: 'dist/browser.js', take: 'BrowserManager' },
  { name: 'color-string', take: 'default' },
  { name: 'image-size', take: 'imageSize' },
  { name: 'linkedom', take: 'parseHTML' },
  {
    name: 'mediabunny',
    take: 'EncodedPacket, EncodedVideoPacketSource, Output, StreamTarget, WebMOutputFormat',
  },
  { name: 'proxy-chain', take: 'RequestError, Server' },
  { name: '@mozilla/readability', take: 'Readability' },
  { name: 'turndown', take: 'default' },
];

/** One of it has to be there: what agent-browser starts is driven here. */
const SHARED = ['playwright-core'];

/** Bundles the parts into `dist/vendored`, with the licenses of all that is in them. */
export async function bundleVendored() {
  await mkdir(folder, { recursive: true });
  const parts = await Promise.all(VENDORED.map(bundle));
  const packages = [...new Set(parts.flat())].sort();
  await writeFile(join(folder, 'THIRD-PARTY-NOTICES.txt'), (await Promise.all(packages.map(notice))).join('\n\n'));
}

/** Returns the folders of the packages whose code is in the bundle. */
async function bundle({ name, from, take }) {
  const entry = from === undefined ? name : join(dirname(require.resolve(`${name}/package.json`)), from);
  const file = name.replace(/^@[^/]+\//, '');
  const { metafile } = await build({
    absWorkingDir: root,
    stdin: { contents: `export { ${take} } from ${JSON.stringify(entry)};`, resolveDir: root, loader: 'js' },
    outfile: join(folder, `${file}.js`),
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node22',
    external: SHARED,
    metafile: true,
    // CommonJS modules among them ask for those of Node.
    banner: { js: `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);` },
    logLevel: 'warning',
  });
  const types = take === 'default' ? '{ default }' : '*';
  await writeFile(join(folder, `${file}.d.ts`), `export ${types} from ${JSON.stringify(name)};\n`);
  return Object.keys(metafile.inputs).flatMap(
    input => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(join(root, input))?.[1] ?? [],
  );
}

async function notice(place) {
  const { name, version, license, repository } = JSON.parse(await readFile(join(place, 'package.json'), 'utf8'));
  const source = typeof repository === 'string' ? repository : repository?.url;
  const text = await licenseText(place);
  return [`${name} ${version} (${license})`, source, text].filter(Boolean).join('\n');
}

const LICENSE_FILES = ['LICENSE', 'LICENSE.md', 'LICENSE.txt', 'LICENCE', 'license', 'LICENSE-MIT', 'LICENSE-MIT.txt'];

async function licenseText(place) {
  for (const file of LICENSE_FILES) {
    try {
      return await readFile(join(place, file), 'utf8');
    } catch (error) {
      if (error.code !== 'ENOENT') throw error;
    }
  }
  return '';
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundleVendored();

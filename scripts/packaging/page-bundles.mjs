import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';

/**
 * A module that runs in pages. Its bundle becomes the text of one expression, the constant in `src/generated/<file>.ts`.
 * @typedef {{ entry: string, file: string, constant: string, expression: string }} PageModule
 */

/** What a package runs in pages, bundled with its own esbuild. */
export class PageBundles {
  /** @type {string} */
  #root;
  /** @type {readonly PageModule[]} */
  #modules;

  /**
   * @param {string} root of the package
   * @param {readonly PageModule[]} modules
   */
  constructor(root, modules) {
    this.#root = root;
    this.#modules = modules;
  }

  /** Writes the constants. */
  async write() {
    await mkdir(join(this.#root, 'src/generated'), { recursive: true });
    await Promise.all(this.#modules.map(module => this.#write(module)));
  }

  /** The code of all modules, each with a source map whose sources are absolute paths. */
  read() {
    return Promise.all(this.#modules.map(module => this.#bundle(module)));
  }

  /** @param {PageModule} module */
  async #write(module) {
    const { entry, file, constant, expression } = module;
    const { code } = await this.#bundle(module);
    const source = `(() => { "use strict"; const page = (() => { ${code} })(); return ${expression} })()`;
    await writeFile(
      join(this.#root, `src/generated/${file}.ts`),
      `/** The bundle of ${entry}: made by scripts/bundle-page.mjs. */\nexport const ${constant}: string = ${JSON.stringify(source)};\n`,
    );
  }

  /** @param {PageModule} module */
  async #bundle({ entry, file }) {
    const { build } = createRequire(join(this.#root, 'package.json'))('esbuild');
    const { outputFiles } = await build({
      absWorkingDir: this.#root,
      entryPoints: [entry],
      outfile: `src/generated/${file}.js`,
      bundle: true,
      write: false,
      minify: true,
      sourcemap: 'external',
      format: 'esm',
      target: 'chrome120',
    });
    const [map, code] = outputFiles;
    const { sources, ...others } = JSON.parse(map.text);
    return {
      code: returningExports(code.text),
      map: { ...others, sources: sources.map((/** @type {string} */ source) => resolve(dirname(map.path), source)) },
    };
  }
}

/**
 * A module as the body of a function that returns what it exports. esbuild's own format for that defines getters, which
 * V8's check for side effects refuses.
 * @param {string} module
 */
function returningExports(module) {
  return module.replace(
    /\bexport\s*\{([^{}]*)\};?\s*$/,
    (_, names) => `return{${names.replace(/([\w$]+) as ([\w$]+)/g, '$2:$1')}};`,
  );
}

import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { posix, resolve } from 'node:path';
import { ERROR_CODES } from '@browser-toolset/core';
import { describe, expect, it } from 'vitest';
import { z } from 'zod/v4';
import { onDialogField, type ToolPolicy } from '../src/call/define.js';
import { configSchema, humanControl } from '../src/options.js';
import { ALL_TOOLS } from '../src/tools/index.js';
import { importCircles, type SourceFile, sourceFiles } from './source-files.js';

const root = resolve(import.meta.dirname, '../../..');
const source = sourceFiles(resolve(import.meta.dirname, '../src'));
const pageEngine = sourceFiles(resolve(root, 'packages/page-engine/src'));
/** The toolset, and what its build takes in. */
const TOOLSET_FOLDERS = [
  'integrations/agent-browser/src',
  ...['egress', 'live', 'page-engine'].map(name => `packages/${name}/src`),
];
const folderOf = ({ path }: SourceFile) => (path.includes('/') ? path.split('/')[0] : '.');
/** The folder, or the file beside the folders, that an import of `file` goes to. */
const targetOf = ({ path }: SourceFile, specifier: string) =>
  (posix.join(posix.dirname(path), specifier).split('/')[0] ?? '').replace(/\.js$/, '');

/** What is declared at the top of a file. */
const DECLARATION = /^(?:export )?(?:abstract )?(?:async )?(?:function\*?|class|interface|type|const|let|enum) (\w+)/gm;

/** What a folder of this package may import of the others. */
const ARROWS: Record<string, { values: string[]; types?: string[] }> = {
  policy: { values: [] },
  results: { values: [] },
  snapshot: { values: ['limits', 'tokens'], types: ['browser'] },
  diff: { values: ['snapshot', 'tokens'], types: ['browser'] },
  reading: { values: ['snapshot', 'tokens'] },
  refs: { values: ['snapshot'] },
  browser: {
    values: ['limits', 'refs', 'results', 'tokens'],
    types: ['diff', 'observe', 'options', 'reading', 'snapshot', 'timings'],
  },
  viewers: { values: ['browser', 'results'], types: ['options'] },
  observe: { values: ['limits'], types: ['results'] },
  prompt: { values: ['limits'], types: ['browser', 'options', 'results'] },
  call: {
    values: ['browser', 'diff', 'limits', 'observe', 'policy', 'refs', 'results', 'snapshot', 'tokens'],
    types: ['timings'],
  },
  actions: { values: ['browser', 'call', 'diff', 'limits', 'refs', 'results', 'snapshot'], types: ['reading'] },
  tools: {
    values: ['actions', 'browser', 'call', 'diff', 'limits', 'policy', 'reading', 'refs', 'results', 'snapshot'],
  },
  mastra: { values: ['browser', 'call', 'results', 'tools'], types: ['observe', 'options'] },
};

it('says in the option humanControl which tools go on while a person drives', () => {
  const going = ALL_TOOLS.map(({ id, policy }) => ({ id, ...(policy as ToolPolicy) }))
    .filter(({ readOnly, scrolls, watches }) => (readOnly && !scrolls) || watches)
    .map(({ id }) => id);
  const named = humanControl.shape.onAction.description?.match(/(?:browser_|ask_)\w+/g);
  expect(named?.sort()).toEqual(going.sort());
});

describe('imports', () => {
  it.each(Object.entries(ARROWS))('of %s/ go only where the design lets them', (folder, { values, types = [] }) => {
    const wrong = source
      .filter(file => folderOf(file) === folder)
      .flatMap(file =>
        file.imports
          .filter(({ specifier }) => specifier.startsWith('.'))
          .filter(({ specifier, typeOnly }) => {
            const target = targetOf(file, specifier);
            return target !== folder && !values.includes(target) && !(typeOnly && types.includes(target));
          })
          .map(
            ({ specifier }) =>
              `${file.path} imports ${specifier}: move what it needs, or change ARROWS here and docs/architecture.md`,
          ),
      );
    expect(wrong).toEqual([]);
  });

  it('leave no folder out of that table', () => {
    const folders = new Set(source.map(folderOf).filter(folder => folder !== '.'));
    expect([...folders].sort()).toEqual(Object.keys(ARROWS).sort());
  });

  it('of the page engine stay inside it: it runs in the page, where there is no Node', () => {
    const outside = pageEngine.flatMap(file =>
      file.imports.filter(({ specifier }) => !specifier.startsWith('.') || targetOf(file, specifier) === '..'),
    );
    expect(outside).toEqual([]);
  });

  it('of the page engine hide no DOM method that a page can replace: fields of a form are its properties', () => {
    const direct =
      /(?<!document|root|scope|map|Element\.prototype)\.(?:querySelector(?:All)?|matches|closest|getRootNode|getAttribute)\(/;
    const wrong = pageEngine
      .filter(({ path }) => path !== 'dom/dom.ts')
      .flatMap(({ path, text }) => text.split('\n').map((line, index) => ({ line, at: `${path}:${index + 1}` })))
      .filter(({ line }) => direct.test(line.replace(/\.\.\.querySelectorAll/g, '')));
    expect(wrong.map(({ at }) => `${at}: call the function of dom/dom.ts`)).toEqual([]);
  });

  it('reach the tools from the toolset and its Mastra tools alone', () => {
    const importers = source.filter(
      file =>
        folderOf(file) !== 'tools' &&
        file.imports.some(({ specifier }) => specifier.startsWith('.') && targetOf(file, specifier) === 'tools'),
    );
    expect(importers.map(({ path }) => path).sort()).toEqual(['index.ts', 'mastra/mastra-tool.ts', 'toolset.ts']);
  });

  it('name agent-browser in one file of browser/', () => {
    const importers = source.filter(file =>
      file.imports.some(({ specifier }) => specifier === '#vendored/agent-browser'),
    );
    expect(importers.map(folderOf)).toEqual(['browser']);
  });

  it('go around in no circle: docs/architecture.md says which folder builds on which', () => {
    expect(importCircles(filesOf('bench', 'eval', 'integrations', 'packages', 'scripts'))).toEqual([]);
  });

  it('of another package go only to core, but for the two that put everything together', () => {
    const composers = ['@browser-toolset/playground', '@browser-toolset/mcp', '@browser-toolset/bench'];
    for (const { name, files } of packages()) {
      const others = files
        .flatMap(file => file.imports.map(({ specifier }) => specifier))
        .filter(specifier => specifier.startsWith('@browser-toolset/') && !specifier.startsWith(name))
        .filter(specifier => !specifier.startsWith('@browser-toolset/core'));
      if (!composers.includes(name)) expect({ name, others }).toEqual({ name, others: [] });
      if (name === '@browser-toolset/core') expect(importsOfWorkspace(files)).toEqual([]);
    }
  });
});

describe('answers of the engine in a page', () => {
  const matches = (pattern: RegExp): string[] =>
    source.flatMap(({ path, text }) => [...text.matchAll(pattern)].map(([found]) => `${path}: ${found}`));

  it('are what the handlers of the page return, and never what a caller says they are', () => {
    expect(matches(/\.(?:call|ask|askAbout)</g)).toEqual([]);
    expect(matches(/\b(?:engine|action|this)\s*\.(?:call|ask|askAbout)\([^;]*? as (?!const\b)[^;]*;/g)).toEqual([]);
    expect(matches(/ as Answer\b.*/g)).toEqual(['browser/tab/engine.ts:  as Answer<Name>;']);
  });

  it('are asked for elements that may say anything by one function', () => {
    expect(matches(/\blastId: 0\b/g)).toEqual([]);
  });
});

describe('names and files', () => {
  const others = [
    { name: 'the toolset with the packages that it takes in', files: filesOf(...TOOLSET_FOLDERS) },
    { name: 'the web page of the playground', files: filesOf('packages/playground/web') },
    { name: 'the bench and its pages', files: filesOf('bench/src', 'bench/pages') },
    { name: 'the eval', files: filesOf('eval/src') },
  ];

  it.each([...packages(), ...others])(
    'have one meaning each in $name: none is declared at the top of two files',
    ({ files }) => {
      const declaring = new Map<string, string[]>();
      for (const { path, text } of files)
        for (const [, name = ''] of text.matchAll(DECLARATION))
          declaring.set(name, [...(declaring.get(name) ?? []), path]);
      const shared = [...declaring].filter(([, paths]) => new Set(paths).size > 1);
      expect(shared.map(([name, paths]) => `${name}: ${paths.join(', ')}`)).toEqual([]);
    },
  );

  it('are made where two files need one, or where a thought is long enough for a file: few are small with one importer', () => {
    const importers = new Map<string, number>();
    for (const { path, imports } of source)
      for (const specifier of new Set(imports.map(({ specifier }) => specifier))) {
        const target = posix.join(posix.dirname(path), specifier).replace(/\.js$/, '.ts');
        importers.set(target, (importers.get(target) ?? 0) + 1);
      }
    const small = source.filter(({ path, text }) => text.split('\n').length <= 80 && importers.get(path) === 1);
    // A tool has a file of its own, however small it is.
    expect(small.map(({ path }) => path).filter(path => !path.startsWith('tools/'))).toEqual([]);
    expect(small.length).toBeLessThanOrEqual(20);
  });
});

describe('words', () => {
  /** What the glossary of docs/architecture.md has other words for. */
  const OLD =
    /\b(?:told|news|sights?|sightings?|deeds?|testimony)\b|(?<=[a-z])(?:Told|News|Sights?|Deeds?)(?=[A-Z]|\b)|\b(?:Matter|Unheard)\b/;

  it('of before are in no name and no comment', () => {
    const lines = filesOf(...TOOLSET_FOLDERS).flatMap(({ path, text }) =>
      text.split('\n').map((line, index) => ({
        at: `${path}:${index + 1}`,
        line: line.replace(/(['"`]).*?\1/g, ''),
      })),
    );
    expect(lines.filter(({ line }) => OLD.test(line)).map(({ at, line }) => `${at}: ${line.trim()}`)).toEqual([]);
  });
});

describe('what is installed', () => {
  it('has one playwright-core: a selector engine is registered per instance', () => {
    const ours = createRequire(import.meta.url);
    const theirs = createRequire(ours.resolve('agent-browser/package.json'));
    const instance = (from: NodeJS.Require) => realpathSync(from.resolve('playwright-core/package.json'));
    expect(instance(theirs)).toBe(instance(ours));
  });
});

/** Playwright reads what is inside these. */
const HANDED_ON = ['proxy', 'viewport', 'geolocation'];

describe('what a schema promises', () => {
  it.each(ALL_TOOLS.map(tool => [tool.id, tool] as const))('%s reads every field of its input', (id, tool) => {
    const file = source.find(({ text }) => text.includes(`id: '${id}'`)) ?? expect.fail(`no file defines ${id}`);
    const code = withoutSchemas(file.text) + codeIn('call/run.ts', 'call/action.ts', 'call/point.ts');
    const { onDialog, ...own } = tool.input.shape as Record<string, z.ZodType>;
    const names = Object.entries(own).flatMap(([name, field]) =>
      HANDED_ON.includes(name) ? [name] : fieldsOf(z.object({ [name]: field })),
    );
    if (onDialog !== undefined) names.push('onDialog');
    expect(names.filter(name => !isRead(code, name))).toEqual([]);
  });

  it('the answer to a dialog is read by the sessions', () => {
    expect(fieldsOf(onDialogField).filter(name => !isRead(codeIn('browser/'), name))).toEqual([]);
  });

  it('the options are read somewhere', () => {
    const code = source.filter(({ path }) => path !== 'options.ts').map(({ text }) => text);
    const names = Object.entries(configSchema.shape).flatMap(([name, option]) =>
      HANDED_ON.includes(name) ? [name] : [name, ...fieldsOf(option)],
    );
    expect(names.filter(name => !isRead(code.join('\n'), name))).toEqual([]);
  });

  it('every option says what it is for', () => {
    const silent = Object.entries(configSchema.shape).filter(
      ([, option]) => option.description === undefined && fieldsOf(option).length === 0,
    );
    expect(silent.map(([name]) => name)).toEqual([]);
  });
});

describe('messages', () => {
  it.each(ALL_TOOLS.map(tool => [tool.id, tool] as const))('of %s say what a field expects', (_, tool) => {
    const vague = unionsIn(tool.input).filter(
      union => union.safeParse({ nonsense: true }).error?.issues[0]?.message === 'Invalid input',
    );
    expect(vague.map(union => JSON.stringify(z.toJSONSchema(union)))).toEqual([]);
  });

  it('of an error that a call can get past say how', () => {
    const silent = Object.entries(ERROR_CODES).filter(([, info]) => info.canRetry && !('recoveryHint' in info));
    // The caller itself ended an aborted call.
    expect(silent.map(([code]) => code)).toEqual(['aborted']);
  });
});

function packages(): { name: string; folder: string; files: SourceFile[] }[] {
  return ['integrations', 'packages']
    .flatMap(parent => readdirSync(resolve(root, parent)).map(name => `${parent}/${name}`))
    .filter(folder => existsSync(resolve(root, folder, 'src')) && existsSync(resolve(root, folder, 'package.json')))
    .map(folder => ({
      name: JSON.parse(readFileSync(resolve(root, folder, 'package.json'), 'utf8')).name as string,
      folder,
      files: sourceFiles(resolve(root, folder, 'src')),
    }));
}

/** All files under folders of the repository, by their paths from its root. */
function filesOf(...folders: string[]): SourceFile[] {
  return folders.flatMap(folder =>
    sourceFiles(resolve(root, folder)).map(file => ({ ...file, path: `${folder}/${file.path}` })),
  );
}

function importsOfWorkspace(files: SourceFile[]): string[] {
  return files.flatMap(file =>
    file.imports.map(({ specifier }) => specifier).filter(specifier => specifier.startsWith('@browser-toolset/')),
  );
}

/** A schema and all that it is made of. */
function partsOf(schema: z.ZodType): z.ZodType[] {
  const inside = (): z.ZodType[] => {
    if (schema instanceof z.ZodObject) return Object.values(schema.shape) as z.ZodType[];
    if (schema instanceof z.ZodArray) return [schema.element as z.ZodType];
    if (schema instanceof z.ZodUnion) return schema.options as z.ZodType[];
    const wrapped =
      schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault;
    return wrapped ? [schema.unwrap() as z.ZodType] : [];
  };
  return [schema, ...inside().flatMap(partsOf)];
}

/** The names of all fields of a schema, those of objects inside it too. */
function fieldsOf(schema: z.ZodType): string[] {
  return partsOf(schema).flatMap(part => (part instanceof z.ZodObject ? Object.keys(part.shape) : []));
}

function unionsIn(schema: z.ZodType): z.ZodType[] {
  return partsOf(schema).filter(part => part instanceof z.ZodUnion);
}

/** The code of files, or of all in a folder. */
function codeIn(...paths: string[]): string {
  const chosen = source.filter(({ path }) => paths.some(start => path.startsWith(start)));
  return chosen.map(({ text }) => text).join('\n');
}

/** A property is read as `.name`, by taking an object apart, or handed on as a whole with others. */
function isRead(code: string, name: string): boolean {
  return new RegExp(`[.]${name}\\b|[{,]\\s*${name}\\s*(?:[,}=]|:\\s*[\\w{])`).test(code);
}

/** A tool without its schemas. */
function withoutSchemas(text: string): string {
  const lines = text.split('\n');
  const start = lines.findIndex(line => line.startsWith('  input: '));
  const end = lines.findIndex((line, index) => index > start && /^ {2}\w/.test(line));
  return [...lines.slice(0, start), ...lines.slice(end)].filter(line => !/\bz\./.test(line)).join('\n');
}

import { posix } from 'node:path';
import { withoutCodeBlocks } from './markdown.mjs';

const CODE_SPAN = /(?<!`)`([^`\n]+)`(?!`)/g;
const FOLDERS = /^(?:src|test|scripts|packages|integrations|bench|docs|eval|examples|web|pages)\//;
const FILE = /\/.*\.(?:tsx?|mjs|md|json)$/;
const SOURCE = /^[\w.*-]+\.(?:tsx?|mjs)$/;
/** What a build or a run writes is not there yet in a fresh clone. */
const WRITTEN = /(?:^|\/)(?:dist|output|generated)(?:\/|$)/;
const ALWAYS = ['', 'integrations/agent-browser', 'integrations/agent-browser/src'];

/**
 * The paths that a document names in code spans and that the repository does not have. They may begin at the root, at the
 * document, or at the package that the section is about.
 * @param {readonly string[]} files all of the repository
 * @param {string} document path from the root
 * @param {string} text its Markdown
 */
export function missingPaths(files, document, text) {
  const known = withFolders(files);
  /** @type {{ level: number, folder: string | undefined }[]} */
  let headings = [];
  return withoutCodeBlocks(text)
    .split('\n')
    .flatMap((line, index) => {
      const [, marks = '', title = ''] = /^(#{1,6}) (.*)$/.exec(line) ?? [];
      if (marks !== '') {
        const folder = title.split(/[\s`]+/).find(word => word.includes('/') && known.has(word));
        headings = [...headings.filter(({ level }) => level < marks.length), { level: marks.length, folder }];
      }
      const sections = headings.flatMap(({ folder }) => (folder === undefined ? [] : [folder, `${folder}/src`]));
      const bases = [...ALWAYS, ...foldersAround(document), ...sections];
      return pathsIn(line)
        .filter(path => !alternatives(path).every(one => exists(known, bases, one)))
        .map(path => ({ line: index + 1, path }));
    });
}

/** @param {string} line */
function pathsIn(line) {
  const spans = [...line.matchAll(CODE_SPAN)].map(([, span = '']) => span.trim());
  return spans.filter(
    span =>
      !/[\s(=]|^[~/@#.]|:\/\//.test(span) &&
      !WRITTEN.test(span) &&
      (FOLDERS.test(span) || FILE.test(span) || SOURCE.test(span)),
  );
}

/**
 * @param {ReadonlySet<string>} known
 * @param {readonly string[]} bases
 * @param {string} path
 */
function exists(known, bases, path) {
  const pattern = path.replace(/\/$/, '');
  const [first = '', ...rest] = pattern.split('/');
  const places = [...bases.map(base => posix.join(base, pattern)), posix.join('packages', first, 'src', ...rest)];
  // A name alone says nothing of its folder.
  if (rest.length === 0) places.push(`**/${pattern}`);
  return places.some(place => {
    if (!/[*<]/.test(place)) return known.has(place);
    const expression = expressionOf(place);
    return [...known].some(file => expression.test(file));
  });
}

/**
 * `*` and `<name>` stand for anything within a folder's or file's name, `**` for folders, too.
 * @param {string} pattern
 */
function expressionOf(pattern) {
  const source = pattern.replace(/\*\*|\*|<[^>]*>|[.+?^$()[\]\\|{}]/g, part => {
    if (part === '**') return '.*';
    return part === '*' || part.startsWith('<') ? '[^/]+' : `\\${part}`;
  });
  return new RegExp(`^${source}$`);
}

/**
 * `{a,b}.ts` is `a.ts` and `b.ts`.
 * @param {string} path
 * @returns {string[]}
 */
function alternatives(path) {
  const [all, choices] = /\{([^{}]*)\}/.exec(path) ?? [];
  if (all === undefined || choices === undefined) return [path];
  return choices.split(',').flatMap(choice => alternatives(path.replace(all, choice)));
}

/** @param {string} document */
function foldersAround(document) {
  const folder = posix.dirname(document);
  return [folder, `${folder}/src`];
}

/** @param {readonly string[]} files */
function withFolders(files) {
  /** @type {Set<string>} */
  const known = new Set();
  for (const file of files) {
    for (let path = file; path !== '.' && !known.has(path); path = posix.dirname(path)) known.add(path);
  }
  return known;
}

import { isIP } from 'node:net';
import { getOrInsert } from '#page-engine/dom/get-or-insert.js';
import type { SecretPiece } from '#page-engine/protocol.js';
import { sharesPiece } from '#page-engine/secrets/secret-marks.js';
import { hostAndPortOf, hostIn, splitPattern } from './addresses.js';
import { maskUrlPasswords } from './masked-http.js';
import { echoOf, replaceCuts, type Span, TextStream } from './secret-text.js';

const MARKUP_TOKEN = /<[^>]*>|[^<]+/g;
const ATTRIBUTE = / ([\w-]+)="([^"]*)"/g;
/** An attribute that replaces its element where other text stands. */
const TEXT_ATTRIBUTE = 'alt';
const ENTITIES: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' };

/**
 * Hides secrets in texts and attribute values of markup as the page engine serialises it: quoted values, and `&`, `<`,
 * `>` and `"` as entities. `hide` gets adjacent texts.
 */
function hideInMarkup(html: string, hide: (texts: readonly string[]) => readonly string[]): string {
  const tokens = html.match(MARKUP_TOKEN) ?? [];
  const texts: string[] = [];
  for (const token of tokens) {
    if (!token.startsWith('<')) texts.push(plain(token));
    else
      for (const [, name, value = ''] of token.matchAll(ATTRIBUTE))
        if (name === TEXT_ATTRIBUTE) texts.push(plain(value));
  }
  const hidden = hide(texts);
  let at = 0;
  const next = (written: string): string => {
    const [before, after] = [texts[at], hidden[at] ?? ''];
    at++;
    return before === after ? written : escaped(after);
  };
  const ofTag = (tag: string): string =>
    tag.replace(ATTRIBUTE, (_, name: string, value: string) => {
      const isText = name === TEXT_ATTRIBUTE;
      return ` ${name}="${isText ? next(value) : escaped(hide([plain(value)])[0] ?? '')}"`;
    });
  return tokens.map(token => (token.startsWith('<') ? ofTag(token) : next(token))).join('');
}

function plain(text: string): string {
  return text.replace(/&(?:lt|gt|quot|amp);/g, entity => ENTITIES[entity] ?? entity);
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** Texts at the same place of similar objects: names of nodes, cells of a column, items of a list. */
class TextSlot {
  readonly texts: string[] = [];
  mapped: readonly string[] = [];
  /** The number of mapped texts already used. */
  taken = 0;
  readonly #inner = new Map<string | number, TextSlot>();

  below(key: string | number): TextSlot {
    return getOrInsert(this.#inner, key, () => new TextSlot());
  }

  *all(): Generator<TextSlot> {
    yield this;
    for (const place of this.#inner.values()) yield* place.all();
  }
}

/** Which fields are skipped. */
interface Passed {
  fields: ReadonlySet<string>;
  /** Fields below which none is skipped. */
  except: ReadonlySet<string>;
}

/**
 * Maps all texts in a value, including keys; returns the same value when none changed. Adjacent texts are mapped
 * together, in order.
 */
function mapTextsWithin<T>(value: T, map: (texts: readonly string[]) => readonly string[], passed?: Passed): T {
  const root = new TextSlot();
  const keys = new Set<string>();
  noteTexts(value, { place: root, passed }, keys);
  let isSame = true;
  const mapped = (texts: string[]): readonly string[] => {
    const result = texts.length === 0 ? texts : map(texts);
    isSame &&= result === texts;
    return result;
  };
  for (const place of root.all()) place.mapped = mapped(place.texts);
  const names = new Map([...keys].map(key => [key, map([key])[0] ?? key]));
  if (isSame && [...names].every(([key, name]) => key === name)) return value;
  return rebuilt(value, { place: root, passed }, names) as T;
}

interface TextPosition {
  place: TextSlot;
  passed: Passed | undefined;
}

function noteTexts(value: unknown, where: TextPosition, keys: Set<string>): void {
  if (typeof value === 'string') where.place.texts.push(value);
  else if (Array.isArray(value)) {
    const isList = isOfLikeThings(value);
    for (const [index, item] of value.entries()) noteTexts(item, itemOf(index, isList, where), keys);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      keys.add(key);
      const next = positionIn(key, where);
      if (next !== undefined) noteTexts(inner, next, keys);
    }
  }
}

function rebuilt(value: unknown, where: TextPosition, names: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return where.place.mapped[where.place.taken++];
  if (Array.isArray(value)) {
    const isList = isOfLikeThings(value);
    return value.map((item, index) => rebuilt(item, itemOf(index, isList, where), names));
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => {
    const next = positionIn(key, where);
    return [names.get(key) ?? key, next === undefined ? inner : rebuilt(inner, next, names)];
  });
  return Object.fromEntries(entries);
}

/** A list of one type holds similar items; in a tuple of several types each has its own meaning. */
function isOfLikeThings(list: readonly unknown[]): boolean {
  return list.every(item => typeof item === typeof list[0]);
}

function itemOf(index: number, isList: boolean, { place, passed }: TextPosition): TextPosition {
  return { place: place.below(isList ? '[]' : index), passed };
}

/** Undefined for a field that is skipped. */
function positionIn(key: string, { place, passed }: TextPosition): TextPosition | undefined {
  if (passed?.fields.has(key)) return undefined;
  return { place: place.below(key), passed: passed?.except.has(key) ? undefined : passed };
}

/** The option `secrets`: values by name, with the hosts that each may be filled in on. */
export type SecretsConfig = Readonly<Record<string, { readonly value: string; readonly domains: readonly string[] }>>;

type FilledText =
  /** `secrets`: those in the text. */
  { text: string; secrets: { name: string; value: string }[] } | { refused: 'unknown' | 'domain'; reason: string };

const SHORTEST_VALUE = 4;
/** Words of the toolset's own output, which a secret must not equal. */
const SNAPSHOT_WORDS = `alertdialog application article banner blockquote button caption checkbox clickable columnheader combobox
  complementary contentinfo definition document emphasis figure generic gridcell heading iframe insertion listitem listbox
  marquee menuitemcheckbox menuitemradio navigation option paragraph presentation progressbar radiogroup region rowgroup
  rowheader scrollbar searchbox separator slider spinbutton status strong subscript superscript switch tablist tabpanel
  textbox toolbar tooltip treegrid treeitem completed in_progress timeout accepted dismissed`;
const NAME_OF_SECRET = /^[A-Za-z_][\w.-]{0,63}$/;
const PLACEHOLDER = /<secret>\s*([^<>]{1,100}?)\s*<\/secret>/g;
/** Most pieces of secrets that are hidden wherever they stand. */
const MOST_PIECES = 20;
/** A shorter text was not truncated. */
const SHORTEST_CUT_TEXT = 100;
/** Fields with values of the toolset itself, or names of files that it created. */
const OWN_FIELDS = new Set(['code', 'role', 'tag', 'kind', 'inputType', 'doc', 'ref', 'path', 'phase']);
/** Fields whose content may all come from a page. */
const PAGE_FIELDS = new Set(['result', 'data', 'request', 'requests', 'messages', 'errors']);

interface Secret {
  name: string;
  value: string;
  domains: readonly SecretDomain[];
}

function placeholder(name: string): string {
  return `<secret>${name}</secret>`;
}

/** Finds values in the forms that {@link echoOf} knows. */
class Echoes {
  readonly #names: readonly string[];
  /** A group per value: those that may hold others stand first. */
  readonly #written: RegExp;
  readonly #encoded: RegExp;
  readonly #cut: RegExp;
  readonly #trace: RegExp;

  constructor(
    values: readonly SecretPiece[],
    readonly id = '',
  ) {
    this.#names = values.map(({ name }) => name);
    const echoes = values.map(({ text }) => echoOf(text));
    const groups = (sources: string[]): string => sources.map(source => `(${source})`).join('|');
    this.#written = new RegExp(groups(echoes.map(({ written }) => written.join('|'))), 'giu');
    this.#encoded = new RegExp(groups(echoes.map(({ encoded }) => encoded.join('|') || '(?!)')), 'gu');
    this.#cut = new RegExp(`(?:${groups(echoes.map(({ cut }) => cut))})(?=(?:…|\\.{3})?["']?$)`, 'iu');
    this.#trace = new RegExp(echoes.map(({ trace }) => trace).join('|'), 'iu');
  }

  spansIn({ text, starts }: TextStream, texts: readonly string[]): Span[] {
    if (!this.#trace.test(text)) return [];
    const spanOf = (match: RegExpExecArray, from = 0): Span => {
      const start = from + match.index;
      return { start, end: start + match[0].length, by: this.#nameOf(match) };
    };
    const whole = [this.#written, this.#encoded].flatMap(pattern => [...text.matchAll(pattern)]);
    const cut = texts.flatMap((each, index) => {
      const [start = 0, end = 0] = starts.slice(index, index + 2);
      const match = each.length < SHORTEST_CUT_TEXT ? null : this.#cut.exec(text.slice(start, end));
      return match ? [spanOf(match, start)] : [];
    });
    return [...whole.map(match => spanOf(match)), ...cut];
  }

  #nameOf(groups: readonly (string | undefined)[]): string {
    const index = groups.slice(1, this.#names.length + 1).findIndex(group => group !== undefined);
    return placeholder(this.#names[index] ?? 'unknown');
  }
}

/**
 * The secrets of a toolset: filled in for their names, and hidden in all output.
 * Invariant: output has no value in a form that {@link echoOf} knows, within one text or across adjacent texts.
 */
export class Secrets {
  readonly #secrets: readonly Secret[];
  readonly #echoes: Echoes | undefined;
  /** What is left of secrets that were edited by hand, on the page that is read and where it may stand later. */
  #pieces: readonly Echoes[] = [];

  constructor(config: SecretsConfig = {}) {
    const secrets = Object.entries(config).map(([name, { value, domains }]) => ({
      name,
      value,
      domains: domains.flatMap(text => parseSecretDomain(text) ?? []),
    }));
    this.#secrets = secrets.sort((a, b) => b.value.length - a.value.length);
    if (secrets.length > 0) this.#echoes = new Echoes(this.#secrets.map(({ name, value }) => ({ name, text: value })));
  }

  /** The values in the forms that a page may show. */
  get shown(): SecretPiece[] {
    return this.#secrets.flatMap(({ name, value }) => shownForms(value).map(text => ({ name, text })));
  }

  get areNone(): boolean {
    return this.#secrets.length === 0;
  }

  get names(): string[] {
    return this.#secrets.map(({ name }) => name).sort();
  }

  /** The names in a text's placeholders, known or not. */
  asked(text: string): string[] {
    if (this.areNone) return [];
    return [...new Set([...text.matchAll(PLACEHOLDER)].map(match => match[1] ?? ''))];
  }

  /** `origin` is that of the field's document. */
  fill(text: string, origin: string): FilledText {
    const names = this.asked(text);
    const unknown = names.filter(name => this.#find(name) === undefined);
    if (unknown.length > 0)
      return {
        refused: 'unknown',
        reason: `There is no secret ${unknown.join(', ')}; available: ${this.names.join(', ')}.`,
      };
    const elsewhere = names.filter(name => !isOnHosts(origin, this.#find(name)?.domains ?? []));
    if (elsewhere.length > 0) {
      const where = origin === 'null' || origin === '' ? 'this document, which has no origin of its own' : origin;
      return {
        refused: 'domain',
        reason: `The secret ${elsewhere.join(', ')} is not allowed on ${where}. Nothing was typed.`,
      };
    }
    return {
      text: text.replace(PLACEHOLDER, (_, name: string) => this.#find(name)?.value ?? ''),
      secrets: names.map(name => ({ name, value: this.#find(name)?.value ?? '' })),
    };
  }

  /** A text without values, or beginnings of values where it was truncated, and without passwords in URLs. */
  hide(text: string): string {
    return maskUrlPasswords(this.hideAcross([text])[0] ?? '');
  }

  /** Hides values within adjacent texts or across them; returns the same list when there was none. */
  hideAcross(texts: readonly string[]): readonly string[] {
    const echoes = [...this.#pieces, ...(this.#echoes ? [this.#echoes] : [])];
    const cuts = [...TextStream.readings(texts)].flatMap(stream =>
      echoes.flatMap(echo => echo.spansIn(stream, texts)).flatMap(span => stream.cutsOf(span)),
    );
    return cuts.length === 0 ? texts : replaceCuts(texts, cuts);
  }

  /**
   * Parses an answer of the page engine: JSON, and on another line what is left of secrets in the document. Hides secrets
   * in its texts; in the field `markup`, before it is converted.
   */
  parse(answer: string, markup?: string): unknown {
    if (this.areNone) return JSON.parse(answer);
    const [json = '', left] = answer.split('\n');
    const kept = this.#pieces;
    const pieces = left === undefined ? [] : (JSON.parse(left) as SecretPiece[]);
    const met = pieces.map(piece => kept.find(({ id }) => id === piece.text) ?? new Echoes([piece], piece.text));
    // What has nothing of the secret in one piece may stand elsewhere by chance.
    const later = met.filter(({ id }) => this.#secrets.some(({ value }) => sharesPiece(id, value)));
    this.#pieces = [...new Set([...met, ...kept])];
    try {
      return this.#parsed(JSON.parse(json), markup);
    } finally {
      this.#pieces = [...new Set([...later, ...kept])].slice(0, MOST_PIECES);
    }
  }

  #parsed(value: unknown, markup: string | undefined): unknown {
    if (markup === undefined) return this.#within(value);
    const { [markup]: html, ...rest } = value as Record<string, string>;
    return { ...this.#within(rest), [markup]: this.hideMarkup(html ?? '') };
  }

  /** Hides secrets in markup as the page engine serialises it. */
  hideMarkup(html: string): string {
    return this.areNone ? html : hideInMarkup(html, texts => this.hideAcross(texts));
  }

  /** Hides secrets, and passwords in URLs, in all texts of a value; returns the same value when there was none. */
  hideIn<T>(value: T): T {
    return mapTextsWithin(this.#within(value, { fields: OWN_FIELDS, except: PAGE_FIELDS }), texts =>
      texts.some(text => maskUrlPasswords(text) !== text) ? texts.map(maskUrlPasswords) : texts,
    );
  }

  #within<T>(value: T, passed?: Passed): T {
    return this.areNone ? value : mapTextsWithin(value, texts => this.hideAcross(texts), passed);
  }

  #find(name: string): Secret | undefined {
    return this.#secrets.find(secret => secret.name === name);
  }
}

function shownForms(value: string): string[] {
  const bytes = Buffer.from(value);
  const inUrl = [encodeURIComponent(value), encodeURI(value), new URLSearchParams([['', value]]).toString().slice(1)];
  const written = [
    value,
    ...inUrl,
    JSON.stringify(value).slice(1, -1),
    bytes.toString('base64'),
    bytes.toString('hex'),
  ];
  return [...new Set(written)];
}

/** The problems of the option `secrets`, in words that do not reveal a value. */
export function problemsOf(config: SecretsConfig): { path: string[]; message: string }[] {
  const names = Object.keys(config);
  return Object.entries(config).flatMap(([name, { value, domains }]) => {
    const at = (field: string, message: string) => ({ path: [name, field], message });
    const lower = value.toLowerCase();
    return [
      ...(NAME_OF_SECRET.test(name)
        ? []
        : [{ path: [name], message: 'a name may only contain letters, digits, _, - and .' }]),
      ...(value.trim().length < SHORTEST_VALUE
        ? [at('value', `has fewer than ${SHORTEST_VALUE} characters: such a short text appears everywhere by chance`)]
        : []),
      ...(value === value.trim() ? [] : [at('value', 'begins or ends with white space: trim it')]),
      ...(names.some(other => placeholder(other).toLowerCase().includes(lower))
        ? [at('value', 'is part of the placeholder of a secret: give the secret another name')]
        : []),
      ...(SNAPSHOT_WORDS.includes(lower) ? [at('value', 'is a word that the toolset itself uses')] : []),
      ...(domains.length === 0 ? [at('domains', 'name at least one, such as example.com')] : []),
      ...domains
        .filter(domain => parseSecretDomain(domain) === undefined)
        .map(domain => at('domains', `${JSON.stringify(domain)} is not a domain such as example.com or *.example.com`)),
    ];
  });
}

const LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/;
const LOOPBACK = /^(?:localhost|.+\.localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|::1)$/;

/**
 * The hosts that a secret is for, on any port or one. Unlike in `urlPolicy`, a name excludes its subdomains, which may
 * belong to others; `*.` means all of them.
 */
interface SecretDomain {
  host: string;
  below: boolean;
  port: number | undefined;
}

/** Parses `example.com`, `*.example.com` or `example.com:8443`; undefined for another format. */
export function parseSecretDomain(text: string): SecretDomain | undefined {
  const { scheme, path, name, below, port } = splitPattern(text) ?? {};
  const host = name === undefined || name === '*' || /[%*]/.test(name) ? undefined : hostIn(name);
  if (host === undefined || below === undefined || (scheme ?? path) !== undefined) return undefined;
  if (isIP(host) === 0 && !host.split('.').every(label => LABEL.test(label))) return undefined;
  // A top-level domain is open to everybody.
  if (below && !host.includes('.') && host !== 'localhost') return undefined;
  return { host, below, port };
}

/** Whether a document's origin is on one of these hosts: over HTTPS, or on this machine. */
function isOnHosts(origin: string, domains: readonly SecretDomain[]): boolean {
  if (!URL.canParse(origin)) return false;
  const url = new URL(origin);
  const { host, port } = hostAndPortOf(url);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && LOOPBACK.test(host))) return false;
  return domains.some(domain => {
    if (domain.port !== undefined && domain.port !== port) return false;
    return domain.below ? host.endsWith(`.${domain.host}`) : host === domain.host;
  });
}

/** The result of a script in the page. */
export type Evaluated =
  | {
      /** A JSON-compatible copy. */
      value: unknown;
      /** The type of the value itself, or its class. */
      type: string;
      /** The copy leaves out a part that was too large. */
      isCut?: true;
    }
  | { thrown: string };

/** Values beyond this number are only counted. */
const MOST_VALUES = 20_000;
const MOST_CHARACTERS = 400_000;
const MOST_VALUE_DEPTH = 12;
const OUTLINE_LENGTH = 200;

/**
 * Runs in the main world of the page and returns a JSON-compatible copy of the result. Never rejects.
 * @param given Arguments for a result that is a function; without them the function itself is copied.
 */
export async function evaluateInPage(run: () => unknown, given?: unknown[]): Promise<Evaluated> {
  try {
    let value = await run();
    if (given !== undefined && typeof value === 'function') value = await value(...given);
    return copied(value);
  } catch (error) {
    return { thrown: describeThrown(error) };
  }
}

/**
 * Like {@link evaluateInPage}, for V8's check for side effects (`throwOnSideEffect` of CDP's Runtime domain), which does
 * not follow a promise. Returns undefined where the result is one, and throws what the script throws.
 */
export function evaluateWithoutEffects(run: () => unknown, given?: unknown[]): Evaluated | undefined {
  let value = run();
  if (given !== undefined && typeof value === 'function') value = value(...given);
  return typeof (value as PromiseLike<unknown> | null | undefined)?.then === 'function' ? undefined : copied(value);
}

function copied(value: unknown): Evaluated {
  const copy = new Copy();
  const evaluated: Evaluated = { value: copy.of(value), type: typeOf(value) };
  if (copy.isCut) evaluated.isCut = true;
  return evaluated;
}

function describeThrown(error: unknown): string {
  try {
    if (!isErrorValue(error)) return `${JSON.stringify(new Copy().of(error))}`.slice(0, OUTLINE_LENGTH);
    const cause = error.cause === undefined ? '' : ` (cause: ${describeThrown(error.cause)})`;
    return `${error.name}: ${error.message}`.slice(0, 1_000) + cause;
  } catch {
    return 'something that cannot be described';
  }
}

function isErrorValue(value: unknown): value is Error {
  return typeof value === 'object' && value !== null && /^(Error|DOMException)$/.test(objectTagOf(value));
}

function typeOf(value: unknown): string {
  if (typeof value !== 'object') return typeof value;
  if (value === null) return 'null';
  return objectTagOf(value);
}

function objectTagOf(value: object): string {
  try {
    return Object.prototype.toString.call(value).slice(8, -1);
  } catch {
    return 'Object';
  }
}

/** Free of what V8's check for side effects refuses: names with `#`, objects spread, properties read in a `for…in`. */
class Copy {
  isCut = false;
  private values = 0;
  private characters = 0;
  /** The objects that are being copied, outermost first. */
  private readonly around = new Set<object>();

  of(value: unknown): unknown {
    this.values++;
    switch (typeof value) {
      case 'string':
        return this.text(value);
      case 'number':
        return Number.isFinite(value) ? value : String(value);
      case 'bigint':
        return `${value}n`;
      case 'undefined':
        return this.around.size === 0 ? undefined : '[undefined]';
      case 'symbol':
        return String(value);
      case 'function':
        return `[Function${value.name ? ` ${value.name}` : ''}]`;
      case 'object':
        return value === null ? null : this.guarded(value);
      default:
        return value;
    }
  }

  private text(text: string): string {
    const left = Math.max(0, MOST_CHARACTERS - this.characters);
    this.characters += text.length;
    if (text.length <= left) return text;
    this.isCut = true;
    return `${text.slice(0, left)}… ${text.length - left} more characters`;
  }

  /** Getters and proxies may throw anything. */
  private guarded(value: object): unknown {
    if (this.around.has(value)) return '[Circular]';
    if (this.around.size >= MOST_VALUE_DEPTH) return `[${objectTagOf(value)}]`;
    this.around.add(value);
    try {
      return valueText(value) ?? this.parts(value);
    } catch (error) {
      return `[Threw ${describeThrown(error)}]`;
    } finally {
      this.around.delete(value);
    }
  }

  private parts(value: object): unknown {
    if (/^(Map|Set)$/.test(objectTagOf(value))) return this.list(value as Set<unknown>, (value as Set<unknown>).size);
    if (isListValue(value)) return this.list(value, value.length);
    const { toJSON } = value as { toJSON?: unknown };
    if (typeof toJSON === 'function') return this.of(toJSON.call(value));
    return this.fields(value);
  }

  private list(items: Iterable<unknown>, length: number): unknown[] {
    const list: unknown[] = [];
    for (const item of items) {
      if (this.isFull) {
        this.isCut = true;
        list.push(`… ${length - list.length} more`);
        break;
      }
      list.push(this.of(item));
    }
    return list;
  }

  private fields(value: object): Record<string, unknown> {
    const fields: Record<string, unknown> = {};
    const keys = objectKeysOf(value);
    for (const [index, key] of keys.entries()) {
      if (this.isFull) {
        this.isCut = true;
        fields['…'] = `${keys.length - index} more`;
        break;
      }
      fields[key] = this.field(value, key);
    }
    return fields;
  }

  private field(of: object, key: string): unknown {
    try {
      return this.of((of as Record<string, unknown>)[key]);
    } catch (error) {
      return `[Threw ${describeThrown(error)}]`;
    }
  }

  private get isFull(): boolean {
    return this.values >= MOST_VALUES || this.characters >= MOST_CHARACTERS;
  }
}

/** The own keys of an object, or for a platform object those of its class. */
function objectKeysOf(value: object): string[] {
  const own = Object.keys(value);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (own.length > 0 || prototype === null || prototype === Object.prototype) return own;
  const keys: string[] = [];
  for (const key in value) keys.push(key);
  return keys.filter(key => !/^[A-Z_]+$/.test(key) && typeof (value as Record<string, unknown>)[key] !== 'function');
}

type List = Iterable<unknown> & { length: number };

function isListValue(value: object): value is List {
  if (Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView))) return true;
  return [NodeList, HTMLCollection, DOMTokenList, FileList, NamedNodeMap].some(list => value instanceof list);
}

/** Text for objects that their fields describe less well. Objects of a frame have other classes, so class names are compared. */
function valueText(value: object): string | undefined {
  const kind = objectTagOf(value);
  if (isNode(value)) return nodeText(value);
  switch (kind) {
    case 'Date':
      return Number.isNaN((value as Date).getTime()) ? 'Invalid Date' : (value as Date).toISOString();
    case 'RegExp':
    case 'URL':
      return String(value);
    case 'ArrayBuffer':
    case 'SharedArrayBuffer':
      return `[${kind} ${(value as ArrayBuffer).byteLength} bytes]`;
    case 'Error':
    case 'DOMException':
      return describeThrown(value);
    default:
      return OPAQUE.has(kind) ? `[${kind}]` : undefined;
  }
}

/** Objects with nothing to show, or with references to everything. */
const OPAQUE = new Set(['Window', 'Promise', 'WeakMap', 'WeakSet', 'WeakRef', 'DataView', 'Generator']);

function isNode(value: object): value is Node {
  const { nodeType, nodeName, ownerDocument } = value as Partial<Node>;
  return typeof nodeType === 'number' && typeof nodeName === 'string' && ownerDocument !== undefined;
}

function nodeText(node: Node): string {
  if (node.nodeType === Node.ELEMENT_NODE) return outlineOf(node as Element);
  if (node.nodeType === Node.DOCUMENT_NODE) return `[Document ${(node as Document).URL}]`;
  return node.nodeValue?.slice(0, OUTLINE_LENGTH) ?? `[${node.nodeName}]`;
}

function outlineOf(element: Element): string {
  // Fields of a form are its properties. A clone would run the constructor of a custom element.
  const { getAttribute, getAttributeNames } = Element.prototype;
  const attributes = getAttributeNames.call(element).map(name => {
    const value = getAttribute.call(element, name) ?? '';
    return ` ${name}="${value.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`;
  });
  const tag = `<${element.tagName.toLowerCase()}${attributes.join('')}>`;
  const text = (element.textContent ?? '').replace(/\s+/g, ' ').trim();
  return `${tag.slice(0, OUTLINE_LENGTH)}${text.slice(0, OUTLINE_LENGTH)}`;
}

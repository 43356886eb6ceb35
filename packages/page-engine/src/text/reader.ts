import { controlValue, isTextMasked } from '../dom/control.js';
import {
  boxOf,
  closest,
  firstChild,
  getAttribute,
  hasAttribute,
  localName,
  type NodeRun,
  nextNodeOf,
  nodeType,
  querySelectorAll,
  shadowRootOf,
  tagName,
  textContent,
  titleNow,
  treeScopeOf,
} from '../dom/dom.js';
import { PDF_HOLDERS, pdfName, pdfUrlOf } from '../dom/pdf.js';
import type { ElementIds } from '../identity/identity.js';
import { currentPass, type GeneratedText, generatedTextOf, type PseudoText } from '../names/generated-content.js';
import { isStruckThrough, jointOf } from '../names/marked-text.js';
import { INLINE_TAGS, OPAQUE_TAGS, READING_ATTRIBUTES } from '../names/roles.js';
import { MASK, type ReadAnswer } from '../protocol.js';
import { Legibility } from '../visibility/legibility.js';
import { visibilityOf } from '../visibility/visibility.js';

const MAX_MARKUP_LENGTH = 3_000_000;
/** Attributes that describe an element; those with a URL are handled separately. */
const KEPT_ATTRIBUTES = ['class', 'id', 'role', 'itemprop', 'rel', ...READING_ATTRIBUTES];
const URL_SCHEMES = /^(?:https?|mailto|tel|ftp):/i;
const VOID_TAGS = new Set(['br', 'hr', 'img', 'wbr', 'input']);
/** Elements that show something other than their markup, and that no text can represent. */
const UNREAD_TAGS = new Set(['AUDIO', 'CANVAS', 'EMBED', 'MAP', 'PARAM', 'VIDEO', 'PORTAL', 'FENCEDFRAME']);
const REPLACED_TAGS = new Set(['IFRAME', 'FRAME', 'IMG', 'INPUT', 'TEXTAREA', 'SELECT', 'PROGRESS', 'METER']);
/** A block inside one of these would end it when the markup is parsed. */
const PHRASING_TAGS = new Set(['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'summary', 'pre', 'dt', 'button', 'label']);
/** The block elements of HTML; any other element is a block only if its style makes it one. */
const KNOWN_TAGS =
  /^(?:address|article|aside|blockquote|button|caption|center|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]|header|hgroup|hr|label|legend|li|main|menu|nav|ol|p|pre|search|section|summary|table|tbody|td|tfoot|th|thead|tr|ul|br|wbr|img|picture|ruby|rt|rp|rb|math)$/;
/** Smaller frames, in CSS pixels, show no readable text. */
const SMALLEST_FRAME_PX = 40;
/** Icon fonts draw an icon from its name, which is written as text and hidden from assistive technology. */
const ICON_TEXT = /^\S{1,30}$/;
/** Private-use characters, which icon fonts use, have no meaning as text. */
const PRIVATE_USE = /\p{Co}/gu;

interface ReaderLevel extends NodeRun {
  element: Element;
  close: string;
  hidden: boolean;
  /** Computed once the level has text. */
  style?: CSSStyleDeclaration;
  generated: GeneratedText | undefined;
  /** Block elements are not allowed here. */
  phrasing: boolean;
  /** Index in the output where a collapsed control begins. */
  collapsedFrom?: number;
}

export function readDocument(ids: ElementIds, element?: Element): ReadAnswer {
  const root = element ?? document.body ?? document.documentElement;
  const pdf = root === null ? undefined : pdfUrlOf(root);
  const read = new Reader(ids).read(root);
  return { ...read, doc: ids.doc, url: location.href, title: titleNow(), ...(pdf !== undefined && { pdf }) };
}

/**
 * Writes the readable content of a document as plain markup: no scripts, styles, handlers or hidden parts, shadow trees
 * in their place, URLs resolved. Parsing it runs and loads nothing.
 */
class Reader {
  readonly #out: string[] = [];
  readonly #frames: number[] = [];
  readonly #levels: ReaderLevel[] = [];
  readonly #legibility = new Legibility();
  readonly #pass = currentPass();
  #length = 0;
  /** The text right before the next one in its line. */
  #before: { text: string; element: Element } | undefined;
  #cut = false;

  constructor(readonly ids: ElementIds) {}

  read(root: Element | null): Pick<ReadAnswer, 'html' | 'frames' | 'cut'> {
    if (root !== null) this.#element(root, false);
    const levels = this.#levels;
    while (levels.length > 0) {
      const level = levels[levels.length - 1] as ReaderLevel;
      const node = this.#cut ? null : nextNodeOf(level);
      if (node === null) {
        this.#close(level);
        levels.pop();
      } else if (nodeType(node) === Node.TEXT_NODE) this.#text(node as Text, level);
      else if (nodeType(node) === Node.ELEMENT_NODE) this.#element(node as Element, level.phrasing);
    }
    return { html: this.#out.join(''), frames: this.#frames, ...(this.#cut && { cut: true }) };
  }

  /** Marks a collapsed control that opens more content, unless the control shows only a picture. */
  #close(level: ReaderLevel): void {
    const { close, collapsedFrom } = level;
    this.#added(level.generated?.after, level);
    const inside =
      collapsedFrom === undefined
        ? ''
        : this.#out
            .slice(collapsedFrom)
            .join('')
            .replace(/<[^>]*>/g, '');
    this.#write(`${inside.trim() === '' ? '' : ' (collapsed)'}${close}`);
  }

  #text(node: Text, level: ReaderLevel): void {
    const { data } = node;
    if (!/\S/.test(data)) this.#write(data);
    else if (!level.hidden) {
      const text = this.#shown(data, level, node);
      const { element } = level;
      const isRaised = this.#before !== undefined && jointOf(this.#before, text, element) === '^';
      const tag = isStruckByStyle(data, level) ? 'del' : isRaised && closest(element, 'sup') === null ? 'sup' : '';
      this.#write(tag === '' ? escapeText(text) : `<${tag}>${escapeText(text)}</${tag}>`);
      this.#before = { text, element };
    }
  }

  /** Generated content is part of what a person reads: without it, half of a secret would pass for another word. */
  #added(pseudo: PseudoText | undefined, level: ReaderLevel): void {
    if (pseudo === undefined || level.hidden) return;
    const text = escapeText(this.#shown(pseudo.text.replace(PRIVATE_USE, ''), level));
    this.#write(pseudo.apart ? ` ${text} ` : text);
  }

  /** The visible form of a text: nothing, dots, or the text itself. */
  #shown(text: string, level: ReaderLevel, node?: Text): string {
    const { element } = level;
    level.style ??= getComputedStyle(element);
    const { style } = level;
    if (this.#legibility.isUnreadable({ element, style, ...(node && { node }) })) return '';
    return isTextMasked(style) ? MASK : text;
  }

  #element(element: Element, phrasing: boolean): void {
    const tag = tagName(element).toUpperCase();
    if (OPAQUE_TAGS.has(tag)) return;
    const pdf = PDF_HOLDERS.has(tag) ? pdfUrlOf(element, tag) : undefined;
    if (pdf !== undefined)
      this.#write(`<p><a${attribute('href', fullUrl(pdf))}>PDF: ${escapeText(pdfName(pdf))}</a></p>`);
    if (pdf !== undefined || UNREAD_TAGS.has(tag)) return;
    const visibility = visibilityOf(element);
    if (visibility === 'unrendered' || visibility === 'unslotted' || isIcon(element)) return;
    const hidden = visibility === 'hidden';
    const isReplaced = tag === 'SVG' || REPLACED_TAGS.has(tag);
    if (isReplaced && !hidden) this.#replaced(element, tag);
    else if (!isReplaced) this.#open(element, tag, { hidden, phrasing });
  }

  #replaced(element: Element, tag: string): void {
    if (tag === 'SVG') this.#drawing(element);
    else if (tag === 'IFRAME' || tag === 'FRAME') this.#frame(element);
    else if (tag === 'IMG') this.#image(element);
    else this.#control(element, tag);
  }

  #open(element: Element, tag: string, { hidden, phrasing }: Pick<ReaderLevel, 'hidden' | 'phrasing'>): void {
    if (!INLINE_TAGS.has(tag)) this.#before = undefined;
    const name = localName(element).toLowerCase();
    const [before, written, after] = this.#shape(element, name, tag, phrasing);
    this.#write(`${before}<${written}${markupAttributesOf(element, written)}>`);
    if (VOID_TAGS.has(written)) return;
    const [next, list] = readerChildren(element, tag);
    const close = `</${written}>${after}`;
    const level: ReaderLevel = {
      next,
      list,
      index: 0,
      element,
      close,
      hidden,
      generated: generatedTextOf(element, treeScopeOf(element), this.#pass),
      phrasing: phrasing || PHRASING_TAGS.has(written),
      ...(isDetailsCollapsed(element, tag) && { collapsedFrom: this.#out.length }),
    };
    this.#levels.push(level);
    this.#added(level.generated?.before, level);
  }

  /** The tag to write, and the markup that separates it from the text around it: what is shown as a block is a block. */
  #shape(element: Element, name: string, tag: string, phrasing: boolean): [before: string, tag: string, after: string] {
    const isInline = INLINE_TAGS.has(tag);
    if (!isInline && KNOWN_TAGS.test(name)) return ['', name, ''];
    const { display } = getComputedStyle(element);
    const isBlock = !/^(?:inline|contents|ruby|none)/.test(display);
    const isPlain = !isInline || tag === 'SPAN' || tag === 'SLOT' || tag === 'FONT';
    if (!isBlock) return ['', isPlain ? 'span' : name, display === 'inline-block' ? ' ' : ''];
    if (phrasing) return ['<br>', isPlain ? 'span' : name, '<br>'];
    return isPlain ? ['', 'div', ''] : ['<div>', name, '</div>'];
  }

  #frame(element: Element): void {
    const { width, height } = boxOf(element);
    if (width < SMALLEST_FRAME_PX || height < SMALLEST_FRAME_PX) return;
    const id = this.ids.rememberContainer(element);
    this.#frames.push(id);
    this.#write(`<iframe id="${id}"></iframe>`);
  }

  #image(element: Element): void {
    const alt = getAttribute(element, 'alt')?.trim() ?? '';
    const { width, height } = boxOf(element);
    // A small image without a name, such as a rule or a counter, is decoration.
    if (alt === '' && (width < SMALLEST_FRAME_PX || height < SMALLEST_FRAME_PX)) return;
    const source = fullUrl((element as HTMLImageElement).currentSrc || getAttribute(element, 'src'));
    this.#write(`<img${attribute('alt', alt)}${attribute('src', source)}${markupAttributesOf(element, 'img')}>`);
  }

  #drawing(element: Element): void {
    const name = getAttribute(element, 'aria-label') ?? '';
    if (name !== '') this.#write(`<img${attribute('alt', name)}>`);
    else {
      const texts = [...querySelectorAll(element, 'text')].flatMap(text => textContent(text)?.trim() || []);
      if (texts.length > 0) this.#write(`<span>${escapeText(texts.join(' '))}</span>`);
    }
  }

  #control(element: Element, tag: string): void {
    const type = tag === 'INPUT' ? (element as HTMLInputElement).type : '';
    if (type === 'checkbox' || type === 'radio') {
      this.#write(`<input type="checkbox"${(element as HTMLInputElement).checked ? ' checked=""' : ''}> `);
      return;
    }
    const isButton = type === 'submit' || type === 'button' || type === 'reset';
    const text = isButton ? (element as HTMLInputElement).value : controlValue(element);
    if (text !== '') this.#write(`<span class="value"> ${escapeText(text)} </span>`);
  }

  #write(text: string): void {
    this.#length += text.length;
    this.#out.push(text);
    if (this.#length > MAX_MARKUP_LENGTH) this.#cut = true;
  }
}

/** Whether a disclosure is closed. A control that opens a menu or a list of choices hides nothing to read. */
function isDetailsCollapsed(element: Element, tag: string): boolean {
  const { parentElement } = element;
  if (tag === 'SUMMARY' && parentElement instanceof HTMLDetailsElement) return !parentElement.open;
  if (getAttribute(element, 'aria-expanded') !== 'false' || getAttribute(element, 'role') === 'combobox') return false;
  return (getAttribute(element, 'aria-haspopup') ?? 'false') === 'false';
}

/** Whether a line goes through a text that no tag in the markup marks so. */
function isStruckByStyle(text: string, { element, style }: ReaderLevel): boolean {
  return closest(element, 'del, s, strike') === null && isStruckThrough(element, text, style);
}

function readerChildren(element: Element, tag: string): [next: Node | null, list: readonly Node[] | null] {
  const root = shadowRootOf(element);
  if (root != null) return [firstChild(root), null];
  if (tag === 'SLOT') {
    const assigned = (element as HTMLSlotElement).assignedNodes();
    if (assigned.length > 0) return [null, assigned];
  }
  return [firstChild(element), null];
}

function isIcon(element: Element): boolean {
  if (getAttribute(element, 'aria-hidden') !== 'true' || element.childElementCount > 0) return false;
  return INLINE_TAGS.has(tagName(element)) && ICON_TEXT.test(textContent(element)?.trim() ?? '');
}

function markupAttributesOf(element: Element, tag: string): string {
  let text = '';
  for (const name of KEPT_ATTRIBUTES) {
    if (hasAttribute(element, name)) text += attribute(name, getAttribute(element, name) ?? '');
  }
  return tag === 'a' ? text + attribute('href', fullUrl(getAttribute(element, 'href'))) : text;
}

/** Only URLs that a reader could follow: neither scripts nor data URLs. */
function fullUrl(value: string | null): string {
  if (value === null || value === '') return '';
  const url = URL.canParse(value, document.baseURI) ? new URL(value, document.baseURI).href : '';
  return URL_SCHEMES.test(url) ? url : '';
}

function attribute(name: string, value: string): string {
  return value === '' ? '' : ` ${name}="${escapeText(value).replaceAll('"', '&quot;')}"`;
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

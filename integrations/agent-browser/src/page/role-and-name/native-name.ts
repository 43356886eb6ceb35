import { getAttribute, hasAttribute } from '../dom.js';
import { childOf, tagOf } from '../visibility/tree-scope.js';
import { isBlank } from './name-text.js';

/** The questions of the host language's naming to the computation under way. All answers add to the name. */
export interface NameSink {
  add(text: string): void;
  /** False when the control has no labels that say anything. */
  addLabels(control: Element): boolean;
  /** The text of a legend, caption or title, also of a hidden one. */
  addCaption(caption: Element): void;
}

type NativeName = (element: Element, sink: NameSink) => void;

function addFirst(sink: NameSink, ...texts: (string | null)[]): void {
  const text = texts.find(candidate => !isBlank(candidate));
  if (text != null) sink.add(text);
}

function captionedBy(tag: string, attribute?: string): NativeName {
  return (element, sink) => {
    const caption = childOf(element, tag);
    if (caption !== undefined) sink.addCaption(caption);
    else if (attribute !== undefined) addFirst(sink, getAttribute(element, attribute));
  };
}

const attributeName =
  (attribute: string): NativeName =>
  (element, sink) =>
    addFirst(sink, getAttribute(element, attribute));

const labels: NativeName = (element, sink) => {
  sink.addLabels(element);
};

/** Labels a browser shows on buttons without a value. */
const DEFAULT_LABELS: ReadonlyMap<string, string> = new Map([
  ['submit', 'Submit'],
  ['reset', 'Reset'],
]);

/** HTML-AAM 4.1.2 to 4.1.4 and 4.1.7. */
function inputName(element: Element, sink: NameSink): void {
  if (sink.addLabels(element)) return;
  const { type, value } = element as HTMLInputElement;
  const title = getAttribute(element, 'title');
  if (type === 'image') addFirst(sink, getAttribute(element, 'alt'), title, 'Submit');
  else if (type === 'file') addFirst(sink, title, 'Choose File');
  else if (type === 'button' || DEFAULT_LABELS.has(type)) {
    const silenced = hasAttribute(element, 'value') ? title : null;
    addFirst(sink, value, silenced, DEFAULT_LABELS.get(type) ?? null);
  }
}

function optionGroupName(element: Element, sink: NameSink): void {
  const legend = childOf(element, 'legend');
  if (legend !== undefined) sink.addCaption(legend);
  else addFirst(sink, getAttribute(element, 'label'));
}

/** SVG-AAM 8.1: the title element, then what a link says. */
function svgName(element: Element, sink: NameSink): void {
  const title = childOf(element, 'svg:title');
  if (title !== undefined) sink.addCaption(title);
  else if (tagOf(element) === 'svg:a') addFirst(sink, getAttribute(element, 'xlink:title'));
}

const NATIVE_NAMES: ReadonlyMap<string, NativeName> = new Map([
  ['area', attributeName('alt')],
  ['button', labels],
  ['fieldset', captionedBy('legend')],
  ['figure', captionedBy('figcaption')],
  ['img', attributeName('alt')],
  ['input', inputName],
  ['meter', labels],
  ['optgroup', optionGroupName],
  ['option', attributeName('label')],
  ['output', labels],
  ['progress', labels],
  ['select', labels],
  ['table', captionedBy('caption', 'summary')],
  ['textarea', labels],
]);

/** How the host language names elements of a tag, if it does (HTML-AAM 4.1, SVG-AAM 8.1). */
export function nativeNameOf(tag: string): NativeName | undefined {
  const known = NATIVE_NAMES.get(tag);
  if (known !== undefined) return known;
  if (tag.startsWith('svg:')) return svgName;
  // Form-associated custom elements have labels.
  return tag.includes('-') ? labels : undefined;
}

const PLACEHOLDER_TYPES = new Set(['email', 'number', 'password', 'search', 'tel', 'text', 'url']);

/** The last resort of a text field. */
export function placeholderOf(element: Element, tag: string, role: string): string | null {
  const takesPlaceholder =
    tag === 'textarea' || (tag === 'input' && PLACEHOLDER_TYPES.has((element as HTMLInputElement).type));
  const placeholder = takesPlaceholder ? getAttribute(element, 'placeholder') : null;
  if (!isBlank(placeholder) || (role !== 'textbox' && role !== 'searchbox')) return placeholder;
  return getAttribute(element, 'aria-placeholder');
}

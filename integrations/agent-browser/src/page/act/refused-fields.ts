import type { RefusedField } from '../answers.js';
import { checkVisibility, closest, getAttribute, isConnected, textContent } from '../dom.js';
import { deepActiveElement } from '../walk/emitter.js';
import { describeNow } from '../walk/identity.js';

const MOST_FIELDS = 5;
/** A page that checks its fields all the time has no more of them noted until somebody asks. */
const MOST_KNOWN = 500;
const MESSAGE_LENGTH = 150;
const INVALID = '[aria-invalid]:not([aria-invalid="false"]):not([aria-invalid=""])';

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** Knows which fields the browser refuses (HTML, constraint validation), and which ones the page says it refuses. */
export class RefusedFields {
  /** When the browser refused which field. */
  #refused = new Map<WeakRef<Control>, number>();

  constructor() {
    window.addEventListener('invalid', this.#note, { capture: true, passive: true });
  }

  /**
   * Fields that were refused in the last so many milliseconds, or that the page says it refuses; none when nobody asks.
   * @param acted What was acted on.
   */
  since(
    milliseconds: number | undefined,
    acted: Element | undefined,
    idOf: (element: Element) => number,
  ): { refused?: RefusedField[] } {
    if (milliseconds === undefined) return {};
    const now = performance.now();
    const found = new Map<Element, RefusedField>();
    const add = (field: Element, message: string, how: Pick<RefusedField, 'isOwn' | 'age'>): void => {
      if (found.has(field) || !isConnected(field)) return;
      const { name } = describeNow(field);
      found.set(field, { id: idOf(field), name, message: tidy(message), ...how });
    };
    const latest = new Map<Control, number>();
    for (const [reference, at] of this.#refused) {
      const field = reference.deref();
      if (field === undefined || now - at > milliseconds) this.#refused.delete(reference);
      else if (!field.validity.valid) latest.set(field, now - at);
    }
    for (const [field, age] of latest) add(field, field.validationMessage, { isOwn: true, age });
    const form = formOf(deepActiveElement()) ?? formOf(acted ?? null);
    for (const field of marked(acted)) add(field, messageOf(field), { isOwn: form !== null && formOf(field) === form });
    return found.size === 0 ? {} : { refused: [...found.values()].slice(0, MOST_FIELDS) };
  }

  #note = ({ target, isTrusted }: Event): void => {
    const isControl =
      target instanceof HTMLInputElement ||
      target instanceof HTMLSelectElement ||
      target instanceof HTMLTextAreaElement;
    if (isTrusted && isControl && this.#refused.size < MOST_KNOWN)
      this.#refused.set(new WeakRef(target), performance.now());
  };
}

/** Fields that the page marks as refused (WAI-ARIA 1.2, aria-invalid), in the tree of what was acted on. */
function marked(acted: Element | undefined): Element[] {
  const scope = acted?.getRootNode();
  const root = scope instanceof ShadowRoot ? scope : document;
  return [...root.querySelectorAll(INVALID)].filter(field => checkVisibility(field, { visibilityProperty: true }));
}

function formOf(element: Element | null): Element | null {
  if (element === null) return null;
  return (element as Partial<HTMLInputElement>).form ?? closest(element, 'form');
}

/** WAI-ARIA 1.2: aria-errormessage says what is wrong; many pages have it in the description. */
function messageOf(field: Element): string {
  const said = textOf(field, 'aria-errormessage') || textOf(field, 'aria-describedby');
  return said || (field as Partial<Control>).validationMessage || '';
}

function textOf(field: Element, attribute: string): string {
  const scope = field.getRootNode() as Document | ShadowRoot;
  const ids = (getAttribute(field, attribute) ?? '').split(/\s+/).filter(Boolean);
  const shown = ids.flatMap(id => scope.getElementById(id) ?? []).filter(element => checkVisibility(element));
  return shown.map(element => tidy(textContent(element) ?? '')).join(' ');
}

function tidy(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, MESSAGE_LENGTH);
}

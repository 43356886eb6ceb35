/**
 * What a careful person would call interactive and visible on a page, decided without any stack's code: by markup, computed
 * style, geometry and hit testing. Runs in the page as one expression (see `load-oracle.ts`), so it imports nothing.
 *
 * target   a ref is owed; `aliases` are elements that do the same when clicked (an invisible radio and its label)
 * neutral  a ref is neither owed nor wrong: disabled, hidden from assistive technology, seen on hover only, scrolled or
 *          clipped away, covered, or a second handle of a target
 * anything not listed: a ref is wrong
 */
export interface Judgement {
  key: string;
  verdict: 'target' | 'neutral';
  what: string;
  aliases: string[];
}

type Strength = 'native' | 'role' | 'focusable' | 'pointer' | 'none';

const interactiveRoles = new Set(
  `button checkbox combobox link listbox menuitem menuitemcheckbox menuitemradio option radio scrollbar searchbox slider spinbutton
  switch tab textbox treeitem`.split(/\s+/),
);
const formControls = 'button,input:not([type=hidden]),select,textarea';
const native = `a[href],area[href],${formControls},summary,audio[controls],video[controls]`;

export function judgePage(pathKey: (element: Element) => string): Judgement[] {
  const elements = everyElement(document);
  const strengths = new Map(elements.map(element => [element, strengthOf(element)]));
  const judgements = elements.flatMap(element => {
    const strength = strengths.get(element) ?? 'none';
    const verdict = verdictOn(element, strength, strengths);
    const aliases = verdict === 'target' ? aliasesOf(element) : [];
    return verdict
      ? [{ key: pathKey(element), verdict, what: describe(element, strength), aliases: aliases.map(pathKey) }]
      : [];
  });
  scrollTo(0, 0);
  return judgements;
}

function everyElement(root: Document | ShadowRoot): Element[] {
  return [...root.querySelectorAll('*')].flatMap(element => [
    element,
    ...(element.shadowRoot ? everyElement(element.shadowRoot) : []),
  ]);
}

/** The parent as it is laid out: a slotted element's slot, a shadow root's host. */
function flatParent(element: Element): Element | null {
  if (element.assignedSlot) return element.assignedSlot;
  const parent = element.parentNode;
  return parent instanceof ShadowRoot ? parent.host : parent instanceof Element ? parent : null;
}

function ancestors(element: Element): Element[] {
  const found: Element[] = [];
  for (let at = flatParent(element); at; at = flatParent(at)) found.push(at);
  return found;
}

function strengthOf(element: Element): Strength {
  if (element.matches(native) && !(element.matches('summary') && element.parentElement?.tagName !== 'DETAILS'))
    return 'native';
  const role = element.getAttribute('role')?.trim().split(/\s+/)[0] ?? '';
  if (interactiveRoles.has(role)) return 'role';
  const editable =
    element instanceof HTMLElement && element.isContentEditable && !element.parentElement?.isContentEditable;
  if (editable || Number(element.getAttribute('tabindex') ?? -1) >= 0) return 'focusable';
  if (element.hasAttribute('onclick')) return 'pointer';
  const pointer = getComputedStyle(element).cursor === 'pointer';
  const parent = flatParent(element);
  return pointer && !(parent && getComputedStyle(parent).cursor === 'pointer') ? 'pointer' : 'none';
}

function verdictOn(
  element: Element,
  strength: Strength,
  strengths: Map<Element, Strength>,
): Judgement['verdict'] | undefined {
  if (strength === 'none') return element.matches('iframe,label,option') ? 'neutral' : undefined;
  if (!isRendered(element)) return labelInstead(element) ? 'neutral' : undefined;
  if (element.matches('label,iframe,option')) return labelOfHidden(element) ? 'target' : 'neutral';
  const above = ancestors(element);
  if (isUnavailable(element, above) || isSecondHandle(strength, above, strengths)) return 'neutral';
  const styledControl = element.matches('input') && opacity(element, above) < 0.05;
  if (opacity(element, above) < 0.05 && !styledControl) return 'neutral';
  const boxes = visibleBoxes(element);
  if (boxes.length === 0) return 'neutral';
  return isHit(element, strength, strengths) ? 'target' : behindModal(element) ? undefined : 'neutral';
}

function isRendered(element: Element): boolean {
  return element.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true });
}

function isUnavailable(element: Element, above: readonly Element[]): boolean {
  if (element.matches(':disabled')) return true;
  return [element, ...above].some(at => at.matches('[inert],[aria-hidden=true],[aria-disabled=true]'));
}

/** Inside a native control, a pointer or a focus stop is the control's own; a pointer area around one link is that link's. */
function isSecondHandle(strength: Strength, above: readonly Element[], strengths: Map<Element, Strength>): boolean {
  if (strength === 'native') return false;
  const holder = above.find(at => ['native', 'role'].includes(strengths.get(at) ?? 'none'));
  if (!holder) return false;
  return strength === 'pointer' || holder.matches('button,a[href],summary');
}

function opacity(element: Element, above: readonly Element[]): number {
  return [element, ...above].reduce((product, at) => product * Number(getComputedStyle(at).opacity), 1);
}

function controlOf(label: Element): HTMLElement | null {
  return label instanceof HTMLLabelElement ? label.control : null;
}

/** A control that is not drawn, but whose label is: the label is what a person clicks. */
function labelInstead(element: Element): boolean {
  return element instanceof HTMLInputElement && [...(element.labels ?? [])].some(isRendered);
}

function labelOfHidden(element: Element): boolean {
  const control = controlOf(element);
  return control !== null && !isRendered(control) && visibleBoxes(element).length > 0;
}

function aliasesOf(element: Element): Element[] {
  const control = controlOf(element);
  if (control) return [control];
  return element instanceof HTMLInputElement && element.matches('[type=checkbox],[type=radio],[type=file]')
    ? [...(element.labels ?? [])]
    : [];
}

/** Boxes of the element, or of what it holds when it has none itself, that no clipping ancestor cuts away. */
function visibleBoxes(element: Element): DOMRect[] {
  const own = [...element.getClientRects()].filter(isLarge);
  const boxes =
    own.length > 0
      ? own
      : [...element.querySelectorAll('*')].flatMap(child => [...child.getClientRects()]).filter(isLarge);
  const clips = ancestors(element).filter(
    at => at !== document.body && at !== document.documentElement && clipsContent(at),
  );
  return boxes.filter(
    box =>
      box.right + scrollX > 0 &&
      box.bottom + scrollY > 0 &&
      clips.every(clip => overlaps(box, clip.getBoundingClientRect())),
  );
}

const isLarge = (box: DOMRect) => box.width > 1 && box.height > 1;

function clipsContent(element: Element): boolean {
  const style = getComputedStyle(element);
  return ['hidden', 'clip'].includes(style.overflowX) || ['hidden', 'clip'].includes(style.overflowY);
}

function overlaps(a: DOMRect, b: DOMRect): boolean {
  return a.left < b.right - 1 && a.right > b.left + 1 && a.top < b.bottom - 1 && a.bottom > b.top + 1;
}

/** Scrolled into view, does a click at one of nine points of a box reach the element rather than something over it? */
function isHit(element: Element, strength: Strength, strengths: Map<Element, Strength>): boolean {
  element.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
  const shares = [0.5, 0.1, 0.9];
  return visibleBoxes(element).some(box =>
    shares.some(down =>
      shares.some(across =>
        reaches(element, strength, strengths, box.x + box.width * across, box.y + box.height * down),
      ),
    ),
  );
}

function reaches(
  element: Element,
  strength: Strength,
  strengths: Map<Element, Strength>,
  x: number,
  y: number,
): boolean {
  const hit = deepestAt(x, y);
  if (!hit) return false;
  const path = [hit, ...ancestors(hit)];
  if (!path.includes(element)) return aliasesOf(element).some(alias => path.includes(alias));
  if (strength !== 'pointer') return true;
  // A bare pointer area counts only where a click is not taken by a control inside it.
  const taker = path.find(
    at => ['native', 'role', 'focusable'].includes(strengths.get(at) ?? 'none') || at === element,
  );
  return taker === element;
}

function deepestAt(x: number, y: number): Element | null {
  let hit = document.elementFromPoint(x, y);
  while (hit?.shadowRoot) {
    const inner = hit.shadowRoot.elementFromPoint(x, y);
    if (!inner || inner === hit) break;
    hit = inner;
  }
  return hit;
}

function behindModal(element: Element): boolean {
  const modal = [...document.querySelectorAll('dialog:modal,[aria-modal=true]')].find(isRendered);
  return modal !== undefined && !modal.contains(element);
}

function describe(element: Element, strength: Strength): string {
  const label = element.getAttribute('aria-label') ?? element.textContent ?? '';
  return `${strength} <${element.tagName.toLowerCase()}> ${label.trim().slice(0, 40)}`;
}

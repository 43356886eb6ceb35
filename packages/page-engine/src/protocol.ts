import type { Edges, Point } from './dom/geometry.js';

export interface ElementNow {
  role: string;
  name: string;
  row: string;
  /** The row text stands beside the element, not around it. */
  isBeside?: true;
  fingerprint: number;
}

/** What identifies an element in another run of its page. */
export interface IdentityNow extends Pick<ElementNow, 'role' | 'name' | 'row'> {
  /** The selector path from the body. */
  path: string;
  /** It masks its value. */
  masked?: true;
}

export interface FileField {
  /** The `accept` attribute: extensions and MIME types, separated by commas. */
  accept: string;
  multiple: boolean;
  folder: boolean;
  disabled: boolean;
  /** Sizes in bytes. */
  files: { name: string; size: number; type: string }[];
}

/**
 * Whether text can be typed into a field now. `held`: it already had the focus, so no focus handler ran. `whole`: its
 * value is set at once. `unseen`: only once it is visible. A sink has the focus.
 */
export type EntryAnswer = 'ready' | 'held' | InputSink | 'whole' | 'unseen';

/**
 * What seems to take the input of a field and to show it elsewhere. `editor`: keys have to select the text that it shows.
 * `blank`: it shows no text. `console`: it runs what is typed, so each key is input.
 */
export type InputSink = 'editor' | 'blank' | 'console';

export type FocusHolder = Pick<ElementNow, 'role' | 'name'>;

/** Where the keyboard focus is, relative to a field. */
export interface FocusAnswer {
  /** `near`: inside what the field has opened, or in another text field of the same form. */
  is: 'here' | 'near' | 'elsewhere';
  /** The focused element; left out when the focus is in an outer document, or nowhere. */
  holder?: FocusHolder;
}

export interface PingAnswer {
  doc: string;
  title: string;
}

/** A field whose value the page or the browser rejects. */
export interface RefusedField {
  id: number;
  name: string;
  message: string;
  /** It belongs to the form acted on, or the browser has just refused it; otherwise the refusal may be older. */
  isOwn: boolean;
  /** Milliseconds since the browser refused it; left out where the page reports the error. */
  age?: number;
}

/** What keeps the mouse from an element. */
export type Obstacle =
  | ({ is: 'covered' } & CoverAnswer)
  /** Its edges now. */
  | { is: 'moving'; box: Edges }
  /** Nothing of it is shown; no scrolling brings it into view; it lets the mouse through (`pointer-events: none`). */
  | { is: 'hidden' | 'out of view' | 'unpressable' };

/** Where the mouse reaches an element, or why it does not. */
export type AimAnswer =
  /** In CSS pixels from the corner of the visual viewport of its document, and its edges in the layout viewport. */
  | { is: 'free'; at: Point; box: Edges }
  /** A press at any point of the element would hit this one. */
  | { is: 'full'; id: number; what: string }
  | Obstacle;

export interface CoverAnswer {
  /** Its description. */
  by: string;
  /** Id of the element to press to dismiss it. */
  wayOutId?: number;
  /** It will probably disappear by itself. */
  isPassing?: true;
}

/** A point of a frame's document in the visual viewport of the document around it, in CSS pixels. */
export interface OuterPointAnswer extends Point {
  /** What lies over the frame there, and the document that it belongs to. */
  cover?: CoverAnswer & { doc: string };
  /** The point cannot be scrolled into view. */
  isOutOfView?: true;
  /** It was scrolled into view: the mouse hits it only after the next rendered frame. */
  wasScrolled: boolean;
}

/** An element that holds a match, and the middle of the match in the viewport of its document, in CSS pixels. */
export interface PlaceAnswer {
  id: number;
  now: ElementNow;
  where: ScrollPlace;
  x: number;
  y: number;
  corner: [left: number, top: number];
  /** It is a part of the node that was asked about. */
  isPart?: true;
}

export type ScrollPlace = 'in view' | 'above' | 'below';

/** Boxes of elements in the visual viewport; null for what is not visible. */
export interface BoxesAnswer {
  /** In CSS pixels from the corner of the visual viewport. */
  boxes: ([left: number, top: number, width: number, height: number] | null)[];
  /** Offset of the visual viewport in the document. */
  scroll: [x: number, y: number];
  /** Sizes in CSS pixels; `viewport` is the visual viewport. */
  document: [width: number, height: number];
  viewport: [width: number, height: number];
  /** Zoom factor of the visual viewport. */
  scale: number;
  pixelRatio: number;
}

/** Where the page was scrolled when the latest action pressed it. */
export interface PressedAt {
  /** Number of the press in its document. */
  turn: number;
  /** Scroll offset in CSS pixels. */
  top: number;
}

/** Visible effects of the latest press beside the elements of a document. */
export interface VisualReport {
  turn: number;
  /** Names of elements that slid into view, and out of it. */
  slid?: { into: string[]; out: string[] };
  /** Names of canvases whose picture changed. */
  drawn?: string[];
}

export interface SelectionNow {
  text: string;
  /** Words for the style at its start. */
  style: string[];
}

/** An element whose style changed through an attribute that the page set. */
export interface StyleChange {
  id: number;
  tag: string;
  /** Such as `class +open`. */
  how: string;
  /** Number of the action in its document since which the element has this style. */
  turn: number;
  /** Words for the style of the text acted on: what it gained, and what it lost. */
  gained?: string[];
  lost?: string[];
}

/** Bits of {@link RawNode}'s flags. */
export const Flag = {
  Interactive: 1 << 0,
  Disabled: 1 << 1,
  Checked: 1 << 2,
  Mixed: 1 << 3,
  Required: 1 << 4,
  ReadOnly: 1 << 5,
  Expanded: 1 << 6,
  Collapsed: 1 << 7,
  Selected: 1 << 8,
  Pressed: 1 << 9,
  Invalid: 1 << 10,
  Focused: 1 << 11,
  Current: 1 << 12,
  HiddenText: 1 << 13,
  Modal: 1 << 14,
  /** The name is the text inside the element, so that text is not listed again below it. */
  NamedByContent: 1 << 15,
  /** The row text stands beside it, maybe in another row. */
  RowBeside: 1 << 16,
  /** The author named it by an ARIA attribute. */
  Labelled: 1 << 17,
  /** It has a tooltip (`title`), which names it when nothing else does. */
  Titled: 1 << 18,
  SortedAscending: 1 << 19,
  SortedDescending: 1 << 20,
  Multiselectable: 1 << 21,
  /** A field offers it as a suggestion, to be typed or chosen. */
  Offered: 1 << 22,
  /** Hidden from assistive technology, but a person sees it and can press it. */
  AriaHidden: 1 << 23,
  /** Keys have reached it from a text field, which chooses it with Enter. */
  Highlighted: 1 << 24,
} as const;

/** Stands for any fingerprint in a {@link Target}. */
export const ANY_FINGERPRINT = 0;
/** The fingerprint of a node that is not interactive, and of a neighbour that does not exist. */
export const NO_FINGERPRINT = 0;
/** The distance of a container, which follows from its children. */
export const UNMEASURED = -1;

/** Stands for a password without revealing its length. */
export const MASK = '••••••••';

export interface RawProps {
  /** Value of a form control, masked for a password. */
  value?: string;
  level?: number;
  /** Tag name in lower case, for interactive nodes. */
  tag?: string;
  /** The `id` attribute, for interactive nodes. */
  domId?: string;
  /** The element is an editing host (contenteditable). */
  editable?: true;
  /** The element takes neither clicks nor typed text. */
  kind?: 'select' | 'file';
  /** The field takes a password or a code. */
  isSecret?: true;
  /** A hint that identifies a control without a name. */
  hint?: string;
  /** Visible text of a control that its name does not contain. */
  text?: string;
  /** The format that a text field requires, if any. */
  takes?: string;
  /** The browser's default action for a press. */
  does?: DefaultAction;
  /** The kind of popup that it opens, where its role does not imply it. */
  popup?: 'menu' | 'listbox' | 'tree' | 'grid' | 'dialog';
  /** Id of the element that it has opened. */
  opened?: number;
  /** The name with marks, where some of it is raised (`10^6`) or deleted (`~~$29~~`). */
  shown?: string;
  /** Labels of the options of a list box or a closed drop-down; only their number where they are many or long. */
  options?: string[] | number;
}

/**
 * One element or text run of the page in document order: depth, id within its document, role, name, {@link Flag} bits,
 * distance from the viewport in CSS pixels (0: inside) or {@link UNMEASURED}, fingerprint or {@link NO_FINGERPRINT},
 * index into {@link RawCapture.rows} (0: in no row), props.
 */
export type RawNode = [
  depth: number,
  id: number,
  role: string,
  name: string,
  flags: number,
  distance: number,
  fingerprint: number,
  row: number,
  props?: RawProps,
];

export interface RawCapture {
  /** Identifies this document; another document has another value, even at the same URL. */
  doc: string;
  /** The highest id assigned so far in this document. */
  lastId: number;
  title: string;
  url: string;
  nodes: RawNode[];
  /** Texts of list items, table rows and cards; index 0 is the empty text of "no row". */
  rows: string[];
  /** Vertical scroll: offset, length of the document and height of the viewport, in CSS pixels. */
  scroll: [top: number, length: number, viewport: number];
  modal: boolean;
  /** Elements visited, emitted or not. */
  elementCount: number;
  /** Elements that may have a closed shadow root that has not been inspected yet. */
  suspects: number;
  /** Custom elements that may have semantics by ElementInternals. */
  internals: number;
  /** Shadow roots that walks have reached so far. */
  shadowRoots: number;
  /** The walk stopped at its limit of nodes. */
  cut?: true;
}

/** What a document has printed and downloaded since the last report. */
export interface OutputReport {
  printed?: true;
  /** Requested downloads, each as milliseconds since its request. */
  downloads?: number[];
}

/**
 * The kinds of events that a node listens for, as bits. `InputWithin`: input events of a field inside it. Keydown does
 * not count: most pages listen for it everywhere because of shortcuts. `Hovers`: the mouse coming over it.
 */
export const Hears = { Presses: 1, Input: 2, InputWithin: 4, Hovers: 8 } as const;

export interface EffectsAnswer extends OutputReport {
  /** Fields that were refused since the requested time. */
  refused?: RefusedField[];
  selection?: SelectionNow;
  styleChanges?: StyleChange[];
  pressed?: PressedAt;
  visualEffects?: VisualReport;
}

export interface CaptureAnswer extends EffectsAnswer {
  /** Identifies this state of the document; passed back as `seen`, it saves sending the same capture twice. */
  number: number;
  /** Left out when it equals the one that was `seen`. */
  capture?: RawCapture;
  /** As in {@link GuardReport}. */
  blocked?: ElementChange;
  missed?: Missed;
  /** Facts of the element last handed out for a purpose, while it exists. */
  acted?: ElementFacts;
  /** Milliseconds until entrance and exit animations end. */
  fading?: number;
  /** The number of visible signs that something is being loaded. */
  loading?: number;
}

/** The middle of a dragged element in the viewport of its document, in CSS pixels. */
export interface DropPlaceAnswer {
  x: number;
  y: number;
  /** Relative to what it was dropped on; before and after it among the same siblings. */
  place?: 'inside' | 'before' | 'after' | 'outside';
}

export type ControlKind = 'text' | 'select' | 'file' | 'toggle' | 'other';

/** What the browser does by itself for a click. */
export type DefaultAction = 'submit' | 'download' | 'upload';

/** The coming action on an element; the engine refuses an element that cannot take it. */
export type Purpose =
  /** `mayDo`: the default actions that the press may have; left out where all may be. */
  | { to: 'click'; mayDo?: readonly DefaultAction[] }
  | { to: 'focus' }
  /**
   * `numeric`: the text is a number. `isEmpty`: there is no text. `append`: the caret goes to the end of the field's
   * content; with `unfocused` only if the field does not have the focus.
   */
  | { to: 'type'; numeric: boolean; isEmpty?: boolean; append?: boolean | 'unfocused' }
  | ({ to: 'select' } & WantedOptions)
  | { to: 'upload' };

export type TypePurpose = Extract<Purpose, { to: 'type' }>;

export interface WantedOptions {
  values?: string[];
  labels?: string[];
  indexes?: number[];
}

interface NumberLimits {
  min?: string;
  max?: string;
  step?: string;
  now?: string;
}

/** The facts of an element that an action needs before it acts. */
export interface ElementFacts extends ElementNow {
  /** The page may react to input into it: by a listener of its own or its markup, or by one around it. */
  heedsInput?: 'itself' | 'around';
  /** The page reacts to the mouse over it, by a listener of its own or of a part of the page around it. */
  heedsHover?: true;
  /** Its markup announces that an action on it opens or fills something, such as a list of suggestions. */
  announces?: true;
  /** It is named as what closes the dialog around it. */
  closes?: true;
  kind: ControlKind;
  tag: string;
  inputType: string;
  disabled: boolean;
  readOnly: boolean;
  multiple: boolean;
  checked: boolean;
  options: { value: string; label: string; selected: boolean; disabled: boolean }[];
  value: string;
  /** Limits and value of a numeric control, as written in the markup. */
  limits?: NumberLimits;
  /** The value is a secret; `value` holds a mask. */
  masked: boolean;
  /** It holds only parts of the secrets that were put into it. */
  holdsPart?: true;
  sink?: InputSink;
  /** Text typed for it that went into other fields, to which the page moved the focus. */
  elsewhere?: string;
  hasPopup: boolean;
  /** Ids of the options that the element controls (`aria-controls`, `aria-owns`); left out where not needed. */
  offers?: number[];
  fileField?: FileField;
  /** Centre of the element's box in the viewport of its document, in CSS pixels. */
  x: number;
  y: number;
}

/** A point of the visual viewport, in CSS pixels. */
export interface PressedPoint {
  x: number;
  y: number;
  guards?: 'inside' | 'here';
  mayDo?: readonly DefaultAction[];
}

export interface ElementAt extends ElementFacts, Pick<RawProps, 'domId' | 'does'> {
  doc: string;
  id: number;
  /** For a frame: the point in the viewport of its document. */
  inner?: { x: number; y: number };
}

/** Identifies an element, and states what must still be true of it. */
export interface Target {
  doc: string;
  id: number;
  /** Expected fingerprint, or {@link ANY_FINGERPRINT}. */
  fingerprint: number;
  /** The highest id assigned when the agent was given this ref: a replacement must be newer. */
  lastId: number;
}

/** A target that accepts any description of the element. */
export function anyElement(doc: string, id: number): Target {
  return { doc, id, fingerprint: ANY_FINGERPRINT, lastId: 0 };
}

/** The new description of an element that an action was kept from. */
export interface ElementChange extends ElementNow {
  /** Part of the action had reached the page: a press without its click, a part of a text. */
  begun?: true;
}

/** A press, or keys, that did not reach the element: they were kept from the page, or never arrived. */
export interface Missed {
  /** The element that would have taken the press; the id belongs to the document that was to be pressed. */
  by?: { id?: number; what: string };
  /** Part of it had reached the element: a press without its click, or the first click of two. */
  begun?: true;
  /** The document received no event: something else under the mouse took the press, such as another document. */
  elsewhere?: true;
  /** The focus was elsewhere when the text was typed. */
  unfocused?: { holder?: FocusHolder };
  /** It got no click: it moved during the press, was removed and reinserted, or was disabled when the mouse arrived. */
  unclicked?: 'moved' | 'replaced' | 'disabled';
  /** What the press was about to do, and may not. */
  does?: DefaultAction;
}

export interface GuardReport {
  blocked?: ElementChange;
  missed?: Missed;
  /** The press has reached the element, whatever happened to its release. */
  landed?: true;
  /** Another document is about to replace this one. */
  leaving?: true;
  /** The element last handed out for a purpose, while it exists. */
  acted?: ElementFacts;
}

/** An element with the same description as one that is gone. */
interface Candidate {
  id: number;
  now: ElementNow;
}

/** Why the engine does not hand out an element. Thrown inside the page. */
export type EngineRefusal =
  | { code: 'stale'; replacement?: Candidate; candidates: Candidate[] }
  /** `went`: its description is the same, but the document went to another URL without a load. */
  | { code: 'changed'; now: ElementChange; went?: { from: string; to: string } }
  /** An event for the element was kept from the page, because another element would have taken it. */
  | { code: 'missed'; missed: Missed }
  | { code: 'disabled' }
  | { code: 'hidden' }
  /** The page moves the focus on as soon as the element has it. */
  | { code: 'unfocused'; holder?: FocusHolder }
  /** The element takes something other than what the action provides. */
  | { code: 'unfit'; purpose: Purpose; facts: ElementFacts };

export interface ReadAnswer {
  doc: string;
  url: string;
  title: string;
  /** Plain markup without scripts, styles, handlers and hidden parts; an `iframe` with its id stands for each frame. */
  html: string;
  frames: number[];
  /** The address of the PDF that is shown instead of markup. */
  pdf?: string;
  /** The document was longer than the limit. */
  cut?: true;
}

/** The text that a copy puts on the clipboard. */
export interface CopyAnswer {
  text: string;
  /** It is a secret, and is left out. */
  masked?: true;
}

export interface FocusedFrame {
  /** The frame element that has the focus: input goes to its document. */
  frame?: { doc: string; id: number };
}

export interface PasteAnswer extends FocusedFrame {
  /** A handler of the page took the text: nothing is to be inserted. */
  taken: boolean;
  oneLine: boolean;
  /** Nothing that takes text has the focus; `holder` has it, if anything does. */
  nowhere?: { holder?: { role: string; name: string } };
}

export interface ClipboardKeysAnswer {
  /** The page handles the keys itself, or another document has replaced it. */
  areTaken?: true;
  copied?: CopyAnswer;
  pasted?: PasteAnswer;
}

export interface SecretText {
  name: string;
  value: string;
}

/** What is left of a secret that was edited by hand. */
export interface SecretPiece {
  name: string;
  text: string;
}

/** Where a document shows secrets. */
export interface OccurrencesAnswer {
  doc: string;
  /** How often a visible secret has vanished since the search began. */
  vanished: number;
  /** In the viewport of the document, in CSS pixels. `pinned`: does not scroll with the document. */
  boxes: { key: string; box: [left: number, top: number, width: number, height: number]; pinned?: true }[];
  /** Box of the root element. */
  root: [left: number, top: number, width: number, height: number];
  /** Offset and scale of the visual viewport, for the page's own document (CSSOM View, VisualViewport). */
  visualViewport: [left: number, top: number, scale: number];
}

/** Requests the element itself, for Playwright to act on. */
export interface ElementRequest {
  target: Target;
  purpose?: Purpose;
}

/** The present state of an element. */
export interface ElementNow {
  role: string;
  name: string;
  row: string;
  /** The text of the row stands before the element, not around it. */
  isBeside?: true;
  fingerprint: number;
}

/** The types that a file input takes, and the files that it holds. */
export interface FileField {
  /** The attribute of that name: extensions and types, divided by commas. */
  accept: string;
  multiple: boolean;
  /** It takes a folder. */
  folder: boolean;
  disabled: boolean;
  /** Sizes in bytes. */
  files: { name: string; size: number; type: string }[];
}

/**
 * Whether a field of text can be typed into now. `held`: it had the focus already, so that no handler of the page heard of
 * it. `whole`: its value is set as a whole. `unseen`: not before it shows. `sink`: keys have to select what its page shows
 * elsewhere.
 */
export type EntryAnswer = 'ready' | 'held' | 'sink' | 'whole' | 'unseen';

export type FocusHolder = Pick<ElementNow, 'role' | 'name'>;

/** Where the keyboard focus is, seen from a field. */
export interface FocusAnswer {
  /** `near`: in what the field has opened, or in another text field of the same form. */
  is: 'here' | 'near' | 'elsewhere';
  /** The element with the focus, unless it is in a document around this one, or nowhere. */
  holder?: FocusHolder;
}

/** A sign of life. */
export interface PingAnswer {
  doc: string;
  title: string;
}

/** A field that the page, or the browser, does not take as it is. */
export interface RefusedField {
  id: number;
  name: string;
  message: string;
  /** It belongs to the form of what was acted on, or the browser has just refused it; else it may have been so before. */
  isOwn: boolean;
  /** Milliseconds since the browser refused it; left out where the page says so. */
  age?: number;
}

/** Where to press an element; nothing of it when it cannot be pressed as it is, or nobody knows yet. In CSS pixels. */
export interface AimAnswer {
  /** In the viewport of its document. */
  point?: { x: number; y: number };
  /** The same from the corner of the element's padding box; left out when it is the middle. */
  position?: { x: number; y: number };
  /** A press at any point of the element would go to this one. */
  inner?: { id: number; what: string };
}

/** How to press an area of an image: the image, and the point from its padding edge in CSS pixels. */
export interface AreaAnswer {
  image: number;
  position: { x: number; y: number };
}

/** An element that holds what was asked for, and where the middle of that stands in the viewport of its document, in CSS pixels. */
export interface PlaceAnswer {
  id: number;
  now: ElementNow;
  where: ScrollPlace;
  x: number;
  y: number;
  /** Left and top edge of the element. */
  corner: [left: number, top: number];
}

/** How a person would have to scroll to see it. */
export type ScrollPlace = 'in view' | 'above' | 'below';

/** Boxes in the viewport of their document: left and top edge, width and height; null for what is not in sight. */
export interface BoxesAnswer {
  /** In CSS pixels from the corner of what is in sight. */
  boxes: ([left: number, top: number, width: number, height: number] | null)[];
  /** Where what is in sight begins in the document. */
  scroll: [x: number, y: number];
  /** Sizes in CSS pixels; the viewport is what is in sight. */
  document: [width: number, height: number];
  viewport: [width: number, height: number];
  /** How often what is in sight is enlarged. */
  scale: number;
  /** Device pixels in a CSS pixel. */
  pixelRatio: number;
}

/** Where a page stood when the latest action pressed it. */
export interface PressedAt {
  /** Counts the presses of the document. */
  turn: number;
  /** Pixels scrolled. */
  top: number;
}

/** What a person has seen of the latest press beside the elements of a document. */
export interface PressSights {
  /** Counts the presses of the document. */
  turn: number;
  /** Names of what slid into view, and of what slid out of it. */
  slid?: { into: string[]; out: string[] };
  /** Names of canvases that show another picture. */
  drawn?: string[];
}

/** The selection of a document. */
export interface SelectionNow {
  text: string;
  /** How its beginning looks, in words. */
  look: string[];
}

/** An element that looks other than before, by an attribute that the page has changed. */
export interface LookChange {
  id: number;
  tag: string;
  /** Such as `class +open`. */
  how: string;
  /** Counts the actions on elements of the document: what it looks like since which one. */
  turn: number;
  /** Words for the look of the text that was acted on, which it has now, and which it had. */
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
  /** The element's name is the text inside it, so that text is not listed again below it. */
  NamedByContent: 1 << 15,
  /** The text of its row stands before it, maybe in another row. */
  RowBeside: 1 << 16,
  /** Its author named it by an ARIA attribute. */
  Labelled: 1 << 17,
  /** It has a tooltip, which names what nothing else does. */
  Titled: 1 << 18,
  SortedAscending: 1 << 19,
  SortedDescending: 1 << 20,
  /** Several of its options can be chosen. */
  Multiselectable: 1 << 21,
  /** A field offers what it says, to be typed or chosen. */
  Offered: 1 << 22,
} as const;

/** Props that only few nodes have. */
export interface RawProps {
  /** Value of a form control, masked where it is a password. */
  value?: string;
  /** Heading or tree level. */
  level?: number;
  /** Tag name in lower case, for interactive nodes. */
  tag?: string;
  /** The id attribute, for interactive nodes. */
  domId?: string;
  /** The element is an editing host (contenteditable). */
  editable?: true;
  /** The element takes neither clicks nor text. */
  kind?: 'select' | 'file';
  /** A hint that tells a control without a name. */
  hint?: string;
  /** The visible text of a control that its name does not say. */
  text?: string;
  /** The format of a text field, where it does not take any text. */
  takes?: string;
  /** The browser's own action for a press. */
  does?: 'submit' | 'download';
  /** The kind of popup that it opens, where its role does not say so. */
  popup?: 'menu' | 'listbox' | 'tree' | 'grid' | 'dialog';
  /** Id of what has opened from it. */
  opened?: number;
  /** Labels of the options of a short list box. */
  options?: string[];
}

/**
 * One element or text run of the page in document order:
 * depth, id within its document, role, name, {@link Flag} bits, distance from the viewport in CSS pixels (0: inside, -1: where its content is),
 * fingerprint (0 for what is not interactive), index into {@link RawCapture.rows} (0: in no row), props.
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

/** One document as the walk saw it. */
export interface RawCapture {
  /** Names this document; another document, even at the same url, has another. */
  doc: string;
  /** The highest id given out so far in this document. */
  lastId: number;
  title: string;
  url: string;
  nodes: RawNode[];
  /** Texts of list items, table rows and cards; index 0 is the empty text of "no row". */
  rows: string[];
  /** Vertical scroll: offset, length of the document and height of the viewport, in CSS pixels. */
  scroll: [top: number, length: number, viewport: number];
  /** Whether a modal dialog hides the rest of the page. */
  modal: boolean;
  /** Elements seen, emitted or not. */
  elementCount: number;
  /** Elements that may have a closed shadow root that nobody has looked into yet. */
  suspects: number;
  /** Shadow roots that walks have come to so far. */
  shadowRoots: number;
  /** Set when the walk stopped at its limit of nodes. */
  cut?: true;
}

/** The messages of a document since the last answer that told of them. */
export interface OutputReport {
  /** It was printed. */
  printed?: true;
  /** Downloads that it asked for, by how long ago, in milliseconds. */
  downloads?: number[];
}

/**
 * The kinds of events that a node listens for, as bits. `InputWithin` is input that tells of a field inside of it. A key
 * that goes down does not: most pages listen for it everywhere, because of shortcuts.
 */
export const Hears = { Presses: 1, Input: 2, InputWithin: 4 } as const;

/** Answer to `capture`. */
export interface CaptureAnswer extends OutputReport {
  /** Names this state of the document; given back as `seen`, it saves sending the same capture twice. */
  number: number;
  /** Left out when it is, to the letter, the one that was `seen`. */
  capture?: RawCapture;
  /** As in {@link GuardReport}. */
  blocked?: ElementChange;
  missed?: Missed;
  /** Fields that were refused since the moment that was asked for. */
  refused?: RefusedField[];
  /** Facts of the element that was last handed out for a purpose, while it is still there. */
  acted?: ElementFacts;
  selection?: SelectionNow;
  /** Changes of look since the latest action. */
  looks?: LookChange[];
  pressed?: PressedAt;
  sights?: PressSights;
  /** Milliseconds until what comes or goes by an animation has done so. */
  fading?: number;
}

/** Why an element cannot take an action. */
export interface Probe {
  connected: boolean;
  visible: boolean;
  disabled: boolean;
  /** Left and top edge, width and height in the viewport of its document, in CSS pixels. */
  box?: [left: number, top: number, width: number, height: number];
  /** Description of the element that covers the point where a click would land. */
  coveredBy?: string;
  /** Id of the element that a person would press to get past what covers. */
  wayOutId?: number;
  /** The cover looks as if it will go away by itself. */
  passing?: true;
  /** The element lets the mouse through to what is behind it. */
  letsThrough?: true;
  /** A point of the element that nothing covers, from the corner of its padding box in CSS pixels. */
  free?: { x: number; y: number };
}

export type ControlKind = 'text' | 'select' | 'file' | 'toggle' | 'other';

/** The coming action on an element; the engine refuses it where the element cannot take it. */
export type Purpose =
  | { to: 'click' }
  | { to: 'focus' }
  /** `numeric`: the text is a number. `isEmpty`: there is none. `append`: the caret goes behind what the field holds, or does unless it is in the field already. */
  | { to: 'type'; numeric: boolean; isEmpty?: boolean; append?: boolean | 'unfocused' }
  | ({ to: 'select' } & WantedOptions)
  | { to: 'upload' };

export type TypePurpose = Extract<Purpose, { to: 'type' }>;

/** Which options: by value, by label, or by index. */
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

/** The facts of an element that an action needs beforehand. */
export interface ElementFacts extends ElementNow {
  /** The page may do something upon what is put into it. */
  heedsInput?: true;
  kind: ControlKind;
  tag: string;
  inputType: string;
  disabled: boolean;
  readOnly: boolean;
  multiple: boolean;
  /** State of a check box, radio button or switch. */
  checked: boolean;
  options: { value: string; label: string; selected: boolean; disabled: boolean }[];
  value: string;
  /** Of what takes a number: the least and the greatest, what lies between two, and the one that it has, as they are written. */
  limits?: NumberLimits;
  /** The value is a secret and reads as a mask. */
  masked: boolean;
  /** It has only parts of the secrets that were put into it. */
  holdsPart?: true;
  /** It looks as if an editor took what is put into it, and showed it elsewhere. */
  sink?: true;
  /** What was typed for it, and went into other fields, to which the page has moved the focus. */
  elsewhere?: string;
  /** It says that a list or menu opens from it. */
  hasPopup: boolean;
  /** Ids of the options that the element controls (`aria-controls`, `aria-owns`); left out where nobody needs them. */
  offers?: number[];
  /** Of what takes files. */
  fileField?: FileField;
  /** Centre of the element's box in the viewport of its document, in CSS pixels. */
  x: number;
  y: number;
}

/** The element at a point. */
export interface ElementAt extends ElementFacts, Pick<RawProps, 'domId' | 'does'> {
  doc: string;
  id: number;
  /** Of a frame: the point as its document sees it. */
  inner?: { x: number; y: number };
}

/** How to find an element and what must still be true of it. */
export interface Target {
  doc: string;
  id: number;
  /** Expected fingerprint; 0 accepts any. */
  fingerprint: number;
  /** The highest id given out when the agent was told of this ref: a replacement must be newer. */
  lastId: number;
}

/** Names an element that may say anything. */
export function anyElement(doc: string, id: number): Target {
  return { doc, id, fingerprint: 0, lastId: 0 };
}

/** The new state of an element that an action was kept from. */
export interface ElementChange extends ElementNow {
  /** The beginning had reached the page: a press without its click, a part of a text. */
  begun?: true;
}

/** A press, or keys, that did not reach the element. They were kept from the page, or never came. */
export interface Missed {
  /** The element that would have taken the press; the id is one of the document that was to be pressed. */
  by?: { id?: number; what: string };
  /** The beginning had reached the element: a press without its click, or the first click of two. */
  begun?: true;
  /** The document heard nothing of it: whatever was under the mouse has taken it, such as another document. */
  elsewhere?: true;
  /** The typed text found the focus elsewhere. */
  unfocused?: { holder?: FocusHolder };
  /** It got no click: it moved away under the press, was taken out and put back, or was disabled when the mouse came. */
  unclicked?: 'moved' | 'replaced' | 'disabled';
}

/** The outcome of a guarded press, or of keys and text. */
export interface GuardReport {
  blocked?: ElementChange;
  missed?: Missed;
  /** The press has reached the element, whatever came of its release. */
  landed?: true;
  /** Another document is about to take the place of this one. */
  leaving?: true;
  /** The element that was last handed out for a purpose, while it is still there. */
  acted?: ElementFacts;
}

/** An element that says what one that is gone said. */
interface Candidate {
  id: number;
  now: ElementNow;
}

/** Why the engine does not hand out an element. Thrown inside the page. */
export type EngineRefusal =
  | { code: 'stale'; replacement?: Candidate; candidates: Candidate[] }
  /** `went`: it says what it said, but the document has gone to another address without being loaded anew. */
  | { code: 'changed'; now: ElementChange; went?: { from: string; to: string } }
  /** An event for the element was kept from the page, because another element would have taken it. */
  | { code: 'missed'; missed: Missed }
  | { code: 'disabled' }
  | { code: 'hidden' }
  /** It has the focus for no longer than the page takes to give it to another one. */
  | { code: 'unfocused'; holder?: FocusHolder }
  /** The element takes something else than what the action is about to do. */
  | { code: 'unfit'; purpose: Purpose; facts: ElementFacts };

/** A document as a person reads it. */
export interface ReadAnswer {
  doc: string;
  url: string;
  title: string;
  /** Plain markup without scripts, styles, handlers and hidden parts; an `iframe` with its id stands for each frame. */
  html: string;
  frames: number[];
  /** The document is longer than what is worth carrying. */
  cut?: true;
}

/** The text that the page lets somebody copy. */
export interface CopyAnswer {
  text: string;
  /** It is a secret, and is not told. */
  masked?: true;
}

/** Where in a document the focus is. */
export interface FocusedFrame {
  /** In a frame, this element: what goes to the focus is its document's. */
  frame?: { doc: string; id: number };
}

/** The outcome of a paste in the page. */
export interface PasteAnswer extends FocusedFrame {
  /** A handler of the page has taken the text: nothing is to be inserted. */
  taken: boolean;
  /** Where it goes is a field of one line. */
  oneLine: boolean;
  /** Nothing that takes text has the focus: this has it, if anything has. */
  nowhere?: { holder?: { role: string; name: string } };
}

/** The outcome of the keys that copy, cut or paste. */
export interface ClipboardKeysAnswer {
  /** The page takes the keys for something else, or another document stands there now. */
  areTaken?: true;
  copied?: CopyAnswer;
  pasted?: PasteAnswer;
}

/** A secret in a text that is put into a field. */
export interface SecretText {
  name: string;
  value: string;
}

/** Where a document shows secrets. */
export interface SightingsAnswer {
  doc: string;
  /** How often one that was shown went away since somebody looks. */
  vanished: number;
  /** In the viewport of the document, in CSS pixels. `pinned`: does not scroll with the document. */
  boxes: { key: string; box: [left: number, top: number, width: number, height: number]; pinned?: true }[];
  /** Box of the root element. */
  root: [left: number, top: number, width: number, height: number];
  /** Of the page's own document: where what is in sight begins in its viewport, and how often it is enlarged (CSSOM View, VisualViewport). */
  sight: [left: number, top: number, scale: number];
}

/** Resolves to the element itself, for Playwright to act on. */
export interface ElementRequest {
  target: Target;
  /** Lets a press reach nothing else, nor the element once it is another. */
  guard?: true;
  purpose?: Purpose;
}

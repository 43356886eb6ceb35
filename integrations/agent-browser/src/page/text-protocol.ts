import type { Target } from './protocol.js';

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

/** Requests about texts. Those with a target check it. */
export type TextRequest =
  /**
   * Asks for the readable text of the document or the target (`ReadAnswer`), for a copy of it (`CopyAnswer`), or for a
   * paste at the focus (`PasteAnswer`).
   */
  | { do: 'read'; target?: Target }
  | { do: 'copy'; target: Target }
  | { do: 'paste'; text: string }
  /** Looks out for keys that copy, cut or paste, where the focus is; answers with a `FocusedFrame`. */
  | { do: 'awaitKeys' }
  /** Does what such keys mean, unless the page took them for something else; answers with a `ClipboardKeysAnswer`. */
  | { do: 'clipboardKeys'; deed: 'copy' | 'cut' }
  | { do: 'clipboardKeys'; deed: 'paste'; text: string };

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

/** What the page lets somebody copy. */
export interface CopyAnswer {
  text: string;
  /** It is a secret, and is not told. */
  masked?: true;
}

/** What the page made of a paste. */
export interface PasteAnswer {
  /** A handler of the page has taken the text: nothing is to be inserted. */
  taken: boolean;
  /** Where it goes is a field of one line. */
  oneLine: boolean;
  /** Nothing that takes text has the focus: this has it, if anything has. */
  nowhere?: { holder?: { role: string; name: string } };
  /** A frame has the focus, this element: the paste is its document's. */
  frame?: { doc: string; id: number };
}

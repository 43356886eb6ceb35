/** A reading of a page, split into pages of its own. */
export interface Reading {
  pages: string[];
  /** `element` when only a part of the page was asked for; the others as in `MainContent`. */
  part: 'article' | 'page' | 'element';
  byline?: string;
  /** The page is longer than what is read of it. */
  cut?: true;
}

/** A reading that is kept, so that its pages fit each other whatever the document does meanwhile. */
export interface LatestReading {
  /** The document and all that the reading depends on beside it. */
  key: string;
  reading: Reading;
}

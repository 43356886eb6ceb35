/** The present state of an element. */
export interface ElementNow {
  role: string;
  name: string;
  row: string;
  /** The text of the row stands before the element, not around it. */
  isBeside?: true;
  fingerprint: number;
}

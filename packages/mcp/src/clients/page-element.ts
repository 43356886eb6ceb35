/** An interactive element; its index is good until the next state is read. */
export interface PageElement {
  index: number;
  ref: string;
  role: string;
  text: string;
}

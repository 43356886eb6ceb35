/**
 * The floor of every snapshot: one visit of each element in the page, reading what no snapshot can do without
 * (tag, visibility, pointer, box, text), and one string back. Open shadow roots are walked, prose is not shortened.
 */
export function domWalk(): string {
  const rows: unknown[] = [];
  const visit = (parent: ParentNode): void => {
    for (let node = parent.firstChild; node; node = node.nextSibling) {
      if (node instanceof Text) rows.push(node.data);
      if (!(node instanceof Element) || node.tagName === 'STYLE' || node.tagName === 'SCRIPT') continue;
      const style = getComputedStyle(node);
      const box = node.getBoundingClientRect();
      rows.push([node.tagName, style.display, style.visibility, style.cursor, box.x, box.y, box.width, box.height]);
      visit(node);
      if (node.shadowRoot) visit(node.shadowRoot);
    }
  };
  visit(document);
  return JSON.stringify(rows);
}

/** Tags and text alone: what the round trip and the visit cost by themselves. For information, no bar speaks of it. */
export function leanWalk(): string {
  const rows: string[] = [];
  const visit = (parent: ParentNode): void => {
    for (let node = parent.firstChild; node; node = node.nextSibling) {
      if (node instanceof Text) rows.push(node.data);
      if (!(node instanceof Element) || node.tagName === 'STYLE' || node.tagName === 'SCRIPT') continue;
      rows.push(node.tagName);
      visit(node);
      if (node.shadowRoot) visit(node.shadowRoot);
    }
  };
  visit(document);
  return JSON.stringify(rows);
}

export function countElements(): number {
  const count = (root: Document | ShadowRoot): number =>
    [...root.querySelectorAll('*')].reduce(
      (total, element) => total + 1 + (element.shadowRoot ? count(element.shadowRoot) : 0),
      0,
    );
  return count(document);
}

import { pathKey } from './path-key.ts';

/** An expression that gives every element of a document a name of its own and answers which name stands for which place. */
export function nameEveryElement(frame: number): string {
  return `(${nameAll.toString()})(${pathKey.toString()}, ${frame})`;
}

function nameAll(keyOf: (element: Element) => string, frame: number): [string, string][] {
  const named: [string, string][] = [];
  const visit = (root: Document | ShadowRoot): void => {
    for (const element of root.querySelectorAll('*')) {
      const name = `element ${frame} ${named.length}`;
      // Else its name would be that of another element.
      element.removeAttribute('aria-labelledby');
      element.setAttribute('aria-label', name);
      named.push([name, keyOf(element)]);
      if (element.shadowRoot) visit(element.shadowRoot);
    }
  };
  visit(document);
  return named;
}

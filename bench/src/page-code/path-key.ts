/**
 * Names an element by its place: the document's address and the child positions on the way down, `^` where a shadow root is
 * entered. The same page gives the same names in every browser, so the refs of one stack can be held against the judgement of another.
 */
export function pathKey(element: Element): string {
  const steps: string[] = [];
  let at: Element = element;
  for (;;) {
    let position = 0;
    for (let before = at.previousElementSibling; before; before = before.previousElementSibling) position++;
    const parent = at.parentNode;
    steps.push(`${parent instanceof ShadowRoot ? '^' : ''}${position}`);
    if (parent instanceof ShadowRoot) at = parent.host;
    else if (parent instanceof Element) at = parent;
    else return `${location.origin}${location.pathname} ${steps.reverse().join('/')}`;
  }
}

import { getAttribute } from '../../src/page/dom.js';
import { beginPass, endPass, nameOf } from '../../src/page/role-and-name/name.js';
import { roleOf } from '../../src/page/role-and-name/role.js';
import { lookUpClosedRootsWith } from '../../src/page/visibility/tree-scope.js';

/** What tests ask of the content script; the answer is JSON in the text of a detached element. */
export type Request =
  | { do: 'case'; css: string; html: string; crowd: number }
  | { do: 'ask'; selector: string; inPass: boolean }
  | { do: 'closed-root'; html: string };

export interface Told {
  /** The `data-n` attribute. */
  n: string;
  role: string;
  name: string;
}

/** A Playwright selector engine that tells roles and names instead of finding elements. */
export function createEngine() {
  const queryAll = (_root: Node, selector: string): Element[] => {
    const answer = document.createElement('div');
    answer.textContent = JSON.stringify(answerTo(JSON.parse(decodeURIComponent(selector)) as Request));
    return [answer];
  };
  return { queryAll, query: (root: Node, selector: string) => queryAll(root, selector)[0] };
}

function answerTo(request: Request): unknown {
  switch (request.do) {
    case 'case':
      return runCase(request);
    case 'ask':
      return request.inPass ? inPass(() => ask(request.selector)) : ask(request.selector);
    case 'closed-root':
      return nameWithClosedRoot(request.html);
  }
}

function tell(element: Element): Told {
  const role = roleOf(element);
  return { n: getAttribute(element, 'data-n') ?? '', role, name: nameOf(element, role) };
}

function inPass<T>(work: () => T): T {
  beginPass();
  try {
    return work();
  } finally {
    endPass();
  }
}

/** Elements in the document and its open shadow roots. */
function find(selector: string, root: Document | ShadowRoot = document): Element[] {
  const found = [...root.querySelectorAll(selector)];
  for (const host of root.querySelectorAll('*')) if (host.shadowRoot) found.push(...find(selector, host.shadowRoot));
  return found;
}

const ask = (selector: string) => find(selector).map(tell);

/** `crowd` buttons are named first: with enough of them the style sheets are read instead of asking each element. */
function runCase(request: Extract<Request, { do: 'case' }>): Told | undefined {
  const crowd = '<button>one of many</button>'.repeat(request.crowd);
  document.body.setHTMLUnsafe(`<style>${request.css}</style>${request.html}<div id="crowd">${crowd}</div>`);
  return inPass(() => {
    find('#crowd > button').forEach(tell);
    return find('[t]').map(tell)[0];
  });
}

function nameWithClosedRoot(html: string): string {
  const button = document.createElement('button');
  const host = button.appendChild(document.createElement('div'));
  const root = host.attachShadow({ mode: 'closed' });
  root.innerHTML = html;
  document.body.append(button);
  lookUpClosedRootsWith(element => (element === host ? root : undefined));
  try {
    return tell(button).name;
  } finally {
    lookUpClosedRootsWith(() => undefined);
  }
}

import { getAttribute, setClosedRootFinder } from '../src/dom/dom.js';
import { beginPass, endPass } from '../src/names/generated-content.js';
import { nameOf } from '../src/names/name.js';
import { roleOf } from '../src/names/role.js';

/** What tests ask of a page. */
export type Request =
  | ({ do: 'cases' } & Cases)
  | { do: 'ask'; selector: string; inPass: boolean }
  | { do: 'both-ways'; css: string; html: readonly string[] }
  | { do: 'closed-root'; html: string };

/** Markups that have the page for themselves, one after the other. */
export interface Cases {
  html: readonly string[];
  css: string;
  /** So many buttons are named first: with enough of them the style sheets are read instead of asking each element. */
  crowd: number;
}

export interface Told {
  /** The `data-n` attribute. */
  n: string;
  role: string;
  name: string;
}

/** What is told of one case, or the error that asking for it threw. */
export type CaseAnswer = { told: Told | undefined } | { error: string };

/** Roles and names of all elements of a page, read together and each for itself. */
export interface BothWays {
  inPass: Told[];
  alone: Told[];
}

export function answerTo(request: Request): unknown {
  switch (request.do) {
    case 'cases':
      return request.html.map(html => answerToCase(html, request));
    case 'ask':
      return request.inPass ? inPass(() => ask(request.selector)) : ask(request.selector);
    case 'both-ways':
      return request.html.map(html => tellBothWays(html, request.css));
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

/** An error of one case leaves the others their answers. */
function answerToCase(html: string, { css, crowd }: Cases): CaseAnswer {
  document.body.setHTMLUnsafe(
    `<style>${css}</style>${html}<div id="crowd">${'<button>one of many</button>'.repeat(crowd)}</div>`,
  );
  try {
    return { told: inPass(tellCase) };
  } catch (error) {
    return { error: String(error) };
  }
}

function tellCase(): Told | undefined {
  find('#crowd > button').forEach(tell);
  return find('[t]').map(tell)[0];
}

function tellBothWays(html: string, css: string): BothWays {
  document.body.setHTMLUnsafe(`<style>${css}</style>${html}`);
  return { inPass: inPass(() => ask('body *')), alone: ask('body *') };
}

function nameWithClosedRoot(html: string): string {
  const button = document.createElement('button');
  const host = button.appendChild(document.createElement('div'));
  const root = host.attachShadow({ mode: 'closed' });
  root.innerHTML = html;
  document.body.append(button);
  setClosedRootFinder(element => (element === host ? root : undefined));
  try {
    return tell(button).name;
  } finally {
    setClosedRootFinder(() => undefined);
  }
}

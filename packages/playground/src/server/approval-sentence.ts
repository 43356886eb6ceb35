import type { ActionPreview } from '@browser-toolset/agent-browser';

type Input = Readonly<Record<string, unknown>>;

interface Described {
  /** The input on one line: elements by their names. */
  readonly gist: string;
  /** Of a browser tool whose input is valid. */
  readonly action: ActionPreview | undefined;
}

/** What a person reads of a call that waits for them, such as `Click button "Pay now" in "Order 7" on shop.example`. */
export function approvalSentence(tool: string, input: Input, { gist, action }: Described): string {
  const words =
    WORDS[tool]?.(input, elementOf(action), action) ??
    `${capital(tool.replace(/^browser_/, '').replaceAll('_', ' '))}: ${gist}`;
  const host = action?.url !== undefined && URL.canParse(action.url) ? new URL(action.url).host : '';
  return host === '' || tool === 'browser_navigate' ? words : `${words} on ${host}`;
}

/** The sentence of each tool whose name and input say too little by themselves; undefined where they say all. */
const WORDS: Record<string, (input: Input, element: string | undefined, action?: ActionPreview) => string | undefined> =
  {
    browser_click: ({ clickCount, x, y }, element) => {
      const verb = clickCount === 2 ? 'Double-click' : 'Click';
      if (element !== undefined) return `${verb} ${element}`;
      return typeof x === 'number' && typeof y === 'number' ? `${verb} at ${x}, ${y}` : undefined;
    },
    browser_hover: (_, element) => element && `Point at ${element}`,
    browser_type: ({ text, submit }, element) =>
      element && `Type ${JSON.stringify(text)} into ${element}${submit === true ? ' and send it' : ''}`,
    browser_press: ({ keys }, element) => {
      const pressed = [keys].flat().join(', ');
      return element === undefined ? `Press ${pressed}` : `Press ${pressed} on ${element}`;
    },
    browser_upload: ({ paths }, element) => element && `Upload ${[paths].flat().join(', ')} to ${element}`,
    browser_navigate: ({ url }) => `Open ${String(url)}`,
    browser_dialog: ({ action: answer }, _, action) =>
      action?.dialog && `${answer === 'accept' ? 'Accept' : 'Dismiss'} ${JSON.stringify(action.dialog.message)}`,
    browser_history: ({ direction }) => (direction === 'reload' ? 'Reload the page' : `Go ${String(direction)}`),
    browser_evaluate: () => 'Run a script in the page',
  };

function elementOf(action: ActionPreview | undefined): string | undefined {
  if (action?.element === undefined) return undefined;
  const { role, name, row } = action.element;
  const called = name === '' ? role : `${role} ${JSON.stringify(name)}`;
  // The row of some elements is their own text.
  return row === '' || row.startsWith(name) ? called : `${called} in ${JSON.stringify(row)}`;
}

function capital(words: string): string {
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

const CLASS_LABELS: Record<ActionPreview['classes'][number], string> = {
  submit: 'sends',
  pay: 'pays',
  delete: 'deletes',
  upload: 'uploads',
  download: 'downloads',
  evaluate: 'runs a script',
};

/** What the action is likely to do, in a word each; nothing where it only reads or fills in. */
export function effectLabels(action: ActionPreview | undefined): string[] {
  if (action === undefined) return [];
  const labels = action.classes.map(each => CLASS_LABELS[each]);
  return action.isUncertain && labels.length === 0 ? ['unknown target'] : labels;
}

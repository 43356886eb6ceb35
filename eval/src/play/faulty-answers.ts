/** An answer of the browser agent's model, as it means it. */
export interface MeantAnswer {
  memory: string;
  actions: Record<string, Record<string, unknown>>[];
  [field: string]: unknown;
}

/** A text as a provider gives it, with why it ends there. */
export interface Given {
  text: string;
  finishReason: 'stop' | 'length';
}

const stops = (text: string): Given => ({ text, finishReason: 'stop' });

/** The answer without its end. Not every provider says that it was cut. */
export function cut(meant: MeantAnswer, seed: number): Given {
  const text = JSON.stringify(meant);
  const from = text.indexOf('"actions"') + 12;
  const at = from + (seed % Math.max(1, text.length - from - 1));
  return { text: text.slice(0, at), finishReason: seed % 2 === 0 ? 'length' : 'stop' };
}

/** The answer behind thoughts, or drafts, that hold another one. */
export function thinks(meant: MeantAnswer, { seed, page }: { seed: number; page: string }): Given {
  const draft = JSON.stringify({ ...meant, actions: wrongActions(meant, { seed, page }) });
  const text = JSON.stringify(meant);
  const forms = [
    `<think>\nI could do this:\n${draft}\nBut that is not what was asked.\n</think>\n${text}`,
    `<thinking>${draft} - no, {rather} not.</thinking>\n\n${text}`,
    `<reasoning>\n\`\`\`json\n${draft}\n\`\`\`\n</reasoning>\n\`\`\`json\n${text}\n\`\`\``,
    `A first draft:\n\`\`\`json\n${draft}\n\`\`\`\nThat would be wrong {for now}. So:\n\`\`\`json\n${text}\n\`\`\``,
  ];
  return stops(forms[seed % forms.length] ?? text);
}

/** An end that is not due, or a press of something else. */
function wrongActions({ actions }: MeantAnswer, { seed, page }: { seed: number; page: string }): object[] {
  const meant = JSON.stringify(actions);
  const other = page.match(/@e\d+/g)?.find(ref => !meant.includes(`"${ref}"`));
  if (seed % 3 === 0 || other === undefined) return [{ done: { text: 'All of it is done.', success: true } }];
  return [{ click: { ref: other } }];
}

/** What models write that do not keep to the form, though it is plain what they mean. */
const MISTYPED: ((meant: MeantAnswer) => object)[] = [
  ({ memory: _, ...rest }) => rest,
  meant => ({ ...meant, memory: null }),
  meant => ({ ...meant, memory: [meant.memory] }),
  meant => ({ ...meant, plan: ['Go on', 'Then end'] }),
  meant => (meant.actions.length === 1 ? { ...meant, actions: meant.actions[0] } : { ...meant, memory: null }),
  meant => ({ ...meant, actions: meant.actions.map(named(([name, input]) => ({ name, input }))) }),
  meant => ({ ...meant, actions: meant.actions.map(named(([name, input]) => ({ action: name, input }))) }),
  meant => ({ ...meant, evaluation: 1, actions: replaced(meant.actions, textAsNumber) }),
  meant => ({ ...meant, progress: null, actions: replaced(meant.actions, numberAsText) }),
  meant => ({
    ...meant,
    confidence: 0.9,
    actions: meant.actions.map(named(([name, input]) => ({ [name]: { ...input, reason: 'It is next.' } }))),
  }),
];

export function mistypes(meant: MeantAnswer, seed: number): Given {
  const form = MISTYPED[seed % MISTYPED.length];
  return stops(JSON.stringify(form === undefined ? meant : form(meant)));
}

type Entry = [name: string, input: Record<string, unknown>];

function named(form: (entry: Entry) => object): (action: MeantAnswer['actions'][number]) => object {
  return action => {
    const [entry] = Object.entries(action);
    return entry === undefined ? action : form(entry);
  };
}

function replaced(value: unknown, change: (leaf: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(each => replaced(each, change));
  if (typeof value !== 'object' || value === null) return change(value);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, replaced(inner, change)]));
}

/** Only where the number is written as the text was. */
function textAsNumber(leaf: unknown): unknown {
  return typeof leaf === 'string' && String(Number(leaf)) === leaf ? Number(leaf) : leaf;
}

function numberAsText(leaf: unknown): unknown {
  return typeof leaf === 'number' ? String(leaf) : leaf;
}

const INVALID: ((meant: MeantAnswer) => string)[] = [
  () => 'I would click the button now.',
  () => '',
  ({ actions: _, ...rest }) => JSON.stringify(rest),
  meant => JSON.stringify({ ...meant, actions: [] }),
  meant => JSON.stringify({ ...meant, actions: [{ fly: { to: 'the moon' } }] }),
  meant => JSON.stringify({ ...meant, actions: [{ click: { ref: { id: 4 } } }] }),
  () => "I'm sorry, but I cannot help with that.",
  () => '{"actions"',
];

export function invalid(meant: MeantAnswer, seed: number): Given {
  return stops(INVALID[seed % INVALID.length]?.(meant) ?? '');
}

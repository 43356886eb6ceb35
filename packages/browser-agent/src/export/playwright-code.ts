import type { ElementRecord } from '../actions/action-result.js';
import type { AgentHistory } from '../history/history.js';
import { type RecordedAction, recordedActions } from '../rerun/recorded-actions.js';
import { comment, quoted, Source, searchAddress } from './source.js';

/** A module with one function that does the task on a page of Playwright. */
export function playwrightCode(history: AgentHistory): string {
  const source = new Source(history, name => `secret(${quoted(name)})`);
  const defaults = source.variables.map(({ name, value }) => `  ${name}: ${quoted(value)},`);
  let goal = '';
  const recordedAll = recordedActions(history);
  const hasTabs = recordedAll.some(({ action }) => action === 'tabs');
  const body = recordedAll.flatMap((recorded, i) => {
    const own = linesOf(recorded, source);
    const next = recordedAll[i + 1];
    const lines = [
      ...(next?.action === 'dialog' ? [answerOf(next, source)] : []),
      ...(hasTabs && recorded.opened !== undefined ? openingLines(recorded.opened, own) : own),
    ];
    const isNew = recorded.goal !== goal && recorded.goal !== '';
    goal = recorded.goal;
    return [...(isNew ? [`  // ${comment(recorded.goal)}`] : []), ...lines.map(line => `  ${line}`)];
  });
  const hasRows = body.some(line => line.includes('rowOf('));
  const first = history.steps.flatMap(({ tabs }) => tabs.filter(({ active }) => active))[0]?.tab ?? 't1';
  const hasSecrets = body.some(line => line.includes('secret('));
  return [
    `import type { ${hasRows ? 'Locator, ' : ''}Page } from 'playwright-core';`,
    '',
    ...(hasRows ? [ROW_OF] : []),
    ...(hasSecrets ? [SECRET_FUNCTION] : []),
    '/** What can be different in another run. */',
    'export const defaults = {',
    ...defaults,
    '};',
    '',
    `/** ${comment(history.task)} */`,
    'export async function run(page: Page, given: Partial<typeof defaults> = {}): Promise<void> {',
    '  const input = { ...defaults, ...given };',
    ...(hasTabs ? [`  const tabs = new Map([[${quoted(first)}, page]]);`, TAB_OF] : []),
    ...body,
    '}',
    '',
  ].join('\n');
}

/** The tab that an action opens, by the id that it had. */
function openingLines(tab: string, lines: string[]): string[] {
  const name = `opening${tab.replace(/\W/g, '')}`;
  return [`const ${name} = page.context().waitForEvent('page');`, ...lines, `tabs.set(${quoted(tab)}, await ${name});`];
}

/** Playwright wants to know the answer before the dialog opens. */
function answerOf({ input }: RecordedAction, source: Source): string {
  const answer =
    input.action === 'accept' ? `accept(${input.text === undefined ? '' : source.value(input.text)})` : 'dismiss()';
  return `page.once('dialog', dialog => dialog.${answer});`;
}

function tabLines({ input, activeTab }: RecordedAction, source: Source): string[] {
  const now = activeTab === undefined ? [] : [`page = tabOf(${quoted(activeTab)});`];
  if (input.action === 'switch') return [`page = tabOf(${quoted(String(input.tab))});`, 'await page.bringToFront();'];
  if (input.action === 'close')
    return [
      input.tab === undefined ? 'await page.close();' : `await tabOf(${quoted(String(input.tab))}).close();`,
      ...now,
    ];
  return [
    'page = await page.context().newPage();',
    ...(activeTab === undefined ? [] : [`tabs.set(${quoted(activeTab)}, page);`]),
    ...(input.url === undefined ? [] : [`await page.goto(${source.value(input.url)});`]),
  ];
}

function linesOf(recorded: RecordedAction, source: Source): string[] {
  const { step, action, input, elements = {} } = recorded;
  const at = (path = 'ref'): string => locator(elements[path], source);
  switch (action) {
    case 'navigate':
      return [`await page.goto(${source.value(input.url)});`];
    case 'search':
      return [`await page.goto(${searchAddress(recorded, source)});`];
    case 'tabs':
      return tabLines(recorded, source);
    case 'dialog':
      return [];
    case 'history':
      return [
        `await page.${{ back: 'goBack', forward: 'goForward', reload: 'reload' }[String(input.direction)] ?? 'reload'}();`,
      ];
    case 'click':
      return elements.ref === undefined && typeof input.x === 'number'
        ? [`await page.mouse.click(${input.x}, ${input.y});`]
        : [`await ${at()}.click(${clickOptions(input, source)});`];
    case 'hover':
      return [`await ${at()}.hover();`];
    case 'type':
      return [
        input.clear === false || input.slowly
          ? `await ${at()}.pressSequentially(${source.value(input.text)});`
          : `await ${at()}.fill(${source.value(input.text)});`,
        ...(input.submit ? [`await ${at()}.press('Enter');`] : []),
      ];
    case 'press':
      return [input.keys]
        .flat()
        .map(key =>
          elements.ref === undefined
            ? `await page.keyboard.press(${source.value(key)});`
            : `await ${at()}.press(${source.value(key)});`,
        );
    case 'select': {
      const { labels, values, indexes } = input as Record<string, unknown[] | undefined>;
      const chosen = labels?.map(label => ({ label })) ?? values ?? indexes?.map(index => ({ index })) ?? [];
      return [`await ${at()}.selectOption(${source.value(chosen)});`];
    }
    case 'fill_form':
      return fillLines(input, elements, source);
    case 'drag':
      return [`await ${at('from')}.dragTo(${at('to')});`];
    case 'upload':
      return [`await ${at()}.setInputFiles(${source.value(input.paths)});`];
    case 'wait':
      return waitLines(input.for as Record<string, unknown>, source);
    case 'scroll':
      return elements.to === undefined ? [] : [`await ${at('to')}.scrollIntoViewIfNeeded();`];
    default:
      throw new Error(`Step ${step}: ${action} has no counterpart in Playwright`);
  }
}

function fillLines(input: Record<string, unknown>, elements: Record<string, ElementRecord>, source: Source): string[] {
  const fields = Array.isArray(input.fields) ? (input.fields as { value: unknown }[]) : [];
  const lines = fields.map(({ value }, i) => {
    const element = elements[`fields.${i}.ref`];
    const at = locator(element, source);
    if (typeof value === 'boolean') return `await ${at}.setChecked(${value});`;
    const isList = element?.role === 'combobox' || element?.role === 'listbox';
    if (Array.isArray(value) || (isList && element?.tag === 'select'))
      return `await ${at}.selectOption(${source.value([value].flat().map(label => ({ label })))});`;
    return `await ${at}.fill(${source.value(String(value))});`;
  });
  return elements.submit === undefined ? lines : [...lines, `await ${locator(elements.submit, source)}.click();`];
}

function waitLines(sought: Record<string, unknown>, source: Source): string[] {
  if (typeof sought.text === 'string') return [`await page.getByText(${source.value(sought.text)}).first().waitFor();`];
  if (typeof sought.gone === 'string')
    return [`await page.getByText(${source.value(sought.gone)}).first().waitFor({ state: 'hidden' });`];
  if (typeof sought.seconds === 'number') return [`await page.waitForTimeout(${sought.seconds * 1_000});`];
  return typeof sought.load === 'string' ? [`await page.waitForLoadState(${quoted(sought.load)});`] : [];
}

function clickOptions({ button, clickCount, modifiers }: Record<string, unknown>, source: Source): string {
  const given = Object.entries({ button, clickCount, modifiers }).filter(([, value]) => value !== undefined);
  return given.length === 0 ? '' : source.value(Object.fromEntries(given));
}

const TITLE_WORDS = 6;

/** Words of a row without numbers, which change. */
function tellingWords(row: string): string {
  const words = row.split(' ').filter(word => !/\d/.test(word));
  return (words.length === 0 ? row.split(' ') : words).slice(0, TITLE_WORDS).join(' ');
}

/** The helper for modules that tell elements by their rows. */
const ROW_OF = `/** The smallest part of the page that says these words and has the element in it. */
function rowOf(page: Page, words: string, element: Locator): Locator {
  const text = words.split(' ').map(word => word.replace(/[.*+?^\${}()|[\\]\\\\]/g, '\\\\$&')).join('\\\\s*');
  return page.locator('li, tr, article, section, dd, [role="row"], [role="listitem"], div').filter({ hasText: new RegExp(text), has: element }).last();
}
`;

/** The helper for modules that type secrets. */
const SECRET_FUNCTION = `/** A secret, from the variable of the environment that has its name. */
function secret(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(\`The environment has no \${name}\`);
  return value;
}
`;

/** The helper for modules that go from tab to tab. */
const TAB_OF = `  const tabOf = (id: string): Page => {
    const found = tabs.get(id);
    if (found === undefined) throw new Error(\`There is no tab \${id}\`);
    return found;
  };`;

/** Roles that are names of the toolset rather than of ARIA. */
const NOT_ARIA = new Set(['clickable', 'text', 'iframe']);

function locator(element: ElementRecord | undefined, source: Source): string {
  if (element === undefined) return "page.locator('body')";
  const { role, name, row, id, index, count } = element;
  const byId = id === undefined ? undefined : `page.locator(${quoted(`#${id}`)})`;
  if (NOT_ARIA.has(role))
    return name === undefined
      ? (byId ?? "page.locator('body')")
      : `page.getByText(${source.text(name)}, { exact: true })`;
  const options = name === undefined ? '' : `, { name: ${source.text(name)}, exact: true }`;
  const alike = `getByRole(${quoted(role)}${options})`;
  if (row === undefined) return count > 1 ? `page.${alike}.nth(${index})` : `page.${alike}`;
  return `rowOf(page, ${source.text(tellingWords(row))}, page.${alike}).${alike}`;
}

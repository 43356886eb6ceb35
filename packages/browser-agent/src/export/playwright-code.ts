import type { ElementRecord } from '../actions/action-result.js';
import type { AgentHistory } from '../history/history.js';
import { type RecordedAction, recordedActions } from '../rerun/recorded-actions.js';
import { ARRIVE, FIND, SECRET, SETTLED, TAB_OF } from './playwright-helpers.js';
import { comment, quoted, Source, searchAddress } from './source.js';

/** A module with one function that does the task on a page of Playwright. */
export function playwrightCode(history: AgentHistory): string {
  const source = new Source(history, name => `secret(${quoted(name)})`);
  const defaults = source.variables.flatMap(({ name, value }) =>
    value === undefined ? [] : [`  ${name}: ${quoted(value)},`],
  );
  const needed = source.variables.flatMap(({ name, value }) => (value === undefined ? [`${name}: string`] : []));
  const given = needed.length === 0 ? '' : ` & { ${needed.join('; ')} }`;
  let goal = '';
  const all = recordedActions(history);
  const hasTabs = all.some(({ action }) => action === 'tabs');
  const body = all.flatMap((recorded, number) => {
    const own = new ActionCode(recorded, number, source).lines(all[number + 1], hasTabs);
    const lines = number > 0 && LEAVES.has(recorded.action) ? ['await settled(page);', ...own] : own;
    const isNew = recorded.goal !== goal && recorded.goal !== '';
    goal = recorded.goal;
    return [...(isNew ? [`  // ${comment(recorded.goal)}`] : []), ...lines.map(line => `  ${line}`)];
  });
  const uses = (name: string): boolean => body.some(line => line.includes(`${name}(`));
  const first = history.steps.flatMap(({ tabs }) => tabs.filter(({ active }) => active))[0]?.tab ?? 't1';
  const types = [
    'BrowserContext',
    ...(uses('arrive') ? ['Frame'] : []),
    ...(uses('find') ? ['FrameLocator', 'Locator'] : []),
    'Page',
    'Request',
  ];
  return [
    `import type { ${types.join(', ')} } from 'playwright-core';`,
    '',
    '/** What can be different in another run. */',
    'export const defaults = {',
    ...defaults,
    '};',
    '',
    `/** ${comment(history.task)} */`,
    `export async function run(page: Page, given: Partial<typeof defaults>${given || ' = {}'}): Promise<void> {`,
    '  const input = { ...defaults, ...given };',
    '  watch(page.context());',
    ...(hasTabs ? [`  const tabs = new Map([[${quoted(first)}, page]]);`, TAB_OF] : []),
    ...body,
    '  await settled(page);',
    '}',
    '',
    SETTLED,
    ...(uses('find') ? [FIND] : []),
    ...(uses('arrive') ? [ARRIVE] : []),
    ...(uses('secret') ? [SECRET] : []),
  ].join('\n');
}

/** Roles that are names of the toolset rather than of ARIA. */
const NOT_ARIA = new Set(['clickable', 'text', 'iframe']);
/** Roles whose elements ARIA does not name by what they say. */
const NAMED_BY_TEXT = new Set('listitem article group paragraph definition term code figure row note'.split(' '));
/** Milliseconds that an exported module waits for an element, where nothing else is said. */
const PATIENCE = 10_000;
/** Actions that wait for the page that they lead to, or lead to none by themselves. */
const ARRIVES_ITSELF = new Set(['navigate', 'search', 'history', 'tabs', 'wait', 'dialog']);

/** Actions without an element, which would cut off what the one before set off. */
const LEAVES = new Set(['navigate', 'search', 'history', 'tabs']);

/** Writes one recorded action as lines of source. */
class ActionCode {
  constructor(
    readonly recorded: RecordedAction,
    readonly number: number,
    readonly source: Source,
  ) {}

  /** All that it takes: the answer to its dialog before it, and the page or tab that it leads to after it. */
  lines(next: RecordedAction | undefined, hasTabs: boolean): string[] {
    const { action, opened, hasNavigated } = this.recorded;
    const own = this.#own();
    const isArrival = hasNavigated && !ARRIVES_ITSELF.has(action) && own.length > 0;
    const arriving = isArrival ? ['await arrive(page, async () => {', ...own.map(line => `  ${line}`), '});'] : own;
    return [...this.#answer(next), ...(hasTabs && opened !== undefined ? openingLines(opened, arriving) : arriving)];
  }

  #text(value: unknown, path: string): string {
    return this.source.value(value, { action: this.number, path });
  }

  /** Playwright wants to know the answer before the dialog opens. */
  #answer(next: RecordedAction | undefined): string[] {
    const { onDialog } = this.recorded.input as { onDialog?: { accept: boolean; text?: string } };
    if (onDialog !== undefined)
      return [answerLine(onDialog.accept, onDialog.text, text => this.#text(text, 'onDialog.text'))];
    if (next?.action !== 'dialog') return [];
    const { input } = next;
    const code = new ActionCode(next, this.number + 1, this.source);
    return [answerLine(input.action === 'accept', input.text, text => code.#text(text, 'text'))];
  }

  #own(): string[] {
    const { step, action, input } = this.recorded;
    const { x, y } = input;
    switch (action) {
      case 'navigate':
        return [`await page.goto(${this.#text(input.url, 'url')});`];
      case 'search':
        return [`await page.goto(${searchAddress(this.recorded, this.#text(input.query, 'query'))});`];
      case 'tabs':
        return this.#tabs();
      case 'dialog':
        return [];
      case 'history':
        return [`await page.${{ back: 'goBack', forward: 'goForward' }[String(input.direction)] ?? 'reload'}();`];
      case 'click':
        return [
          input.ref === undefined && typeof x === 'number'
            ? `await page.mouse.click(${x}, ${y}${this.#clickOptions(', ')});`
            : `await ${this.#find()}.click(${this.#clickOptions()});`,
        ];
      case 'hover':
        return [`await ${this.#find()}.hover();`];
      case 'type':
        return this.#type();
      case 'press':
        return [input.keys]
          .flat()
          .map((key, i) => this.#text(key, Array.isArray(input.keys) ? `keys.${i}` : 'keys'))
          .map(key =>
            input.ref === undefined ? `await page.keyboard.press(${key});` : `await ${this.#find()}.press(${key});`,
          );
      case 'select':
        return this.#select();
      case 'fill_form':
        return this.#fillForm();
      case 'drag':
        return [`await ${this.#find('from')}.dragTo(await ${this.#find('to', false)});`];
      case 'upload':
        return this.#upload();
      case 'wait':
        return this.#wait();
      case 'scroll':
        return this.#scroll();
      default:
        throw new Error(`Step ${step}: ${action} has no counterpart in Playwright`);
    }
  }

  #tabs(): string[] {
    const { input, activeTab } = this.recorded;
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
      ...(input.url === undefined ? [] : [`await page.goto(${this.#text(input.url, 'url')});`]),
    ];
  }

  #type(): string[] {
    const { input } = this.recorded;
    const text = this.#text(input.text, 'text');
    const enters = input.clear === false || input.slowly ? `pressSequentially(${text})` : `fill(${text})`;
    if (!input.submit) return [`await ${this.#find()}.${enters};`];
    const field = `field${this.number}`;
    return [
      `const ${field} = await ${this.#find('ref', false)};`,
      `await ${field}.${enters};`,
      `await ${field}.press('Enter');`,
    ];
  }

  #select(): string[] {
    const { labels, values, indexes } = this.recorded.input as Record<string, unknown[] | undefined>;
    const texts = (labels ?? values ?? []).map((each, i) => this.#text(each, `${labels ? 'labels' : 'values'}.${i}`));
    if (!this.#isSelect('ref')) return this.#chooseOptions('ref', texts);
    const chosen =
      indexes?.map(index => `{ index: ${index} }`) ?? texts.map(text => (labels ? `{ label: ${text} }` : text));
    return [`await ${this.#find()}.selectOption([${chosen.join(', ')}]);`];
  }

  #isSelect(path: string): boolean {
    const { tag = 'select' } = this.recorded.elements?.[path] ?? {};
    return tag === 'select';
  }

  /** Of a list that is no field of HTML: it opens by a click. */
  #chooseOptions(path: string, options: readonly string[]): string[] {
    const chooses = options.map(name => `await (await find(page, { role: 'option', name: ${name} })).click();`);
    return [`await ${this.#find(path)}.click();`, ...chooses];
  }

  #fillForm(): string[] {
    const { input, elements = {} } = this.recorded;
    const fields = Array.isArray(input.fields) ? (input.fields as { value: unknown }[]) : [];
    const lines = fields.flatMap(({ value }, i) => {
      const [ref, at] = [`fields.${i}.ref`, `fields.${i}.value`];
      if (typeof value === 'boolean') return [`await ${this.#find(ref)}.setChecked(${value});`];
      const { role = '' } = elements[ref] ?? {};
      const isList = role === 'combobox' || role === 'listbox';
      if (!Array.isArray(value) && !(isList && this.#isSelect(ref)))
        return [`await ${this.#find(ref)}.fill(${this.#text(String(value), at)});`];
      const options = [value].flat().map((each, n) => this.#text(each, Array.isArray(value) ? `${at}.${n}` : at));
      if (!this.#isSelect(ref)) return this.#chooseOptions(ref, options);
      return [`await ${this.#find(ref)}.selectOption([${options.map(label => `{ label: ${label} }`).join(', ')}]);`];
    });
    return input.submit === undefined ? lines : [...lines, `await ${this.#find('submit')}.click();`];
  }

  #upload(): string[] {
    const { input, elements = {} } = this.recorded;
    const paths = this.#text(input.paths, 'paths');
    if (elements.ref?.tag === 'input') return [`await ${this.#find()}.setInputFiles(${paths});`];
    const chooser = `chooser${this.number}`;
    return [
      `const ${chooser} = page.waitForEvent('filechooser');`,
      `await ${this.#find()}.click();`,
      `await (await ${chooser}).setFiles(${paths});`,
    ];
  }

  #wait(): string[] {
    const { step, input } = this.recorded;
    const { text, gone, ref, state = 'visible', url, load, seconds } = input.for as Record<string, unknown>;
    const limit = typeof input.timeout === 'number' ? `timeout: ${input.timeout * 1_000}` : '';
    const options = (first = ''): string =>
      [first, limit].some(Boolean) ? `{ ${[first, limit].filter(Boolean).join(', ')} }` : '';
    const shown = (what: unknown, path: string): string =>
      `page.getByText(${this.#text(what, `for.${path}`)}).filter({ visible: true }).first()`;
    if (text !== undefined) return [`await ${shown(text, 'text')}.waitFor(${options()});`];
    if (gone !== undefined) return [`await ${shown(gone, 'gone')}.waitFor(${options("state: 'hidden'")});`];
    if (typeof seconds === 'number') return [`await page.waitForTimeout(${seconds * 1_000});`];
    if (typeof load === 'string')
      return [`await page.waitForLoadState(${[quoted(load), options()].filter(Boolean).join(', ')});`];
    if (typeof url === 'string') {
      const parts = url.split('*').map(part => part.replace(/[.+?^${}()|[\]\\/]/g, '\\$&'));
      return [`await page.waitForURL(/${parts.join('.*')}/${limit && `, ${options()}`});`];
    }
    if (ref === undefined || (state !== 'visible' && state !== 'hidden'))
      throw new Error(`Step ${step}: what was waited for has no counterpart in Playwright`);
    return state === 'hidden'
      ? [`await ${this.#find('for.ref')}.waitFor(${options("state: 'hidden'")});`]
      : [`await ${this.#find('for.ref')}.waitFor(${options()});`];
  }

  #scroll(): string[] {
    const { input } = this.recorded;
    if (input.to !== undefined) return [`await ${this.#find('to')}.scrollIntoViewIfNeeded();`];
    const { direction = 'down', amount = 'page' } = input;
    const isSideways = direction === 'left' || direction === 'right';
    const sign = direction === 'up' || direction === 'left' ? '-' : '';
    const size = `(page.viewportSize()?.${isSideways ? 'width' : 'height'} ?? 600)`;
    const by = typeof amount === 'number' ? `${sign}${amount}` : `${sign}${size}${amount === 'half' ? ' / 2' : ''}`;
    return [
      ...(input.ref === undefined ? [] : [`await ${this.#find()}.hover();`]),
      `await page.mouse.wheel(${isSideways ? `${by}, 0` : `0, ${by}`});`,
    ];
  }

  #clickOptions(before = ''): string {
    const { button, clickCount, modifiers } = this.recorded.input;
    const given = Object.entries({ button, clickCount, modifiers }).filter(([, value]) => value !== undefined);
    return given.length === 0 ? '' : `${before}${this.#text(Object.fromEntries(given), '')}`;
  }

  /** Such as `(await find(page, { role: 'button', name: 'Save' }))`. */
  #find(path = 'ref', isUsedAtOnce = true): string {
    const { step, elements = {}, took } = this.recorded;
    const element = elements[path];
    if (element === undefined) throw new Error(`Step ${step}: the record does not tell what ${path} was`);
    const call = `find(page, ${this.#wanted(element, path, took)})`;
    return isUsedAtOnce ? `(await ${call})` : call;
  }

  /** Fields without a role of their own in ARIA are those for dates, colours, passwords and files. */
  #namedBy({ role, tag }: ElementRecord, path: string): 'label' | 'text' | undefined {
    const { action } = this.recorded;
    const isField = role === 'textbox' || action === 'upload' || (action === 'fill_form' && path !== 'submit');
    if (isField && tag === 'input') return 'label';
    return NAMED_BY_TEXT.has(role) ? 'text' : undefined;
  }

  #wanted(element: ElementRecord, path: string, took: number): string {
    const { role, name = '', row, index, count, path: way } = element;
    const frames = framesOf(element);
    const around = frames.map(frame => `${frame.path} >> `).join('');
    const named = this.#namedBy(element, path);
    const fields = [
      ...(NOT_ARIA.has(role) ? [] : [`role: ${quoted(role)}`]),
      `name: ${this.#text(name, path)}`,
      ...(named === undefined ? [] : [`named: ${quoted(named)}`]),
      ...(row === undefined ? [] : [`row: ${this.#text(row, `${path}.row`)}`]),
      ...(count > 1 ? [`place: { index: ${index}, of: ${count} }`] : []),
      ...(way === undefined ? [] : [`path: ${quoted(way.slice(around.length))}`]),
      ...(frames.length === 0 ? [] : [`frames: [${frames.map(frame => quoted(frameSelector(frame))).join(', ')}]`]),
      ...(2 * took > PATIENCE ? [`patience: ${2 * took}`] : []),
    ];
    return `{ ${fields.join(', ')} }`;
  }
}

/** The frames around an element; those of a record that does not tell them stand in its path. */
function framesOf({ frames, path = '' }: ElementRecord): NonNullable<ElementRecord['frames']> {
  if (frames !== undefined) return frames;
  const found: NonNullable<ElementRecord['frames']> = [];
  let way: string[] = [];
  for (const part of path.split(' >> ').slice(0, -1)) {
    way.push(part);
    if (!/(?:^|> )i?frame(?:$|:)/.test(part)) continue;
    found.push({ tag: 'iframe', path: way.join(' >> ') });
    way = [];
  }
  return found;
}

/** The tab that an action opens, by the id that it had. */
function openingLines(tab: string, lines: string[]): string[] {
  const name = `opening${tab.replace(/\W/g, '')}`;
  return [`const ${name} = page.context().waitForEvent('page');`, ...lines, `tabs.set(${quoted(tab)}, await ${name});`];
}

function answerLine(accept: boolean, text: unknown, written: (text: unknown) => string): string {
  const answer = accept ? `accept(${text === undefined ? '' : written(text)})` : 'dismiss()';
  return `page.once('dialog', dialog => dialog.${answer});`;
}

function frameSelector({ tag, name, id, path }: NonNullable<ElementRecord['frames']>[number]): string {
  if (name === undefined) return id === undefined ? path : `${tag}[id=${JSON.stringify(id)}]`;
  return ['title', 'aria-label', 'name'].map(attribute => `${tag}[${attribute}=${JSON.stringify(name)}]`).join(', ');
}

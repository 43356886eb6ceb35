/** Finds elements by the proof of a rerun: role and name, then the row, then the place among equals and the path. */
export const FIND = `interface Wanted {
  /** Left out for what has none, such as a part of the page that reacts to clicks. */
  role?: Parameters<Page['getByRole']>[0];
  name: string;
  /** By what it has its name where Playwright does not say: a field for dates by its label, an item of a list by its text. */
  named?: 'label' | 'text';
  /** The text that tells its row from others. */
  row?: string;
  /** Its place among those that are alike in all of these. */
  place?: { index: number; of: number };
  /** The way to it. */
  path?: string;
  /** The frames that it stands in, the outermost first. */
  frames?: string[];
  /** Milliseconds that it may take to appear. */
  patience?: number;
}

type Root = Page | FrameLocator | Locator;

/** Waits for an element that can be told for sure. */
async function find(page: Page, wanted: Wanted): Promise<Locator> {
  const { role = 'text', name, row, patience = 10_000 } = wanted;
  await settled(page);
  for (const deadline = Date.now() + patience; ; ) {
    const found = await findNow(page, wanted);
    if (found !== undefined) {
      if (wanted.frames !== undefined) await Promise.race([found.evaluate(drawn).catch(() => undefined), page.waitForTimeout(1_000)]);
      return found;
    }
    if (Date.now() > deadline) throw new Error(\`There is no one \${role} "\${name}"\${row === undefined ? '' : \` in "\${row}"\`}\`);
    await page.waitForTimeout(100);
  }
}

/** Chromium brings presses to a frame of another site once that has been drawn. */
function drawn(): Promise<unknown> {
  return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
}

async function findNow(page: Page, wanted: Wanted): Promise<Locator | undefined> {
  const { role, name, named, row, path, frames = [] } = wanted;
  const root = frames.reduce<Page | FrameLocator>((around, frame) => around.frameLocator(frame), page);
  const text = flexible(name, true);
  const ways =
    role === undefined
      ? [(at: Root) => at.getByText(text).filter({ visible: true })]
      : [
          (at: Root) => at.getByRole(role, { name: text }),
          ...(named === 'label' ? [(at: Root) => at.getByLabel(text).and(page.locator('input'))] : []),
          ...(named === 'text' ? [(at: Root) => at.getByRole(role).filter({ hasText: text })] : []),
        ];
  for (const alike of ways) {
    const count = await alike(root).count();
    if (count === 0) continue;
    if (row === undefined) return oneOf(page, alike(root), wanted);
    for (const rows of rowsOf(page, root, alike, row)) if ((await rows.count()) > 0) return oneOf(page, alike(rows), wanted);
    // A row can be told by labels that are no text: then the only one is it where it was.
    const there = path === undefined ? undefined : alike(root).and(page.locator(path));
    return count === 1 && (await there?.count()) === 1 ? there : undefined;
  }
  return undefined;
}

/** The only one; among equals the one at its place, unless its path speaks against that. */
async function oneOf(page: Page, equals: Locator, { place = { index: 0, of: 1 }, path }: Wanted): Promise<Locator | undefined> {
  const count = await equals.count();
  if (count === 1) return equals;
  const onPath = path === undefined ? undefined : equals.and(page.locator(path));
  const ofKind = path === undefined ? undefined : equals.and(page.locator(path.replace(/:nth-of-type\\(\\d+\\)/g, '')));
  const [there, akin] = [(await onPath?.count()) ?? 0, (await ofKind?.count()) ?? 0];
  // With others beside it a number in a path may mean another one.
  if (count !== place.of) return there === 1 && akin === 1 ? onPath : undefined;
  const placed = equals.nth(place.index);
  const likely = there > 0 ? onPath : akin > 0 ? ofKind : undefined;
  return likely === undefined || (await placed.and(likely).count()) === 1 ? placed : undefined;
}

const ROWS = 'li, tr, dd, article, [role="row"], [role="listitem"]';
const PARTS = 'section, fieldset, form, details, dialog, label, td, p, div';

/** The smallest parts of the page that have such an element and say the row: word for word, else but for numbers, which change. */
function rowsOf(page: Page, root: Page | FrameLocator, alike: (at: Root) => Locator, row: string): Locator[] {
  const has = alike(page);
  const isOfRow = page.locator(ROWS).filter({ has });
  const wordings = [row.split('…'), row.split(/…|\\s*\\S*\\d\\S*\\s*/)].map(words => words.filter(each => each.trim() !== ''));
  return wordings
    .filter(words => words.length > 0)
    .flatMap(words => {
      const saying = (parts: Locator): Locator => words.reduce((at, each) => at.filter({ hasText: flexible(each) }), parts).filter({ has });
      const smallest = (parts: string): Locator => saying(root.locator(parts)).filter({ hasNot: saying(page.locator(parts)) });
      return [smallest(ROWS), smallest(PARTS).filter({ hasNot: isOfRow })];
    });
}

/** Matches a text whatever white space is in it. */
function flexible(text: string, isWhole = false): RegExp {
  const words = text.trim().split(/\\s+/).map(word => word.replace(/[.*+?^\${}()|[\\]\\\\/]/g, '\\\\$&')).join('\\\\s*');
  return new RegExp(isWhole ? \`^\\\\s*\${words}\\\\s*$\` : words);
}
`;

/** Waits for what actions set off, as the toolset does after each. */
export const SETTLED = `/** When each request began that is not answered yet. */
const underWay = new WeakMap<BrowserContext, Map<Request, number>>();

function watch(context: BrowserContext): void {
  if (underWay.has(context)) return;
  const requests = new Map<Request, number>();
  underWay.set(context, requests);
  const end = (request: Request): boolean => requests.delete(request);
  context.on('request', request => requests.set(request, Date.now()));
  context.on('requestfinished', end);
  context.on('requestfailed', end);
}

/** Waits until what the last action set off is answered; for no more than five seconds, since some requests never are. */
async function settled(page: Page): Promise<void> {
  const requests = underWay.get(page.context()) ?? new Map<Request, number>();
  do await new Promise(resolve => setTimeout(resolve, 50));
  while ([...requests.values()].some(began => Date.now() - began < 5_000));
}
`;

/** For actions that led to another page. */
export const ARRIVE = `/** Does what led to another page, and waits for that: what comes next is meant for it. */
async function arrive(page: Page, act: () => Promise<unknown>): Promise<void> {
  let isThere: (frame: Frame) => void = () => undefined;
  const arrived = new Promise<void>(resolve => {
    isThere = frame => frame === page.mainFrame() && resolve();
  });
  page.on('framenavigated', isThere);
  try {
    await act();
    await Promise.race([arrived, page.waitForTimeout(5_000)]);
  } finally {
    page.off('framenavigated', isThere);
  }
  await page.waitForLoadState();
}
`;

/** For modules that type secrets. */
export const SECRET = `/** A secret, from the variable of the environment that has its name. */
function secret(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(\`The environment has no \${name}\`);
  return value;
}
`;

/** For modules that go from tab to tab; a part of their function. */
export const TAB_OF = `  const tabOf = (id: string): Page => {
    const found = tabs.get(id);
    if (found === undefined) throw new Error(\`There is no tab \${id}\`);
    return found;
  };`;

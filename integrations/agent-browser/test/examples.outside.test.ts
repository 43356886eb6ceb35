import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { servePages } from './fixtures.js';

const folder = resolve(import.meta.dirname, '../examples');
const site = await servePages({
  '/': '<!doctype html><title>Elsewhere</title><link rel="icon" href="data:,"><a href="/more">More</a>',
  '/more': '<!doctype html><title>More</title><link rel="icon" href="data:,"><h1>More here</h1>',
});

/** What each example prints without arguments. */
const PRINTS: Record<string, RegExp[]> = {
  'agent-with-tools.ts': [/browser_navigate/, /browser_click/, /Clicked link "Red mug"/, /button "Add to cart" @e\d+/],
  'agent-with-browser.ts': [/This is open:\n\[page \d{4}\]\npage "Mug shop"/, /activeUrlChangeSource: 'agent'/],
  'workflow-step.ts': [/^success page "Mug shop"/m, /^failed navigation_failed: /m],
  'plain-code.ts': [/^Opened Mug shop$/m, /^Clicked Sign in, /m, /^invalid_ref: @e999 /m],
  'shared-login.ts': [/^Signed in as Ann$/m],
  'secrets-and-approvals.ts': [
    /^The run is suspended before browser_click$/m,
    /Signed in as <secret>CUSTOMER<\/secret>/,
  ],
  'parallel-threads.ts': [/^Ann reads: Signed in as Ann$/m, /^Bob reads: Signed in as Bob$/m, /^Cleo reads: .*Cleo$/m],
};

/** Files that examples share. */
const SHARED = ['demo-shop.ts', 'scripted-model.ts'];

async function run(example: string, ...args: string[]): Promise<string> {
  // Node before 22.18 strips types only when it is asked to.
  const options = ['--experimental-strip-types', '--no-warnings', resolve(folder, example), ...args];
  const env = { ...process.env, MODEL: undefined, MASTRA_TELEMETRY_DISABLED: '1' };
  const { stdout } = await promisify(execFile)(process.execPath, options, { env, timeout: 60_000 });
  return stdout;
}

describe('the examples', () => {
  it('are all tested here', () => {
    expect(readdirSync(folder).sort()).toEqual([...Object.keys(PRINTS), ...SHARED].sort());
  });

  it.each(Object.entries(PRINTS))(
    '%s runs by itself and prints what it promises',
    async (example, expected) => {
      const printed = await run(example);
      for (const text of expected) expect(printed).toMatch(text);
    },
    60_000,
  );

  it.each([
    ['agent-with-tools.ts', /More here/],
    ['agent-with-browser.ts', /page "Elsewhere"/],
    ['workflow-step.ts', /success page "Elsewhere"/],
    ['plain-code.ts', /Opened Elsewhere[\s\S]*page "More"/],
  ])(
    '%s takes a url',
    async (example, expected) => {
      expect(await run(example, site.url())).toMatch(expected);
    },
    60_000,
  );
});

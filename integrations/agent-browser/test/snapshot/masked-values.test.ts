import { afterAll, expect, test } from 'vitest';
import { expectSuccess, servePages, sharingToolset } from '../fixtures.js';

const toolset = sharingToolset();
const session = toolset.session('masked');
afterAll(() => toolset.close());

const MASKED = 'style="-webkit-text-security: disc"';

test.each([
  ['in a field', `<input aria-label="Code" ${MASKED} value="hunter2">`],
  ['in a text area', `<textarea aria-label="Code" ${MASKED}>hunter2</textarea>`],
  ['in a password field', '<input aria-label="Code" type="password" value="hunter2">'],
  ['in text that is edited', `<div contenteditable role="textbox" aria-label="Code" ${MASKED}>hunter2</div>`],
  [
    'in the name of what a field labels',
    `<input id="code" ${MASKED} value="hunter2"><button aria-labelledby="code">Go</button>`,
  ],
  [
    'in the name of what a text area labels',
    `<textarea id="code" ${MASKED}>hunter2</textarea><button aria-labelledby="code">Go</button>`,
  ],
  ['in a label around it', `<label><input type="checkbox">Code <input ${MASKED} value="hunter2"></label>`],
  ['in a cell', `<table><tr><td><textarea ${MASKED}>hunter2</textarea></td><td><button>Go</button></td></tr></table>`],
  ['in text', `<p ${MASKED}>hunter2</p><button>Go</button>`],
])('a masked value is not told %s', async (_, html) => {
  const site = await servePages({ '/': `<!doctype html><title>Page</title>${html}` });
  expectSuccess(await session.navigate({ url: site.url() }));
  for (const interactiveOnly of [true, false]) {
    const { tree, refs } = expectSuccess(await session.snapshot({ interactiveOnly }));
    expect(JSON.stringify({ tree, refs })).not.toContain('hunter2');
  }
  const { changes } = expectSuccess(await session.navigate({ url: site.url('/') }));
  expect(changes).not.toContain('hunter2');
});

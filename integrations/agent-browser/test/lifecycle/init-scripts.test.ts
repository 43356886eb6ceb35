import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { expectFailure, expectSuccess, servePages, testToolset } from '../fixtures.js';

const folder = await mkdtemp(join(tmpdir(), 'init-scripts-'));
const file = join(folder, 'mark.js');
await writeFile(file, 'window.mark = (window.mark ?? "") + "file ";');
afterAll(() => rm(folder, { recursive: true, force: true }));

const SAY = '<p></p><script>document.querySelector("p").textContent = "marked " + window.mark</script>';
const pages = {
  '/': `${SAY}<iframe src="/frame"></iframe><a href="/popup" target="_blank">Open</a>`,
  '/frame': SAY,
  '/popup': SAY,
};
const scripts = { initScripts: [file, { content: 'window.mark += "text";' }] };

it.each([[scripts], [{ ...scripts, scope: 'shared' as const }]])(
  'run once in pages, frames and popups, before the scripts of each (%j)',
  async options => {
    const site = await servePages(pages);
    const toolset = testToolset(options);
    for (const thread of ['ann', 'bo']) {
      const session = toolset.session(thread);
      expectSuccess(await session.navigate({ url: site.url() }));
      const { tree = '', refs = {} } = expectSuccess(await session.snapshot({ interactiveOnly: false }));
      expect(tree.match(/marked file text/g)).toHaveLength(2);
      const link = Object.keys(refs).find(ref => refs[ref]?.name === 'Open') ?? '';
      expectSuccess(await session.click({ ref: link }));
      expect(expectSuccess(await session.snapshot({ interactiveOnly: false })).tree).toContain('marked file text');
    }
  },
);

it('that cannot be read are told by the option and the path', async () => {
  const session = testToolset({ initScripts: ['/nowhere/script.js'] }).session();
  const failure = expectFailure(await session.navigate({ url: 'about:blank' }), 'browser_error');
  expect(failure.message).toContain('The option initScripts names /nowhere/script.js, which cannot be read');
});

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Client, ElicitResult } from '@modelcontextprotocol/client';
import { afterAll, describe, expect, it } from 'vitest';
import { connector, ERAS, refIn, textOf } from './connected.js';
import { site } from './site.js';

const connect = connector({ approval: ['pay'], tools: { also: ['ask_user'] } });
const folder = await mkdtemp(join(tmpdir(), 'mcp-roots-'));
await writeFile(join(folder, 'a.txt'), 'hello');
afterAll(() => rm(folder, { recursive: true, force: true }));

const url = site({
  '/': `<title>Pay</title><button onclick="document.title = 'Paid'">Pay now</button>
    <label>File <input type="file" onchange="document.title = this.files[0].name"></label>`,
});

/** A client whose person answers so. */
function answering(answer: ElicitResult, asked: unknown[] = []) {
  return {
    client: { capabilities: { elicitation: { form: {} } } },
    prepare: (client: Client) =>
      client.setRequestHandler('elicitation/create', ({ params }) => {
        asked.push(params);
        return answer;
      }),
  };
}

describe.each(ERAS)('a client of %s', era => {
  it('is asked before what needs approval, and the action goes on', async () => {
    const asked: unknown[] = [];
    const { call } = await connect({ era, ...answering({ action: 'accept', content: { approved: true } }, asked) });
    const page = await call('browser_navigate', { url: url('/') });
    const result = await call('browser_click', { ref: refIn(page, 'Pay now') });
    expect(result.structuredContent).toMatchObject({ success: true, title: 'Paid' });
    expect(asked).toMatchObject([
      { message: expect.stringMatching(/^Approve browser_click of button "Pay now" \(pay/) },
    ]);
  });

  it.each<ElicitResult>([
    { action: 'accept', content: { approved: false } },
    { action: 'accept', content: {} },
    { action: 'accept', content: { approved: 'true' } },
    { action: 'decline' },
    { action: 'cancel' },
  ])('does nothing where the person answers %j', async answer => {
    const { call } = await connect({ era, ...answering(answer) });
    const page = await call('browser_navigate', { url: url('/') });
    const result = await call('browser_click', { ref: refIn(page, 'Pay now') });
    expect(result).toMatchObject({ isError: true, structuredContent: { code: 'approval_required' } });
    expect(textOf(await call('browser_snapshot'))).toContain('page "Pay"');
  });

  it('that cannot ask is refused', async () => {
    const { call } = await connect({ era });
    const page = await call('browser_navigate', { url: url('/') });
    const result = await call('browser_click', { ref: refIn(page, 'Pay now') });
    expect(result).toMatchObject({ isError: true, structuredContent: { code: 'approval_required' } });
    expect(await call('ask_user', { question: 'Which?' })).toMatchObject({ isError: true });
  });

  it('puts a question to the person', async () => {
    const asked: { message?: string; requestedSchema?: object }[] = [];
    const { call } = await connect({ era, ...answering({ action: 'accept', content: { answer: 'Red' } }, asked) });
    const options = [{ label: 'Red' }, { label: 'Blue' }];
    const result = await call('ask_user', { question: 'Which colour?', options });
    expect(result.structuredContent).toMatchObject({ success: true, answer: 'Red' });
    expect(asked).toMatchObject([
      { message: 'Which colour?', requestedSchema: { properties: { answer: { enum: ['Red', 'Blue'] } } } },
    ]);
  });

  it('hears that the person did not answer', async () => {
    const { call } = await connect({ era, ...answering({ action: 'decline' }) });
    const result = await call('ask_user', { question: 'Which colour?' });
    expect(result.structuredContent).toMatchObject({ answer: 'The user did not answer.' });
  });

  it('gives files from its roots, and from nowhere else', async () => {
    let roots = 0;
    const { call } = await connect({
      era,
      client: { capabilities: { roots: {} } },
      prepare: client =>
        client.setRequestHandler('roots/list', () => {
          roots++;
          return { roots: [{ uri: pathToFileURL(folder).href }, { uri: 'file://elsewhere/share' }] };
        }),
    });
    const page = await call('browser_navigate', { url: url('/') });
    const ref = refIn(page, 'File');
    const given = await call('browser_upload', { ref, paths: [join(folder, 'a.txt')] });
    expect(given.structuredContent).toMatchObject({ success: true, title: 'a.txt' });
    const refused = await call('browser_upload', { ref, paths: ['/etc/hostname'] });
    expect(refused).toMatchObject({ isError: true, structuredContent: { code: 'file_not_allowed' } });
    expect(roots).toBe(1);
  });

  it('without roots gives no files', async () => {
    const { call } = await connect({ era });
    const page = await call('browser_navigate', { url: url('/') });
    const refused = await call('browser_upload', { ref: refIn(page, 'File'), paths: [join(folder, 'a.txt')] });
    expect(refused).toMatchObject({ isError: true, structuredContent: { code: 'file_not_allowed' } });
  });
});

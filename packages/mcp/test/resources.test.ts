import { describe, expect, it } from 'vitest';
import { connector, ERAS, refIn } from './connected.js';
import { site } from './site.js';

const connect = connector({ tools: { also: ['browser_console', 'browser_network', 'browser_pdf'] } });
const url = site({
  '/': `<title>Notes</title><h1>Notes</h1><script>console.log('ready'); fetch('/missing')</script>
    <a download="notes.txt" href="data:text/plain,three notes">Get</a>
    <button onclick="document.body.append('Saved')">Save</button>`,
});

type Connected = Awaited<ReturnType<typeof connect>>;

async function read({ client }: Connected, uri: string): Promise<string> {
  const { contents } = await client.readResource({ uri });
  const [content] = contents;
  if (content === undefined) throw new Error(`${uri} has nothing`);
  return 'text' in content ? content.text : Buffer.from(content.blob, 'base64').toString('latin1');
}

describe.each(ERAS)('a client of %s', era => {
  it('reads the page as it is, its tabs, console and requests', async () => {
    const connected = await connect({ era });
    await connected.call('browser_navigate', { url: url('/') });
    expect(await read(connected, 'browser://snapshot')).toContain('button "Save"');
    expect(JSON.parse(await read(connected, 'browser://tabs'))).toMatchObject([{ url: url('/'), active: true }]);
    expect(JSON.parse(await read(connected, 'browser://console'))).toContainEqual(
      expect.objectContaining({ text: 'ready' }),
    );
    await expect
      .poll(async () => JSON.parse(await read(connected, 'browser://network')))
      .toContainEqual(expect.objectContaining({ url: url('/missing'), status: 404 }));
  });

  it('reads the files that its calls made', async () => {
    const connected = await connect({ era });
    const page = await connected.call('browser_navigate', { url: url('/') });
    const got = await connected.call('browser_click', { ref: refIn(page, 'Get') });
    const link = got.content.find(part => part.type === 'resource_link');
    expect(link).toMatchObject({
      name: 'download.txt',
      description: expect.stringMatching(/^Its name: \[page (\d+)\]\nnotes\.txt\n\[end \1\]$/),
      mimeType: 'text/plain',
    });
    expect(await read(connected, link?.uri ?? '')).toBe('three notes');
    await connected.call('browser_screenshot');
    await connected.call('browser_pdf');
    const { resources } = await connected.client.listResources();
    const uriOf = (kind: string): string => resources.find(({ uri }) => uri.startsWith(kind))?.uri ?? '';
    expect((await read(connected, uriOf('browser://screenshots/'))).slice(0, 3)).toBe('\xff\xd8\xff');
    expect((await read(connected, uriOf('browser://pdf/'))).slice(0, 5)).toBe('%PDF-');
  });

  it('is told when the page that it subscribed to has changed', async () => {
    const updated: string[] = [];
    const connected = await connect({
      era,
      prepare: client =>
        client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
          updated.push(params.uri);
        }),
    });
    const page = await connected.call('browser_navigate', { url: url('/') });
    if (era === '2025-11-25') await connected.client.subscribeResource({ uri: 'browser://snapshot' });
    else await connected.client.listen({ resourceSubscriptions: ['browser://snapshot'] });
    await connected.call('browser_snapshot');
    expect(updated).toEqual([]);
    await connected.call('browser_click', { ref: refIn(page, 'Save') });
    await expect.poll(() => updated).toEqual(['browser://snapshot']);
  });

  it('is told of what does not exist', async () => {
    const { client } = await connect({ era });
    await expect(client.readResource({ uri: 'browser://nothing' })).rejects.toThrow(/browser:\/\/nothing/);
    await expect(client.readResource({ uri: 'file:///etc/hostname' })).rejects.toThrow();
    await expect(client.getPrompt({ name: 'cook' })).rejects.toThrow('There is no prompt cook');
    await expect(client.getPrompt({ name: 'browse' })).rejects.toThrow('needs a task');
    await expect(client.callTool({ name: 'browser_cook' })).rejects.toThrow('There is no tool browser_cook');
    await expect(client.listTools({ cursor: 'x' })).rejects.toThrow('cursor');
  });

  it('gets advice for a task', async () => {
    const { client } = await connect({ era });
    const { messages } = await client.getPrompt({ name: 'browse', arguments: { task: 'Buy a mug' } });
    expect(messages).toMatchObject([{ role: 'user', content: { text: expect.stringContaining('Buy a mug') } }]);
  });

  it('of bad input is told what was wrong with it', async () => {
    const { call } = await connect({ era });
    expect(await call('browser_navigate', { url: 7 })).toMatchObject({
      isError: true,
      structuredContent: { success: false, code: 'invalid_input', message: expect.stringContaining('url') },
    });
  });
});

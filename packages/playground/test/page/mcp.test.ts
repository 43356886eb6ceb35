import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect } from 'vitest';
import { test } from './fixtures.js';

describe('the MCP tab', () => {
  test('gives the lines for clients, and shows who is connected', async ({ page, playground }) => {
    await page.getByRole('tab', { name: 'MCP' }).click();
    const panel = page.getByRole('tabpanel', { name: 'MCP' });
    await panel.getByText('No MCP client is connected').waitFor();
    const url = `${playground.url.replace(/\/$/, '')}/mcp`;
    const here = panel.getByRole('region', { name: 'Connect to this playground (HTTP)' });
    expect(await here.locator('pre').first().textContent()).toBe(`claude mcp add --transport http browser ${url}`);
    const command = panel.getByRole('region', { name: 'Run a separate server per client (stdio)' });
    const settings = await command.locator('pre').filter({ hasText: 'mcpServers' }).textContent();
    const separate = JSON.parse(settings ?? '').mcpServers.browser;
    const started = new Client({ name: 'desktop', version: '1' });
    await started.connect(new StdioClientTransport(separate));
    const { tools } = await started.listTools();
    expect(tools.map(({ name }) => name)).toContain('browser_click');
    await started.close();
    const typed = await command.locator('pre').first().textContent();
    expect(typed).toBe(`claude mcp add browser -- ${[separate.command, ...separate.args].join(' ')}`);

    const client = new Client({ name: 'editor', version: '3' });
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    await panel.getByText(/^editor 3, last seen/).waitFor();
    const result = await client.callTool({ name: 'browser_navigate', arguments: { url: playground.demoUrl } });
    expect(JSON.stringify(result.content)).toContain('page \\"Shop');
    const transport = client.transport as StreamableHTTPClientTransport;
    await transport.terminateSession();
    await client.close();
    await panel.getByText('No MCP client is connected').waitFor();
  });
  test('takes files from the roots of a client', async ({ playground }) => {
    const folder = await mkdtemp(join(tmpdir(), 'playground-roots-'));
    await writeFile(join(folder, 'list.txt'), 'mugs');
    const site = createServer((_, response) => {
      response.setHeader('content-type', 'text/html');
      response.end('<label>File <input type="file" onchange="document.title = this.files[0].name"></label>');
    }).listen(0, '127.0.0.1');
    await once(site, 'listening');
    const client = new Client({ name: 'editor', version: '3' }, { capabilities: { roots: {} } });
    client.setRequestHandler('roots/list', () => ({ roots: [{ uri: pathToFileURL(folder).href }] }));
    await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', playground.url)));
    const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
    const opened = await client.callTool({ name: 'browser_navigate', arguments: { url } });
    const ref = /@e\d+/.exec(JSON.stringify(opened.content))?.[0];
    const paths = [join(folder, 'list.txt')];
    const given = await client.callTool({ name: 'browser_upload', arguments: { ref, paths } });
    expect(given.structuredContent).toMatchObject({ success: true, title: 'list.txt' });
    await client.close();
    site.close();
    await rm(folder, { recursive: true });
  });
});

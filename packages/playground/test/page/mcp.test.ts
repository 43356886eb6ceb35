import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect } from 'vitest';
import { test } from './fixtures.js';

describe('the MCP tab', () => {
  test('gives the lines for clients, and shows who is connected', async ({ page, playground }) => {
    await page.getByRole('tab', { name: 'MCP' }).click();
    const panel = page.getByRole('tabpanel', { name: 'MCP' });
    await panel.getByText('No MCP client is connected').waitFor();
    const url = `${playground.url.replace(/\/$/, '')}/mcp`;
    const here = panel.getByRole('region', { name: 'This very server' });
    expect(await here.locator('pre').first().textContent()).toBe(`claude mcp add --transport http browser ${url}`);
    const command = panel.getByRole('region', { name: 'A server for each client' });
    expect(await command.locator('pre').allTextContents()).toContain(
      'codex mcp add browser -- npx -y @browser-toolset/mcp',
    );

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
});

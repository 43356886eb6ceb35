import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { createConnection } from '@playwright/mcp';
import { type Browser, chromium } from 'playwright-core';
import { chromiumPath, viewport } from '../chromium.ts';
import { pathKey } from '../page-code/path-key.ts';
import { interactiveLines } from './aria-refs.ts';
import type { Actions, FormActions, RefTarget, Stack, StackBrowser, StackThread, ToolSchema } from './stack.ts';

/**
 * The server runs in this process over an in-memory transport, and its connections are contexts of one Chromium: no pipe, no second
 * process and no browser of its own count against it. (Left to itself it starts a browser for each connection and keeps it.)
 */
export const playwrightMcp: Stack = {
  name: 'playwright-mcp',
  packageName: '@playwright/mcp',
  async open(): Promise<StackBrowser> {
    const outputDir = await mkdtemp(join(tmpdir(), 'bench-mcp-'));
    const browser = await chromium.launch({ executablePath: chromiumPath(), headless: true });
    return {
      thread: async () => new McpThread(await connectInMemory(outputDir, browser), outputDir),
      async close() {
        await browser.close();
        await rm(outputDir, { recursive: true, force: true });
      },
    };
  },
  async toolSchemas(): Promise<readonly ToolSchema[]> {
    const client = await connectInMemory(tmpdir(), undefined);
    const { tools } = await client.listTools();
    await client.close();
    return tools.map(({ name, description, inputSchema }) => ({ name, description: description ?? '', inputSchema }));
  },
};

class McpThread implements StackThread {
  readonly #client: Client;
  readonly #outputDir: string;

  constructor(client: Client, outputDir: string) {
    this.#client = client;
    this.#outputDir = outputDir;
  }

  readonly snapshots = { snapshot: () => this.#call('browser_snapshot', {}) };

  async navigate(url: string): Promise<void> {
    await this.#call('browser_navigate', { url });
  }

  async prepareActions(): Promise<Actions> {
    const text = await this.snapshots.snapshot();
    const ref = (role: string) => {
      const found = interactiveLines(text).find(line => line.role === role);
      if (!found) throw new Error(`no ${role} in the snapshot of the plain page`);
      return { element: role, target: found.ref };
    };
    const [button, textbox, combobox] = [ref('button'), ref('textbox'), ref('combobox')];
    return {
      click: () => this.#call('browser_click', button),
      type: text => this.#call('browser_type', { ...textbox, text }),
      select: label => this.#call('browser_select_option', { ...combobox, values: [label] }),
    };
  }

  async prepareForm(): Promise<FormActions> {
    const text = await this.snapshots.snapshot();
    const control = (name: string) => {
      const [, ref] = new RegExp(`- \\w+ "${name}".*\\[ref=(\\w+)\\]`).exec(text) ?? [];
      if (ref === undefined) throw new Error(`no "${name}" in the snapshot of the framework page`);
      return { element: name, target: ref };
    };
    return {
      click: name => this.#act('browser_click', control(name)),
      type: (name, text) => this.#act('browser_type', { ...control(name), text }),
      check: name => this.#act('browser_click', control(name)),
      select: (name, option) => this.#act('browser_select_option', { ...control(name), values: [option] }),
      press: key => this.#act('browser_press_key', { key }),
      hover: name => this.#act('browser_hover', control(name)),
      fill: fields =>
        this.#act('browser_fill_form', {
          fields: fields.map(({ kind, name, value }) => ({ ...control(name), name, type: kind, value })),
        }),
      evaluate: expression => this.#act('browser_evaluate', { function: `() => ${expression}` }),
    };
  }

  async interactiveRefs(): Promise<readonly RefTarget[]> {
    await this.#call('browser_run_code_unsafe', { code: "page => page.waitForLoadState('load')" });
    const lines = interactiveLines(await this.snapshots.snapshot());
    const code = `async page => {
      const pathKey = ${pathKey.toString()};
      const keys = [];
      for (const ref of ${JSON.stringify(lines.map(line => line.ref))}) {
        const locator = page.locator('aria-ref=' + ref);
        keys.push((await locator.count()) === 1 ? await locator.evaluate(pathKey) : null);
      }
      return keys;
    }`;
    const answer = await this.#call('browser_run_code_unsafe', { code });
    const keys = JSON.parse(answer.slice(answer.indexOf('['), answer.indexOf(']\n') + 1)) as (string | null)[];
    return lines.map((line, index) => ({ ...line, key: keys[index] ?? undefined }));
  }

  async close(): Promise<void> {
    await this.#call('browser_close', {});
    await this.#client.close();
  }

  async #act(name: string, args: Record<string, unknown>): Promise<string> {
    return withLinkedSnapshot(await this.#call(name, args), this.#outputDir);
  }

  async #call(name: string, args: Record<string, unknown>): Promise<string> {
    const result = await this.#client.callTool({ name, arguments: args }, undefined, { timeout: 180_000 });
    const content = result.content as { type: string; text?: string }[];
    const text = content.map(part => part.text ?? '').join('\n');
    if (result.isError) throw new Error(`${name}: ${text}`);
    return text;
  }
}

/** What a model reads in the end: the server puts snapshots into files, and names these. */
export async function withLinkedSnapshot(text: string, folder: string): Promise<string> {
  const file = /\(([^()]+\.yml)\)/.exec(text)?.[1];
  return file === undefined ? text : `${text}\n${await readFile(join(folder, basename(file)), 'utf8')}`;
}

async function connectInMemory(outputDir: string, browser: Browser | undefined): Promise<Client> {
  const newContext = async () => {
    if (!browser) throw new Error('this connection lists tools only');
    return browser.newContext({ viewport });
  };
  const server = await createConnection({ outputDir }, newContext);
  const [serverEnd, clientEnd] = InMemoryTransport.createLinkedPair();
  await server.connect(serverEnd);
  const client = new Client({ name: 'bench', version: '0.0.0' });
  await client.connect(clientEnd);
  return client;
}

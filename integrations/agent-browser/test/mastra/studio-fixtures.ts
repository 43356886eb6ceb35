import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Browser, chromium, type Locator, type Page } from 'playwright-core';
import { findExecutable } from '../../src/browser/chromium/launch.js';
import { integration, linkedProject } from '../linked-project.js';

const READY_WITHIN = 120_000;

/** The real `mastra dev` on a project of its own in a temporary folder. */
export class MastraDev {
  #output = '';

  private constructor(
    readonly url: string,
    readonly folder: string,
    readonly server: ChildProcess,
  ) {
    for (const stream of [server.stdout, server.stderr]) stream?.on('data', chunk => (this.#output += chunk));
  }

  static async start(environment: Record<string, string>): Promise<MastraDev> {
    const folder = await makeProject();
    const port = await freePort();
    // The bin of the package is a shell script under some package managers.
    const cli = join(folder, 'node_modules/mastra/dist/index.js');
    const env = { ...process.env, ...environment, PORT: `${port}`, HOST: '127.0.0.1', MASTRA_TELEMETRY_DISABLED: '1' };
    const server = spawn(process.execPath, [cli, 'dev'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    // Studio's page calls its server by this name, and the server lets no other origin in.
    const dev = new MastraDev(`http://localhost:${port}`, folder, server);
    await dev.#ready();
    return dev;
  }

  async json(path: string, body?: object): Promise<unknown> {
    const headers = { 'content-type': 'application/json' };
    const request = body === undefined ? {} : { method: 'POST', headers, body: JSON.stringify(body) };
    return (await fetch(this.url + path, request)).json();
  }

  async stop(): Promise<void> {
    if (this.server.exitCode === null) {
      const exited = once(this.server, 'exit');
      this.server.kill('SIGINT');
      await exited;
    }
    await rm(this.folder, { recursive: true, force: true });
  }

  async #ready(): Promise<void> {
    const until = performance.now() + READY_WITHIN;
    while (performance.now() < until && this.server.exitCode === null) {
      const answers = await fetch(`${this.url}/api/agents`).then(
        ({ ok }) => ok,
        () => false,
      );
      if (answers) return;
      await delay(200);
    }
    await this.stop();
    throw new Error(`mastra dev did not get ready; it said:\n${this.#output}`);
  }
}

async function makeProject(): Promise<string> {
  const folder = await linkedProject(['@mastra/core', 'mastra', 'zod'], { ws: webSockets() });
  const sources = join(folder, 'src/mastra');
  await mkdir(sources, { recursive: true });
  await cp(join(import.meta.dirname, 'studio-project/index.ts'), join(sources, 'index.ts'));
  await cp(join(integration, 'examples/scripted-model.ts'), join(sources, 'scripted-model.ts'));
  return folder;
}

/** Mastra's server takes its WebSockets from the project's folder, where npm hoists this; without it there is no live view. */
function webSockets(): string {
  const path = ['mastra', '@mastra/deployer', '@hono/node-ws', 'ws'];
  return dirname(path.reduce((from, name) => createRequire(from).resolve(name), join(integration, 'package.json')));
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Mastra Studio's chat with an agent, as a person uses it. */
export class StudioChat {
  private constructor(
    readonly browser: Browser,
    readonly page: Page,
  ) {}

  /** Opens a new chat. Studio asks the internet for things; none of that is let through. */
  static async open(url: string): Promise<StudioChat> {
    const executablePath = findExecutable();
    const browser = await chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0 });
    const context = await browser.newContext({ viewport: { width: 1400, height: 900 } });
    await context.route(
      ({ hostname }) => !['localhost', '127.0.0.1'].includes(hostname),
      route => route.abort(),
    );
    const page = await context.newPage();
    await page.goto(url);
    return new StudioChat(browser, page);
  }

  async say(text: string): Promise<void> {
    const box = this.page.getByPlaceholder('Enter your message');
    await box.fill(text);
    await box.press('Enter');
  }

  get log(): Locator {
    return this.page.getByRole('log');
  }

  /** The small picture of the browser above the message box; there is none while no browser runs. */
  get preview(): Locator {
    return this.page.getByRole('button', { name: /Browser preview/ });
  }

  get liveView(): Locator {
    return this.page.locator('img[alt="Browser screencast"]');
  }

  /** Clicks a point of the page that the live view shows, given in the page's own pixels. */
  async clickInView(x: number, y: number): Promise<void> {
    const box = await this.liveView.boundingBox();
    if (box === null) throw new Error('the live view is not shown');
    const size = await this.liveView.evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight]);
    const [width = 1, height = 1] = size;
    const scale = Math.min(box.width / width, box.height / height);
    const left = box.x + (box.width - width * scale) / 2;
    const top = box.y + (box.height - height * scale) / 2;
    await this.page.mouse.click(left + x * scale, top + y * scale);
  }

  async close(): Promise<void> {
    await this.browser.close();
  }
}

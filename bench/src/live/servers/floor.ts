import { createServer } from 'node:http';
import { type CDPSession, chromium, type Page } from 'playwright-core';
import { type WebSocket, WebSocketServer } from 'ws';
import { chromiumPath, viewport } from '../../chromium.ts';
import { listenOnLoopback, stopListening } from '../listening.ts';
import { type LiveServer, streamUrl } from '../live-server.ts';

/** What the other stacks ask of Chromium when nobody asks for anything else. */
const screencastOptions = { format: 'jpeg', quality: 80, maxWidth: 1280, maxHeight: 720, everyNthFrame: 1 } as const;

/** The least a live view can do: the DevTools protocol's screencast, piped to every socket, and mouse events straight through. */
export async function startFloor(): Promise<LiveServer> {
  const browser = await chromium.launch({ executablePath: chromiumPath(), headless: true });
  const page = await (await browser.newContext({ viewport })).newPage();
  const pipe = new ScreencastPipe(page);
  const server = createServer((_, response) => response.writeHead(404).end());
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', socket => pipe.add(socket));
  return {
    url: streamUrl(await listenOnLoopback(server)),
    show: async url => void (await page.goto(url, { waitUntil: 'domcontentloaded' })),
    framesCaptured: () => pipe.frames,
    async close() {
      for (const socket of sockets.clients) socket.terminate();
      await stopListening(server);
      await browser.close();
    },
  };
}

/** Taken as it came: what is wrong with it is for Chromium to say. */
interface MouseEvent {
  type: 'mousePressed';
  x: number;
  y: number;
}

class ScreencastPipe {
  frames = 0;
  readonly #page: Page;
  readonly #sockets = new Set<WebSocket>();
  #session: Promise<CDPSession> | undefined;

  constructor(page: Page) {
    this.#page = page;
  }

  add(socket: WebSocket): void {
    this.#sockets.add(socket);
    this.#session ??= this.#start();
    socket.on('message', data => void this.#pass(String(data)));
    socket.on('close', () => void this.#remove(socket));
  }

  async #start(): Promise<CDPSession> {
    const session = await this.#page.context().newCDPSession(this.#page);
    session.on('Page.screencastFrame', ({ data, sessionId }) => {
      // A session that was detached meanwhile takes no answer, and gives no more frames that would need one.
      session.send('Page.screencastFrameAck', { sessionId }).catch(() => undefined);
      this.frames += 1;
      for (const socket of this.#sockets) socket.send(data);
    });
    await session.send('Page.startScreencast', screencastOptions);
    return session;
  }

  async #remove(socket: WebSocket): Promise<void> {
    this.#sockets.delete(socket);
    const session = this.#session;
    if (this.#sockets.size > 0 || !session) return;
    this.#session = undefined;
    // A browser that closes takes its sessions with it.
    await (await session).detach().catch(() => undefined);
  }

  async #pass(text: string): Promise<void> {
    const event = mouseEvent(text);
    const session = await this.#session;
    if (!event || !session) return;
    // What Chromium does not take is garbage, and dropped like all other.
    await session.send('Input.dispatchMouseEvent', event).catch(() => undefined);
  }
}

function mouseEvent(text: string): MouseEvent | undefined {
  try {
    const { type, eventType, ...event } = JSON.parse(text);
    return type === 'mouse' ? { type: eventType, ...event } : undefined;
  } catch {
    return undefined;
  }
}

import type { Frame, Page } from 'playwright-core';
import { describe, expect, expectTypeOf, test, vi } from 'vitest';
import type { Answer, Asked, Question } from '#page-engine/engine.js';
import type { AimAnswer, CaptureAnswer, ElementAt, Target } from '#page-engine/protocol.js';
import { loadPlaywright } from '../../src/browser/chromium/agent-browser.js';
import { EngineClient } from '../../src/browser/tab/engine.js';
import { Worlds } from '../../src/browser/tab/worlds.js';
import { PageCapture } from '../../src/snapshot/capture.js';
import { servePages } from '../fixtures.js';
import { launchForFile } from '../launched-engine.js';

const LIMITS = { timeout: 10_000 };

const { browser, engine } = await launchForFile('--site-per-process');

async function open(url: string): Promise<{ page: Page; capture: PageCapture; worlds: Worlds }> {
  const page = await browser.newPage();
  await page.goto(url);
  const worlds = new Worlds(page, engine.lines);
  return { page, worlds, capture: new PageCapture(page, engine, worlds) };
}

const titleIn = async (frame: Frame) => (await engine.call(frame, 'ping', {}, LIMITS)).title;

/** Waits until the straight way to a frame's document is known. */
async function lineTo(frame: Frame) {
  await expect.poll(() => engine.lines.get(frame)?.isOver).toBe(false);
  return engine.lines.get(frame) ?? expect.fail('the line went again');
}

/** The questions whose answers nobody can trust: `any`, unknown, or undefined, which no text stands for. */
type Unchecked = {
  [Name in Question]: unknown extends Answer<Name> ? Name : undefined extends Answer<Name> ? Name : never;
}[Question];

test('an answer has the type of its handler, and a question takes what its handler takes', () => {
  expectTypeOf<Unchecked>().toBeNever();
  expectTypeOf<Answer<'aim'>>().toEqualTypeOf<AimAnswer>();
  expectTypeOf<Answer<'at'>>().toEqualTypeOf<ElementAt | null>();
  expectTypeOf<Answer<'capture'>>().toEqualTypeOf<CaptureAnswer>();
  expectTypeOf<Asked<'facts'>>().toEqualTypeOf<{ target: Target; inView?: true }>();
  expectTypeOf(engine.call<'origin'>).returns.resolves.toBeString();
  expectTypeOf(engine.call<'aim'>).toBeCallableWith({} as Frame, 'aim', { target: {} as Target }, LIMITS);
  // @ts-expect-error Nobody answers it.
  expectTypeOf<Answer<'element'>>().toBeNever();
  // @ts-expect-error An element is named by a target.
  expectTypeOf(engine.call<'aim'>).toBeCallableWith({} as Frame, 'aim', {}, LIMITS);
  // @ts-expect-error It takes nothing.
  expectTypeOf(engine.call<'ping'>).toBeCallableWith({} as Frame, 'ping', { id: 1 }, LIMITS);
});

describe('the straight way to the engine of a document', async () => {
  const site = await servePages({
    '/': '<!doctype html><title>One</title><button>Press</button>',
    '/two': '<!doctype html><title>Two</title><button>Press</button>',
    '/named':
      '<!doctype html><title>Named</title><button>Named</button><i id="browserToolsetFirst"></i><i id="browserToolsetEngines"></i>',
    '/gesture': `<!doctype html><title>Waiting</title><button>Go</button><script>
      const look = () => { if (navigator.userActivation.hasBeenActive) document.title = 'Active'; requestAnimationFrame(look); };
      look();
    </script>`,
    '/inner': '<!doctype html><title>Inner</title><button>Inside</button>',
  });

  test('is known after the first look, and says what the other says', async () => {
    const { page, capture } = await open(site.url());
    const { doc } = await capture.take(LIMITS);
    const line = await lineTo(page.mainFrame());
    expect(line.doc).toBe(doc);
    expect(JSON.parse((await line.ask('{"do":"ping"}', LIMITS)) ?? '')).toMatchObject({ doc, title: 'One' });
    await page.close();
  });

  test('has nobody on the stack that Playwright writes out', async () => {
    const { page, capture } = await open(site.url());
    await capture.take(LIMITS);
    const { session } = (await lineTo(page.mainFrame())).world;
    const stacks: string[] = [];
    const send = vi.spyOn(session, 'send').mockImplementation(async () => {
      stacks.push(new Error('stack').stack ?? '');
      return { result: { value: '{}' } };
    });
    await titleIn(page.mainFrame());
    send.mockRestore();
    expect(stacks).toHaveLength(1);
    expect(stacks[0]).toContain('engine-line');
    expect(stacks[0]).not.toMatch(/engine\.ts|titleIn/);
    await page.close();
  });

  test('ends with its document: what is asked then, the next document answers', async () => {
    const { page, capture } = await open(site.url());
    const first = await capture.take(LIMITS);
    const line = await lineTo(page.mainFrame());
    await page.goto(site.url('/two'));
    expect(await titleIn(page.mainFrame())).toBe('Two');
    expect(await line.ask('{"do":"ping"}', LIMITS)).toBeUndefined();
    const second = await capture.take(LIMITS);
    expect(second.doc).not.toBe(first.doc);
    expect((await lineTo(page.mainFrame())).doc).toBe(second.doc);
    await page.close();
  });

  test.each(['same process', 'process of its own'])('leads into a frame in the %s', async where => {
    const { page, capture } = await open(site.url());
    const inner = site.url('/inner').replace('127.0.0.1', where === 'same process' ? '127.0.0.1' : 'localhost');
    await page.evaluate(src => {
      document.body.append(Object.assign(document.createElement('iframe'), { src }));
    }, inner);
    const frame = await (await page.waitForSelector('iframe')).contentFrame();
    await frame?.waitForLoadState();
    await capture.take(LIMITS);
    const line = await lineTo(frame as Frame);
    expect(JSON.parse((await line.ask('{"do":"ping"}', LIMITS)) ?? '')).toMatchObject({ title: 'Inner' });
    expect(line.doc).not.toBe((await lineTo(page.mainFrame())).doc);
    await page.close();
  });

  test('leads into a frame that goes to another process and back', async () => {
    const { page, capture } = await open(site.url());
    await page.evaluate(() => {
      document.body.append(document.createElement('iframe'));
    });
    const holder = await page.waitForSelector('iframe');
    const frame = (await holder.contentFrame()) ?? expect.fail('there is no frame');
    const own = async () => (await lineTo(page.mainFrame())).world.session;
    for (const host of ['127.0.0.1', 'localhost', '127.0.0.1', 'localhost']) {
      const url = site.url('/inner').replace('127.0.0.1', host);
      await holder.evaluate((iframe, src) => iframe.setAttribute('src', src), url);
      await frame.waitForURL(url);
      await capture.take(LIMITS);
      expect((await lineTo(frame)).world.session === (await own())).toBe(host === '127.0.0.1');
      expect(await titleIn(frame)).toBe('Inner');
    }
    await page.close();
  });

  test('is looked for once for many frames', async () => {
    const { page, capture } = await open(site.url());
    await page.evaluate(src => {
      const frame = () => Object.assign(document.createElement('iframe'), { src });
      document.body.append(...Array.from({ length: 30 }, frame));
    }, site.url('/inner'));
    await Promise.all(page.frames().map(frame => frame.waitForLoadState()));
    const context = page.context();
    const attach = context.newCDPSession.bind(context);
    let listed = 0;
    context.newCDPSession = async of => {
      const session = await attach(of);
      const send = session.send.bind(session) as (method: string, params?: object) => Promise<never>;
      session.send = (method: string, params?: object) => {
        if (method === 'Runtime.enable') listed++;
        return send(method, params);
      };
      return session;
    };
    expect(page.frames()).toHaveLength(31);
    // A busy machine may not tell of all of them in the time of one look.
    const isKnown = (frame: Frame) => engine.lines.get(frame)?.isOver === false;
    await expect
      .poll(async () => (await capture.take(LIMITS)) && page.frames().every(isKnown), { interval: 500 })
      .toBe(true);
    expect(listed).toBeLessThan(20);
    await page.close();
  });

  test('keeps two engines in one document apart', async () => {
    const { page, capture } = await open(site.url());
    const again = `${engine.name}-again`;
    const { PAGE_ENGINE_SOURCE } = await import('#page-engine/generated/page-engine.js');
    await loadPlaywright().selectors.register(again, { content: PAGE_ENGINE_SOURCE }, { contentScript: true });
    const { doc } = await capture.take(LIMITS);
    const other = new EngineClient(again);
    const answer = await other.call(page.mainFrame(), 'ping', {}, LIMITS);
    expect(answer.doc).not.toBe(doc);
    await lineTo(page.mainFrame());
    expect((await engine.call(page.mainFrame(), 'ping', {}, LIMITS)).doc).toBe(doc);
    await page.close();
  });

  describe('of a page that nobody has asked anything', () => {
    /** The way is not learned by looking: the engine is brought along. */
    async function openKnown(url: string) {
      const opened = await open(url);
      engine.worlds.set(opened.page, opened.worlds);
      return opened;
    }

    test('is there with the first question, without what Playwright brings', async () => {
      const { page, capture } = await openKnown(site.url());
      const { doc, roots } = await capture.take(LIMITS);
      const line = engine.lines.get(page.mainFrame()) ?? expect.fail('there is no line');
      expect(line.doc).toBe(doc);
      expect(JSON.stringify(roots.map(({ role, name }) => [role, name]))).toContain('["button","Press"]');
      const { session, uniqueId } = line.world;
      const { result } = await session.send('Runtime.evaluate', {
        expression: 'Object.keys(globalThis).filter(name => /playwright|injected/i.test(name)).length',
        uniqueContextId: uniqueId,
        returnByValue: true,
      });
      expect(result.value).toBe(0);
      await page.close();
    });

    test('leads to the engine that Playwright then acts with', async () => {
      const { page, capture } = await openKnown(site.url());
      const { doc, roots, lastId } = await capture.take(LIMITS);
      const { id, fingerprint } = roots.find(({ role }) => role === 'button') ?? expect.fail('there is no button');
      const target = { doc, id, fingerprint, lastId };
      expect(await engine.locator(page.mainFrame(), target).textContent(LIMITS)).toBe('Press');
      expect((await capture.take(LIMITS)).doc).toBe(doc);
      await page.close();
    });

    test('gives it no gesture of a person, as long as the engine only looks', async () => {
      const { page, capture } = await openKnown(site.url('/gesture'));
      const frame = page.mainFrame();
      const { doc, roots, lastId } = await capture.take(LIMITS);
      await capture.take(LIMITS);
      await engine.wait(frame, { for: 'frames' }, LIMITS);
      expect(await titleIn(frame)).toBe('Waiting');
      const { id, fingerprint } = roots.find(({ role }) => role === 'button') ?? expect.fail('there is no button');
      await engine.call(frame, 'copy', { target: { doc, id, fingerprint, lastId } }, LIMITS);
      await expect.poll(() => titleIn(frame)).toBe('Active');
      await page.close();
    });

    test('is left to Playwright where that was first', async () => {
      const { page, capture, worlds } = await open(site.url());
      const frame = page.mainFrame();
      const { doc } = await engine.call(frame, 'ping', {}, LIMITS);
      engine.worlds.set(page, worlds);
      expect(await worlds.enter()).toBeUndefined();
      expect((await capture.take(LIMITS)).doc).toBe(doc);
      expect((await lineTo(frame)).doc).toBe(doc);
      await page.close();
    });

    test('is brought again to each document, and to one that a script has written anew', async () => {
      const { page, capture } = await openKnown(site.url());
      const first = await capture.take(LIMITS);
      await page.goto(site.url('/two'));
      const second = await capture.take(LIMITS);
      expect([first.title, second.title]).toEqual(['One', 'Two']);
      expect(engine.lines.get(page.mainFrame())?.doc).toBe(second.doc);
      await page.evaluate(() => {
        document.open();
        document.write('<title>Three</title><button>Written</button>');
        document.close();
      });
      const third = await capture.take(LIMITS);
      expect(third.title).toBe('Three');
      expect(JSON.stringify(third.roots.map(({ name }) => name))).toContain('Written');
      await page.close();
    });

    test('is not mistaken for elements that have its names', async () => {
      const { page, capture } = await openKnown(site.url('/named'));
      expect(JSON.stringify((await capture.take(LIMITS)).roots.map(({ name }) => name))).toContain('Named');
      await page.close();
      const other = await open(site.url('/named'));
      expect(await titleIn(other.page.mainFrame())).toBe('Named');
      await other.page.close();
    });

    test('is brought by nobody once the page is left to others', async () => {
      const { page, worlds } = await openKnown(site.url());
      await worlds.dispose();
      expect(await worlds.enter()).toBeUndefined();
      await page.close();
    });

    test('does not keep whoever asks waiting for a page that hangs', async () => {
      const { page } = await openKnown(site.url());
      page
        .evaluate(() => {
          for (;;);
        })
        .catch(() => undefined);
      const cancelled = new AbortController();
      const asked = engine.call(page.mainFrame(), 'ping', {}, { timeout: 60_000, signal: cancelled.signal });
      cancelled.abort(new Error('enough'));
      await expect(asked).rejects.toThrow('enough');
      const late = engine.call(page.mainFrame(), 'ping', {}, { timeout: 100 });
      await expect(late).rejects.toThrow(/Timeout|did not respond/);
      await page.close();
    });
  });

  test('brings refusals', async () => {
    const { page, capture } = await open(site.url());
    const { doc } = await capture.take(LIMITS);
    await lineTo(page.mainFrame());
    const target = { doc, id: 4321, fingerprint: 1, lastId: 0 };
    const refused = await engine.call(page.mainFrame(), 'facts', { target }, LIMITS).catch(error => error);
    expect(engine.refusalOf(refused)).toMatchObject({ code: 'stale' });
    await page.close();
  });

  test('gives up in time on a page that hangs, and at once when the call is cancelled', async () => {
    const { page, capture } = await open(site.url());
    await capture.take(LIMITS);
    await lineTo(page.mainFrame());
    page
      .evaluate(() =>
        setTimeout(() => {
          for (;;);
        }),
      )
      .catch(() => undefined);
    const ask = (options: { timeout: number; signal?: AbortSignal }) =>
      engine.call(page.mainFrame(), 'ping', {}, options);
    await expect.poll(() => ask({ timeout: 100 }).catch(error => error.name)).toBe('TimeoutError');
    const cancelled = new AbortController();
    const asked = ask({ timeout: 60_000, signal: cancelled.signal });
    cancelled.abort(new Error('enough'));
    await expect(asked).rejects.toThrow('enough');
    await expect(ask({ timeout: 60_000, signal: cancelled.signal })).rejects.toThrow('enough');
    await page.close();
  });

  test('is not needed: a page whose session is gone answers as before', async () => {
    const { page, capture, worlds } = await open(site.url());
    await capture.take(LIMITS);
    await lineTo(page.mainFrame());
    await worlds.dispose();
    expect(await titleIn(page.mainFrame())).toBe('One');
    expect(engine.lines.get(page.mainFrame())?.isOver).toBe(true);
    await page.close();
  });
});

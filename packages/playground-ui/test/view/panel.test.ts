import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { test } from '../page/fixtures.js';
import { AGENT_DRIVES, VIEW_ONLY, VIEWPORT, YOU_DRIVE } from '../page/live-server.js';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** The colour of a pixel of the picture. */
function pixel(page: Page, x: number, y: number): Promise<number[]> {
  return page
    .locator('canvas')
    .evaluate(
      (canvas, at) => [...((canvas as HTMLCanvasElement).getContext('2d')?.getImageData(at.x, at.y, 1, 1).data ?? [])],
      { x, y },
    );
}

describe('the page', () => {
  test('is shown as it is', async ({ page, mount }) => {
    await mount();
    const [red = 0, green = 255, blue = 255] = await pixel(page, 20, 20);
    expect(red).toBeGreaterThan(180);
    expect(green).toBeLessThan(70);
    expect(blue).toBeLessThan(70);
    expect(
      await page
        .locator('canvas')
        .evaluate(canvas => [(canvas as HTMLCanvasElement).width, (canvas as HTMLCanvasElement).height]),
    ).toEqual([1280, 720]);
  });

  for (const [width, height] of [
    [400, 700],
    [1000, 500],
  ] as const) {
    test(`is seen whole in a panel of ${width} by ${height}, in its own proportions`, async ({ page, mount }) => {
      await mount({ width, height });
      const stage = (await page.locator('.bt-stage').boundingBox()) ?? expect.fail('it has a stage');
      const picture = (await page.locator('canvas').boundingBox()) ?? expect.fail('it is shown');
      expect(picture.width / picture.height).toBeCloseTo(16 / 9, 2);
      expect(Math.min(stage.width - picture.width, stage.height - picture.height)).toBeLessThan(1);
      expect(picture.width).toBeLessThanOrEqual(stage.width + 0.1);
      expect(picture.height).toBeLessThanOrEqual(stage.height + 0.1);
    });
  }

  test('shows where the agent acts, and what became of it', async ({ page, server, mount }) => {
    await mount();
    const action = { id: 'a1', threadId: 'thread-1', tool: 'browser_click', ref: '@e12', at: 1 };
    const box = { x: 880, y: 300, width: 320, height: 48 };
    server.say({ action: { ...action, phase: 'started' } });
    server.say({ action: { ...action, phase: 'aimed', target: 'button "Pay now"', box, point: { x: 1040, y: 324 } } });
    await page.getByText('@e12 button "Pay now"').first().waitFor();
    const picture = (await page.locator('canvas').boundingBox()) ?? expect.fail('it is shown');
    const highlight = (await page.locator('.bt-highlight').boundingBox()) ?? expect.fail('the element is marked');
    const scale = picture.width / VIEWPORT.width;
    expect(highlight.x).toBeCloseTo(picture.x + box.x * scale, 0);
    expect(highlight.y).toBeCloseTo(picture.y + box.y * scale, 0);
    expect(highlight.width).toBeCloseTo(box.width * scale, 0);
    expect(highlight.height).toBeCloseTo(box.height * scale, 0);
    server.say({ action: { ...action, phase: 'ended', success: true, summary: 'opened /order/7' } });
    await page.getByRole('img', { name: 'Done' }).waitFor();
    await page.getByText('opened /order/7').waitFor();
  });
});

describe('tabs and address', () => {
  test('ask the server, as the viewer that it knows', async ({ page, server, mount }) => {
    server.greeting.push(YOU_DRIVE);
    await mount();
    await page.getByRole('tab', { name: 'Card payment' }).click();
    await button(page, 'New tab').click();
    await button(page, 'Close Your cart - Tidewater').click();
    await button(page, 'Back').click();
    await button(page, 'Forward').click();
    await button(page, 'Reload').click();
    await page.getByRole('textbox', { name: 'Address' }).fill('shop.example/mugs');
    await page.keyboard.press('Enter');
    await server.until(() => server.requests.length === 7);
    const common = { method: 'POST', viewer: 'viewer-1' };
    const tabs = { ...common, path: '/browser/shopper/tabs' };
    const navigate = { ...common, path: '/browser/shopper/navigate' };
    const threadId = 'thread-1';
    expect(server.requests).toEqual([
      { ...tabs, body: { threadId, action: 'switch', tab: 't3' } },
      { ...tabs, body: { threadId, action: 'new' } },
      { ...tabs, body: { threadId, action: 'close', tab: 't1' } },
      { ...navigate, body: { threadId, direction: 'back' } },
      { ...navigate, body: { threadId, direction: 'forward' } },
      { ...navigate, body: { threadId, direction: 'reload' } },
      { ...navigate, body: { threadId, url: 'shop.example/mugs' } },
    ]);
  });

  test('follow the browser', async ({ page, server, mount }) => {
    await mount();
    await server.say({ url: 'https://pay.example/card' });
    await server.say({ tabs: [{ tab: 't3', url: 'https://pay.example/card', title: '', active: true }] });
    await page.getByRole('tab', { name: 'pay.example', selected: true }).waitFor();
    expect(await page.getByRole('textbox', { name: 'Address' }).inputValue()).toBe('https://pay.example/card');
    expect(await page.getByRole('tab').count()).toBe(1);
  });

  test('take control from the agent before they ask', async ({ page, server, mount }) => {
    await mount();
    await button(page, 'Reload').click();
    await server.until(() => server.requests.length === 1);
    expect(server.messages).toEqual([{ type: 'control', action: 'take' }]);
    await page.getByText('You drive').waitFor();
  });

  test('say why the server refused, and keep what was written', async ({ page, server, mount }) => {
    server.greeting.push(YOU_DRIVE);
    server.reply = {
      status: 403,
      body: { error: 'url_blocked', message: 'Addresses of this network are not allowed.' },
    };
    await mount();
    const address = page.getByRole('textbox', { name: 'Address' });
    await address.fill('http://10.0.0.1/');
    // The browser tells its own console of each refused request.
    page.removeAllListeners('console');
    await address.press('Enter');
    await page.getByRole('alert').filter({ hasText: 'Addresses of this network are not allowed.' }).waitFor();
    expect(await address.inputValue()).toBe('http://10.0.0.1/');
    await button(page, 'Dismiss').click();
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await address.press('Escape');
    expect(await address.inputValue()).toBe('https://tidewater.example/cart');
  });
});

describe('control', () => {
  test('is taken and handed back', async ({ page, server, mount }) => {
    await mount();
    await page.getByText('Agent drives').waitFor();
    await button(page, 'Take control').click();
    await page.getByText('You drive').waitFor();
    await button(page, 'Hand back').click();
    await page.getByText('Agent drives').waitFor();
    expect(server.messages).toEqual([
      { type: 'control', action: 'take' },
      { type: 'control', action: 'release' },
    ]);
  });

  test('is asked for while someone else has it, and the answer is shown', async ({ page, server, mount }) => {
    server.grantsControl = false;
    const another = { ...AGENT_DRIVES.control, holder: 'human' };
    server.greeting.push({ control: another });
    await mount();
    await page.getByText('Someone else drives').waitFor();
    await button(page, 'Ask for control').click();
    await server.until(() => server.messages.length === 1);
    server.say({ control: { ...another, requestedBy: 'you' } });
    expect(await button(page, 'Asked for control').isDisabled()).toBe(true);
    server.say({ control: { ...another, isDenied: true } });
    await page.getByText('Your request for control was refused.').waitFor();
  });

  test('is handed over or refused to who asks', async ({ page, server, mount }) => {
    server.grantsControl = false;
    server.greeting.push({ control: { ...YOU_DRIVE.control, requestedBy: 'another' } });
    await mount();
    await button(page, 'Refuse').click();
    await button(page, 'Hand over').click();
    await server.until(() => server.messages.length === 2);
    expect(server.messages).toEqual([
      { type: 'control', action: 'deny' },
      { type: 'control', action: 'release' },
    ]);
  });
});

describe('a question of the agent', () => {
  const question = {
    id: 'q1',
    threadId: 'thread-1',
    question: 'Which delivery?',
    options: [{ label: 'Standard' }, { label: 'Express' }],
  };

  test('is answered with an option, in words, or by what was done in the page', async ({ page, server, mount }) => {
    await mount();
    server.say({ question });
    await button(page, 'Express').click();
    await page.getByRole('textbox', { name: 'Your answer' }).fill('The one on Friday');
    await page.keyboard.press('Enter');
    await button(page, 'Done').click();
    server.say(YOU_DRIVE);
    await page.getByText('You drive').waitFor();
    await button(page, 'Done').click();
    await server.until(() => server.messages.length === 4);
    expect(server.messages).toEqual([
      { type: 'answer', id: 'q1', answer: 'Express' },
      { type: 'answer', id: 'q1', answer: 'The one on Friday' },
      { type: 'answer', id: 'q1', answer: 'Done' },
      { type: 'control', action: 'release' },
    ]);
    server.say({ question: null });
    await page.getByText('Which delivery?').waitFor({ state: 'detached' });
  });

  test('is seen by who may only watch, without the ways to answer', async ({ page, server, mount }) => {
    server.greeting.push(VIEW_ONLY, { question });
    await mount();
    await page.getByText('Which delivery?').waitFor();
    expect(await button(page, 'Express').count()).toBe(0);
  });
});

describe('a dialog of the page', () => {
  test('is answered with a button or in words', async ({ page, server, mount }) => {
    await mount();
    server.say({ dialog: { type: 'confirm', message: 'Remove all?' } });
    await page.getByRole('alertdialog', { name: 'The page asks: Remove all?' }).waitFor();
    await button(page, 'Cancel').click();
    server.say({ dialog: { type: 'prompt', message: 'Name?', defaultValue: 'Ann' } });
    await page.getByRole('textbox', { name: 'Answer to the page' }).fill('Bo');
    await button(page, 'OK').click();
    await server.until(() => server.messages.length === 2);
    expect(server.messages).toEqual([
      { type: 'dialog', accept: false },
      { type: 'dialog', accept: true, text: 'Bo' },
    ]);
    server.say({ dialog: null });
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
  });

  test('is seen by who may only watch, without the ways to answer', async ({ page, server, mount }) => {
    server.greeting.push(VIEW_ONLY, { dialog: { type: 'alert', message: 'Saved' } });
    await mount();
    await page.getByText('The page says: Saved').waitFor();
    expect(await button(page, 'OK').count()).toBe(0);
  });
});

describe('a stream that is not live', () => {
  test('comes back by itself after the server was lost', async ({ page, server, mount }) => {
    await mount();
    const before = server.streams.length;
    server.drop();
    await server.until(() => server.streams.length > before && server.viewers === 1);
    await page.getByRole('status', { name: 'Live view: Live' }).waitFor();
    expect(server.streams.at(-1)).toBe('/browser/shopper/stream?threadId=thread-1&frames=binary');
  });

  test('says that the browser is closed, and launches it again', async ({ page, server, mount }) => {
    await mount();
    server.say({ status: 'browser_closed' });
    await button(page, 'Relaunch').click();
    await server.until(() => server.messages.length === 1);
    expect(server.messages).toEqual([{ type: 'relaunch' }]);
    server.say({ status: 'browser_starting' });
    await page.getByText('Starting the browser…').waitFor();
    server.say({ status: 'streaming' }, VIEWPORT_MESSAGE);
    await page.getByText('Waiting for the page…').waitFor();
  });

  for (const [code, reason, text] of [
    [4403, '', 'You have no right to watch this browser.'],
    [4404, '', 'There is no such agent or thread.'],
    [1008, 'Too many messages.', 'Too many messages.'],
  ] as const) {
    test(`says what close code ${code} means and does not try again by itself`, async ({ page, server, mount }) => {
      await mount();
      const before = server.streams.length;
      server.drop(code, reason);
      await page.getByText(text).waitFor();
      expect(server.streams.length).toBe(before);
      await button(page, 'Try again now').click();
      await page.getByRole('status', { name: 'Live view: Live' }).waitFor();
    });
  }

  test('says why the server did not open it, which a browser hides', async ({ page, server, mount }) => {
    await mount();
    const before = server.streams.length;
    server.refusal = { status: 401, body: { error: 'invalid_token', message: 'The token is expired.' } };
    // The browser tells its own console of each refused request.
    page.removeAllListeners('console');
    server.drop();
    await page.getByText('The token is expired.').waitFor();
    expect(server.streams.length).toBe(before);
    server.refusal = undefined;
    await button(page, 'Try again now').click();
    await page.getByRole('status', { name: 'Live view: Live' }).waitFor();
  });

  test('is closed with the component', async ({ page, server, mount }) => {
    await mount();
    await page.evaluate(() => window.unmount());
    await server.until(() => server.viewers === 0);
  });
});

describe('sizes', () => {
  test('go from large to small to hidden and back, and the picture stays', async ({ page, mount }) => {
    await mount();
    await button(page, 'Small view').click();
    await page.getByRole('tablist').waitFor({ state: 'detached' });
    expect((await page.locator('.bt-panel').boundingBox())?.width).toBe(340);
    await button(page, 'Hide view').click();
    await page.locator('canvas').waitFor({ state: 'detached' });
    await button(page, 'Large view').click();
    await page.locator('canvas[data-frames]').waitFor();
    expect((await pixel(page, 20, 20))[0]).toBeGreaterThan(180);
  });

  test('that the host decides do not change by themselves', async ({ page, mount }) => {
    await mount({ props: { size: 'small' } });
    await button(page, 'Large view').click();
    expect(await page.getByRole('tablist').count()).toBe(0);
  });
});

describe('colours', () => {
  const background = (page: Page) =>
    page.locator('.bt-panel').evaluate(panel => getComputedStyle(panel).backgroundColor);

  for (const colorScheme of ['light', 'dark'] as const) {
    describe(`for who prefers ${colorScheme}`, () => {
      test.override({ contextOptions: { colorScheme } });

      test('are so, unless the host says otherwise', async ({ page, mount }) => {
        const [own, other] =
          colorScheme === 'dark'
            ? ['rgb(22, 24, 29)', 'rgb(255, 255, 255)']
            : ['rgb(255, 255, 255)', 'rgb(22, 24, 29)'];
        const theme = colorScheme === 'dark' ? 'light' : 'dark';
        await mount();
        expect(await background(page)).toBe(own);
        await page.evaluate(name => document.documentElement.setAttribute('data-theme', name), theme);
        expect(await background(page)).toBe(other);
        await mount({ props: { theme: colorScheme } });
        expect(await background(page)).toBe(own);
      });
    });
  }
});

describe('in React 18', () => {
  test.override({ react: 18 });

  test('the panel shows the page and sends clicks', async ({ page, server, mount }) => {
    await mount();
    await page.locator('canvas').click({ position: { x: 10, y: 10 } });
    await server.until(() => server.mouse().some(({ type }) => type === 'mouseReleased'));
    await page.getByText('You drive').waitFor();
  });
});

const VIEWPORT_MESSAGE = { viewport: VIEWPORT };

import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { imageSize } from '#vendored/image-size';
import { modelOutput } from '../../src/results/result.js';
import { screenshot } from '../../src/tools/screenshot.js';
import { expectFailure, expectSuccess } from '../fixtures.js';
import { pageOpener } from './open-page.js';

const { openPage } = pageOpener();

const COLOURS = '<body style="margin:0; background:linear-gradient(red, blue)"><h1>Colours</h1>';

async function pictureOf(result: { path?: string }): Promise<Buffer> {
  return readFile(result.path ?? '');
}

describe('a screenshot', () => {
  test.each([
    ['jpeg', 'image/jpeg', [0xff, 0xd8]],
    ['png', 'image/png', [0x89, 0x50]],
    ['webp', 'image/webp', [0x52, 0x49]],
  ] as const)('as %s is a file of that kind, as large as the viewport', async (format, mimeType, magic) => {
    const { session } = await openPage(COLOURS);
    const result = expectSuccess(await session.screenshot({ format }));
    expect(result).toMatchObject({ mimeType, width: 1280, height: 720 });
    const picture = await pictureOf(result);
    expect([...picture.subarray(0, 2)]).toEqual(magic);
    expect(imageSize(picture)).toMatchObject({ width: 1280, height: 720 });
  });

  test('is a jpeg unless it is told otherwise, and carries no bytes in the result', async () => {
    const { session } = await openPage(COLOURS);
    const result = expectSuccess(await session.screenshot());
    expect(result.mimeType).toBe('image/jpeg');
    expect(JSON.stringify(result).length).toBeLessThan(500);
  });

  test('of lower quality is smaller', async () => {
    const { session } = await openPage(COLOURS);
    const [low, high] = [await session.screenshot({ quality: 10 }), await session.screenshot({ quality: 100 })];
    expect((await pictureOf(low)).length).toBeLessThan((await pictureOf(high)).length);
  });

  test('of the whole page is as large as the page', async () => {
    const { session } = await openPage('<body style="margin:0"><div style="height:2500px">Tall</div>');
    expect(expectSuccess(await session.screenshot({ fullPage: true }))).toMatchObject({ width: 1280, height: 2500 });
  });

  test('of a very tall page comes out', async () => {
    const { session } = await openPage('<body style="margin:0"><div style="height:60000px">Tall</div>');
    const result = expectSuccess(await session.screenshot({ fullPage: true }));
    expect(result.width).toBe(1280);
    expect(result.height).toBeGreaterThanOrEqual(16_000);
  });

  test('of one element is as large as the element, and scrolls to it', async () => {
    const { session, ref } = await openPage(
      '<div style="height:2000px"></div><button style="width:120px; height:40px; box-sizing:border-box">Far</button>',
    );
    const result = expectSuccess(await session.screenshot({ ref: ref('button', 'Far') }));
    expect(result).toMatchObject({ width: 120, height: 40 });
  });

  test('of an element that went out of sight says so', async () => {
    const { session, ref, script } = await openPage('<button id="b">B</button>');
    await script('b.style.visibility = "hidden"');
    expectFailure(await session.screenshot({ ref: ref('button', 'B') }), 'element_not_visible');
  });

  test('comes out of a page whose fonts never load', async () => {
    const { session } = await openPage({
      '/': `<style>@font-face { font-family: slow; src: url(/font) } body { font-family: slow }</style><h1>Text</h1>`,
      '/font': () => undefined,
    });
    expectSuccess(await session.screenshot());
  });

  test.each([
    [{ format: 'png', quality: 50 } as const, 'quality: does not apply to png'],
    [{ ref: '@e1', fullPage: true }, 'fullPage: cannot be combined with ref'],
  ])('is refused with %j', async (input, message) => {
    const { session } = await openPage(COLOURS);
    expect(expectFailure(await session.screenshot(input), 'invalid_input').message).toContain(message);
  });
});

describe('labels', () => {
  const PAGE = `<body style="margin:0; background:white"><button style="position:absolute; left:100px; top:100px; width:200px; height:80px">One</button>
    <div style="height:1500px"></div><button style="position:absolute; left:100px; top:1300px; width:200px; height:80px">Two</button>
    <iframe title="Frame" style="position:absolute; left:500px; top:100px; border:0" srcdoc="<body style='margin:0; background:white'><button style='position:absolute; left:20px; top:40px; width:100px; height:50px'>In frame</button>"></iframe>
    <script>window.mutations = 0; new MutationObserver(records => { mutations += records.length; document.title = 'changed ' + mutations }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true })</script>`;

  test('are drawn on the picture, and the page is left untouched', async () => {
    const { session } = await openPage(PAGE);
    const plain = expectSuccess(await session.screenshot({ format: 'png' }));
    const labelled = expectSuccess(await session.screenshot({ format: 'png', labels: true }));
    expect(labelled).toMatchObject({ width: 1280, height: 720, mimeType: 'image/png' });
    expect((await pictureOf(labelled)).equals(await pictureOf(plain))).toBe(false);
    const after = expectSuccess(await session.screenshot({ format: 'png' }));
    expect((await pictureOf(after)).equals(await pictureOf(plain))).toBe(true);
    expect((await session.snapshot()).title).toBe('Test page');
    expect((await session.tabs({ action: 'list' })).tabs).toHaveLength(1);
  });

  test.each([
    ['in the viewport', false, 100, 130],
    ['on the whole page', true, 100, 1330],
    ['in a frame', false, 520, 170],
  ])('stand around their elements: %s', async (_, fullPage, x, y) => {
    const { session } = await openPage(PAGE);
    const plain = await session.screenshot({ fullPage, format: 'png' });
    const labelled = await session.screenshot({ fullPage, format: 'png', labels: true });
    expect(await differenceAt(await pictureOf(plain), await pictureOf(labelled), { x, y })).toBe(true);
    expect(await differenceAt(await pictureOf(plain), await pictureOf(labelled), { x: x - 10, y })).toBe(false);
  });

  test('give refs that can be clicked', async () => {
    const { session, ref } = await openPage(PAGE);
    expectSuccess(await session.screenshot({ labels: true }));
    expectSuccess(await session.click({ ref: ref('button', 'One') }));
  });

  test('can be drawn on one element', async () => {
    const { session, ref } = await openPage(PAGE);
    const result = expectSuccess(await session.screenshot({ ref: ref('button', 'One'), labels: true, format: 'webp' }));
    expect(result).toMatchObject({ width: 200, height: 80, mimeType: 'image/webp' });
  });
});

/** Whether two PNG pictures differ where the left edge of a box is. */
async function differenceAt(one: Buffer, other: Buffer, { x, y }: { x: number; y: number }): Promise<boolean> {
  const { newSession } = helper;
  const session = newSession();
  const page = `<title>same</title><script>(async () => {
    const pixels = await Promise.all(['${one.toString('base64')}', '${other.toString('base64')}'].map(async data => {
      const image = new Image(); image.src = 'data:image/png;base64,' + data; await image.decode();
      const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d'); canvas.drawImage(image, 0, 0);
      return String(canvas.getImageData(${x - 1}, ${y}, 3, 1).data); }));
    document.title = pixels[0] === pixels[1] ? 'same' : 'different'; document.body.textContent = 'compared'; })()</script>`;
  const { site } = await helper.openPage(page);
  await session.navigate({ url: site.url('/') });
  await session.wait({ for: { text: 'compared' } });
  const { title } = await session.snapshot();
  return title === 'different';
}

const helper = pageOpener();

describe('a screenshot that is too large for models', () => {
  /** The picture in what the model gets. */
  async function toldPicture(
    result: Parameters<typeof screenshot.headline>[0],
  ): Promise<{ text: string; data: Buffer }> {
    const output = await modelOutput(screenshot, result);
    const [text, picture] = output.type === 'content' ? output.value : [];
    if (text?.type !== 'text' || picture?.type !== 'media') return expect.fail(JSON.stringify(output));
    return { text: text.text, data: Buffer.from(picture.data, 'base64') };
  }

  test.each([
    [
      'a page of 30,000 px',
      'height:30000px',
      { fullPage: true },
      { width: 1280, height: 30_000 },
      { width: 85, height: 2_000 },
    ],
    [
      'a long page as webp, with labels',
      'height:5000px',
      { fullPage: true, format: 'webp', labels: true },
      { width: 1280, height: 5_000 },
      { width: 512, height: 2_000 },
    ],
    [
      'a wide element as png',
      'height:300px; width:4000px',
      { format: 'png', ref: 'Tall' },
      { width: 4_000, height: 300 },
      { width: 2_000, height: 150 },
    ],
  ] as const)('is shown scaled, and its file has it whole: %s', async (_, style, input, file, shown) => {
    const { session, ref } = await openPage(
      `<body style="margin:0"><button style="${style}; display:block; border:0; margin:0">Tall</button>`,
    );
    const result = expectSuccess(
      await session.screenshot({ ...input, ...('ref' in input && { ref: ref('button', input.ref) }) }),
    );
    expect(result).toMatchObject({ ...file, shown });
    expect(imageSize(await pictureOf(result))).toMatchObject(file);
    const told = await toldPicture(result);
    expect(imageSize(told.data)).toMatchObject(shown);
    expect(told.text).toContain(`Scaled to ${shown.width} x ${shown.height} here.`);
  });

  test('is not one that models take as it is', async () => {
    const { session } = await openPage('<body style="margin:0"><div style="height:1900px">Tall</div>');
    const result = expectSuccess(await session.screenshot({ fullPage: true }));
    expect(result.shown).toBeUndefined();
    expect(imageSize((await toldPicture(result)).data)).toMatchObject({ width: 1280, height: 1900 });
  });
});

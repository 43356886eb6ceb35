// Writes docs/playground.webp, the moving picture of the README: a purchase by the scripted agent, in which a person takes over.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import sharp from 'sharp';
import { startPlayground } from '../dist/server/playground.js';

const OUT = fileURLToPath(new URL('../../../docs/playground.webp', import.meta.url));
const VIEWPORT = { width: 1280, height: 760 };
/** CSS pixels. */
const WIDTH = 960;
/** Milliseconds between two pictures, and how long the last one stays. */
const PAUSE_MS = 200;
const LAST_MS = 4_000;
/** The call after which the person takes over, and where their mouse goes, in shares of the live view. */
const TAKES_OVER_AFTER = '[data-tool="browser_select"]';
const WAY = [
  [0.5, 0.4],
  [0.55, 0.6],
  [0.45, 0.75],
  [0.6, 0.7],
];

/** @typedef {{ png: Buffer, at: number }} Picture */

/**
 * Takes pictures until it is stopped.
 * @param {import('playwright-core').Page} page
 */
function film(page) {
  /** @type {Picture[]} */
  const pictures = [];
  let isRunning = true;
  const running = (async () => {
    while (isRunning) {
      const at = performance.now();
      const png = await page.screenshot({ animations: 'allow' });
      if (pictures.at(-1)?.png.equals(png) !== true) pictures.push({ png, at });
      await new Promise(resolve => setTimeout(resolve, PAUSE_MS));
    }
  })();
  return {
    pictures,
    async stop() {
      isRunning = false;
      await running;
    },
  };
}

/** @param {import('playwright-core').Page} page */
async function takeOver(page) {
  await page.getByRole('button', { name: 'Take control' }).click();
  const view = await page.locator('canvas').boundingBox();
  if (view === null) throw new Error('The live view is not shown.');
  for (const [x = 0, y = 0] of WAY) {
    await page.mouse.move(view.x + view.width * x, view.y + view.height * y, { steps: 12 });
    await page.waitForTimeout(PAUSE_MS);
  }
  await page.getByRole('button', { name: 'Hand back' }).click();
}

const dataFolder = await mkdtemp(join(tmpdir(), 'record-purchase-'));
const playground = await startPlayground({ port: 0, dataFolder });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  // Chromium's own sandbox needs privileges that root in a container does not have.
  chromiumSandbox: process.getuid?.() !== 0,
});
try {
  const page = await browser.newPage({ viewport: VIEWPORT });
  await page.goto(playground.url);
  const filming = film(page);
  await page.getByRole('button', { name: /^Buy a mug/ }).click();
  await page.locator(TAKES_OVER_AFTER).first().waitFor({ timeout: 60_000 });
  await takeOver(page);
  await page
    .getByText(/The order number is/)
    .first()
    .waitFor({ timeout: 120_000 });
  await page.waitForTimeout(PAUSE_MS * 3);
  await filming.stop();
  const { pictures } = filming;
  const frames = await Promise.all(pictures.map(({ png }) => sharp(png).resize({ width: WIDTH }).png().toBuffer()));
  const delay = pictures.map(({ at }, index) => Math.round((pictures[index + 1]?.at ?? at + LAST_MS) - at));
  const { size } = await sharp(frames, { join: { animated: true } })
    .webp({ quality: 60, effort: 6, delay, loop: 0 })
    .toFile(OUT);
  console.log(`${OUT}: ${pictures.length} pictures, ${(size / 1024).toFixed(0)} KB`);
} finally {
  await browser.close();
  await playground.close();
  await rm(dataFolder, { recursive: true, force: true });
}

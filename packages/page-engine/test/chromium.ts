import { type Browser, chromium } from 'playwright-core';
import { atWorkerEnd } from '../../../scripts/testing/endings.ts';

let launching: Promise<Browser> | undefined;

/** The Chromium of this worker. */
export function plainChromium(): Promise<Browser> {
  launching ??= launch();
  return launching;
}

async function launch(): Promise<Browser> {
  const { CHROMIUM_PATH: executablePath } = process.env;
  const browser = await chromium.launch({ ...(executablePath && { executablePath }), chromiumSandbox: false });
  atWorkerEnd(() => browser.close());
  return browser;
}

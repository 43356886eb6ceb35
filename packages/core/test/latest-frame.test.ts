import { expect, test } from 'vitest';
import { LatestFrame } from '../src/index.js';

const viewport = { width: 640, height: 480, offsetTop: 0, pageScaleFactor: 1 };
const frame = (data: string) => ({ data, viewport });

test('of several frames, longer and shorter ones, the newest is read, as often as wanted', () => {
  const latest = new LatestFrame();
  for (const data of ['c2hvcnQ=', 'QUJD'.repeat(50_000), 'QQ==', 'QUJD'.repeat(60_000), '']) {
    latest.keep(frame(data));
    expect(latest.read()).toEqual(frame(data));
    expect(latest.read()).toEqual(frame(data));
  }
});

test('there is none before the first, and none once it is forgotten', () => {
  const latest = new LatestFrame();
  expect(latest.read()).toBeUndefined();
  latest.keep(frame('QUJD'));
  latest.forget();
  expect(latest.read()).toBeUndefined();
  latest.keep(frame('QUJD'));
  expect(latest.read()).toEqual(frame('QUJD'));
});

test('a frame that was read stays as it was when others follow', () => {
  const latest = new LatestFrame();
  latest.keep(frame('QUJD'));
  const before = latest.read();
  latest.keep(frame('WFla'));
  expect(before).toEqual(frame('QUJD'));
});

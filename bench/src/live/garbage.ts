import { Random } from '../../pages/random.ts';

export type Garbage = string | Buffer;

const mouseTypes = ['mousePressed', 'mouseReleased', 'mouseMoved', 'mouseWheel'];
/** Spelled as JSON: some of these no `JSON.stringify` would write. */
const notNumbers = ['null', '"12"', '[]', '{}', 'true', '""', '"NaN"'];
const hugeNumbers = [
  '1e308',
  '-1e308',
  '1.7976931348623157e308',
  '1e999',
  '-1e999',
  '1e21',
  '-1e21',
  '4294967296',
  '-2147483649',
];
const longText = 'x'.repeat(100_000);
const deep = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;

/** Makes one message that is no input, or input that makes no sense. None of them presses inside the target. */
type Maker = (random: Random) => Garbage;

const ordinary: readonly Maker[] = [
  random => bytes(random, random.int(0, 200)),
  random => randomText(random, random.int(0, 200)),
  random => `{"type":"mouse","eventType":"mouseMoved","x":${random.int(0, 999)},`,
  () => '{}',
  () => 'null',
  () => '[{"type":"mouse"}]',
  random => `{"type":${JSON.stringify(randomText(random, 12))},"eventType":"mouseMoved","x":1,"y":1}`,
  random => mouseWith(random, `"x":${random.pick(notNumbers)},"y":${random.int(0, 99)}`),
  random => mouseWith(random, `"y":${random.int(0, 99)}`),
  random => `{"type":"mouse","eventType":${JSON.stringify(randomText(random, 12))},"x":10,"y":10}`,
  random => `{"type":"mouse","event":{"type":${JSON.stringify(randomText(random, 8))},"x":${random.pick(notNumbers)}}}`,
  random => `{"type":"keyboard","eventType":${random.pick(notNumbers)},"key":${random.pick(notNumbers)}}`,
  random => `{"type":"keyboard","eventType":"keyDown","key":${random.int(0, 99)},"code":{}}`,
  () => '{"type":"touch","event":{"type":"touchStart","touches":"everywhere"}}',
  () => '{"type":"control","action":"seize"}',
  () => '{"__proto__":{"type":"mouse"},"type":"constructor"}',
];

const rare: readonly Maker[] = [
  () => JSON.stringify({ type: 'keyboard', eventType: 'keyDown', key: longText }),
  () => deep,
  () => '{"type":"mouse","eventType":"mouseMoved","x":1,"y":1,"button":"fourth","clickCount":-3}',
  () => Buffer.from(longText),
];

/** One finite move to 1e308 ends all further input of a Chromium: for stacks that keep it from theirs. */
const hostile: readonly Maker[] = [
  random => `{"type":"mouse","eventType":"mouseMoved","x":-${random.int(1, 99_999)},"y":${random.int(2_000, 99_999)}}`,
  random => mouseAt(random.pick(mouseTypes), random.pick(hugeNumbers), random.pick(hugeNumbers)),
  random => mouseAt('mouseMoved', random.pick(hugeNumbers), `${random.int(0, 700)}`),
  random =>
    mouseAt('mouseWheel', '5', '5', `,"deltaX":${random.pick(hugeNumbers)},"deltaY":${random.pick(hugeNumbers)}`),
  random =>
    `{"type":"mouse","event":{"type":"mouseMoved","x":${random.pick(hugeNumbers)},"y":${random.pick(hugeNumbers)}}}`,
  random =>
    `{"type":"touch","event":{"type":"touchMove","touches":[{"x":${random.pick(hugeNumbers)},"y":${random.pick(hugeNumbers)}}]}}`,
];

/** The same messages at every call. */
export function garbage(count: number, isHostile: boolean): Garbage[] {
  const random = new Random('garbage');
  const makers = isHostile ? [...ordinary, ...hostile] : ordinary;
  return Array.from({ length: count }, (_, index) =>
    index % 100 === 99 ? random.pick(rare)(random) : random.pick(makers)(random),
  );
}

function mouseWith(random: Random, fields: string): string {
  return `{"type":"mouse","eventType":"${random.pick(mouseTypes)}",${fields}}`;
}

function mouseAt(type: string, x: string, y: string, more = ''): string {
  return `{"type":"mouse","eventType":"${type}","x":${x},"y":${y},"button":"left"${more}}`;
}

function bytes(random: Random, length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => random.int(0, 255)));
}

function randomText(random: Random, length: number): string {
  return Array.from({ length }, () => String.fromCodePoint(random.int(1, 0xd7ff))).join('');
}

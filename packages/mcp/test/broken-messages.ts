/** Numbers that are the same at each run. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return sides => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % sides;
  };
}

const JUNK: readonly unknown[] = [
  null,
  true,
  -1,
  1e308,
  Number.MAX_SAFE_INTEGER + 2,
  '',
  'x'.repeat(2000),
  [],
  [[[[[[[]]]]]]],
  {},
  { __proto__: null },
  { jsonrpc: '2.0' },
  'tools/call',
];
const METHODS = ['tools/call', 'tools/list', 'resources/read', 'initialize', 'ping', 'no/such', 'prompts/get', 'x'];

/** Makes what is no good message of the protocol: cut off, of wrong types, unknown methods, numbers beyond all bounds. */
export function brokenMessages(seed: number): () => string {
  const roll = dice(seed);
  const junk = (): unknown => JUNK[roll(JUNK.length)];
  return () => {
    const message = {
      jsonrpc: roll(4) === 0 ? junk() : '2.0',
      id: roll(3) === 0 ? junk() : 1_000_000 + roll(1_000_000),
      method: roll(4) === 0 ? junk() : METHODS[roll(METHODS.length)],
      params: roll(3) === 0 ? junk() : { name: junk(), arguments: junk(), uri: junk(), cursor: junk(), _meta: junk() },
    };
    const text = JSON.stringify(roll(10) === 0 ? [message, junk()] : message);
    return roll(5) === 0 ? text.slice(0, roll(text.length)) : text;
  };
}

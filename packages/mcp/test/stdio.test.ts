import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MESSAGE_BYTES, StdioTransport } from '../src/stdio/stdio-transport.js';
import { Command } from './command.js';

const MORE = 'x'.repeat(MESSAGE_BYTES);
const TOO_LONG = { code: -32_600, message: expect.stringContaining(`more than ${MESSAGE_BYTES} bytes`) };

describe('the command over standard input', () => {
  let command: Command;
  beforeAll(async () => {
    command = await new Command().initialized();
  });
  afterAll(async () => {
    command.process.stdin?.end();
    expect(await command.ended()).toBe(0);
  });

  /** The answers to what is written, in their order. */
  async function answersTo(...lines: string[]): Promise<unknown[]> {
    const before = command.lines.length;
    for (const line of lines) command.write(line);
    await command.ask('ping', {});
    return command.lines.slice(before, -1).map(line => JSON.parse(line));
  }

  it.each([
    ['its id before the rest', 71, `{"jsonrpc":"2.0","id":71,"method":"tools/call","params":{"id":1,"x":"${MORE}"}}`],
    ['its id after the rest', 'b"2', `{"params":{"x":"\\"${MORE}","id":1},"method":"tools/call","id":"b\\"2"}`],
    ['no id', null, `{"jsonrpc":"2.0","method":"notifications/x","params":{"id":3,"x":"${MORE}"}}`],
    ['no end', null, `{"jsonrpc":"2.0","method":"tools/call","params":{"id":3,"x":"${MORE}`],
    ['nothing but text', null, MORE.repeat(3)],
    ['an id without an end', null, `{"jsonrpc":"2.0","method":"tools/call","id":"${MORE}"}`],
  ])('answers a message of more than 10 MB that has %s, and goes on', async (_, id, line) => {
    expect(await answersTo(line)).toEqual([{ jsonrpc: '2.0', id, error: TOO_LONG }]);
    expect((await command.ask('tools/list', {})).result).toMatchObject({ tools: expect.any(Array) });
  });

  it('takes a message of nearly 10 MB', async () => {
    const line = `{"jsonrpc":"2.0","id":"large","method":"ping","params":{"_meta":{"x":"${MORE.slice(200)}"}}}`;
    expect(await answersTo(line)).toEqual([{ jsonrpc: '2.0', id: 'large', result: {} }]);
  });

  it('keeps no more of a line than it may have', async () => {
    const { pid, stdin } = command.process;
    /** The most memory that it ever had, in MB. */
    const most = (): number => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
    const before = most();
    const piece = Buffer.alloc(1_000_000, 'x');
    stdin?.write('{"jsonrpc":"2.0","id":72,"method":"ping","params":{"x":"');
    for (let times = 0; times < 600; times++)
      if (!stdin?.write(piece)) await once(stdin as NodeJS.WritableStream, 'drain');
    expect(await answersTo('"}}')).toEqual([{ jsonrpc: '2.0', id: 72, error: TOO_LONG }]);
    expect(most() - before).toBeLessThan(300);
  });

  it.each([
    ['hello', null, -32_700],
    ['{"jsonrpc":"2.0","id":1,', null, -32_700],
    ['[]', null, -32_600],
    ['null', null, -32_600],
    ['{"id":73,"method":"ping"}', 73, -32_600],
    ['{"jsonrpc":"2.0","id":{},"method":"ping"}', null, -32_600],
  ])('answers %s, which is no message', async (line, id, code) => {
    expect(await answersTo(line)).toMatchObject([{ jsonrpc: '2.0', id, error: { code } }]);
  });

  it('does not answer answers', async () => {
    expect(await answersTo('{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"?"}}', '', ' \r')).toEqual([]);
  });

  it('answers each message of several that come as one', async () => {
    const several = [
      { jsonrpc: '2.0', id: 74, method: 'ping' },
      { jsonrpc: '2.0', method: 'notifications/x' },
      7,
      { jsonrpc: '2.0', id: 75, method: 'ping' },
    ];
    const answers = await answersTo(JSON.stringify(several));
    expect(answers).toHaveLength(3);
    expect(answers).toEqual(
      expect.arrayContaining([
        { jsonrpc: '2.0', id: 74, result: {} },
        { jsonrpc: '2.0', id: 75, result: {} },
        { jsonrpc: '2.0', id: null, error: expect.objectContaining({ code: -32_600 }) },
      ]),
    );
  });

  it('reads on after bytes that are no UTF-8', async () => {
    const [begin, end] = ['{"jsonrpc":"2.0","id":76,"method":"ping","params":{"_meta":{"x":"', '"}}}\n'];
    command.process.stdin?.write(
      Buffer.concat([Buffer.from(begin), Buffer.from([0xff, 0xc3, 0x28]), Buffer.from(end)]),
    );
    await expect
      .poll(() => command.lines.map(line => JSON.parse(line)))
      .toContainEqual({ jsonrpc: '2.0', id: 76, result: {} });
  });
});

describe('a transport', () => {
  async function opened() {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const transport = new StdioTransport(input, output);
    const messages: JSONRPCMessage[] = [];
    const closed = Promise.withResolvers<void>();
    transport.onmessage = message => messages.push(message);
    transport.onclose = closed.resolve;
    await transport.start();
    return { input, output, messages, closed: closed.promise };
  }

  it('takes a message byte by byte, and the last one without the end of its line', async () => {
    const { input, messages, closed } = await opened();
    const message = { jsonrpc: '2.0', id: 1, method: 'ping', params: { _meta: { x: 'Zażółć 🦫' } } };
    for (const byte of Buffer.from(`${JSON.stringify(message)}\r\n`)) input.write(Buffer.from([byte]));
    input.end(JSON.stringify({ ...message, id: 2 }));
    await closed;
    expect(messages).toEqual([message, { ...message, id: 2 }]);
  });

  it('has an answer that is too long count as a failure, for whoever waits for it', async () => {
    const { input, output, messages, closed } = await opened();
    input.end(`{"jsonrpc":"2.0","id":5,"result":{"x":"${MORE}"}}\n`);
    await closed;
    expect(messages).toEqual([{ jsonrpc: '2.0', id: 5, error: TOO_LONG }]);
    expect(output.read()).toBeNull();
  });

  it('ends once its input has ended, whatever was cut off', async () => {
    const { input, output, messages, closed } = await opened();
    input.end(`{"jsonrpc":"2.0","id":6,"method":"ping","params":{"x":"${MORE}`);
    await closed;
    expect(messages).toEqual([]);
    expect(JSON.parse(String(output.read()))).toEqual({ jsonrpc: '2.0', id: 6, error: TOO_LONG });
  });
});

import { describe, expect, test } from 'vitest';
import { chosenModel } from '../../src/demo/model-choice.js';
import { parseOptions } from '../../src/demo/options.js';

describe('the command line', () => {
  test('needs nothing', () => {
    expect(parseOptions([])).toEqual({ help: false, headed: false, maxSteps: 40 });
  });

  test('takes a task, an address without a scheme, a limit and a window', () => {
    const options = parseOptions([
      '--task',
      'Find the news',
      '--url',
      'news.example/today',
      '--max-steps=7',
      '--headed',
    ]);
    expect(options).toEqual({
      help: false,
      headed: true,
      maxSteps: 7,
      task: 'Find the news',
      url: 'https://news.example/today',
    });
  });

  test('chooses between the playground and the terminal', () => {
    expect(parseOptions(['--terminal'])).toMatchObject({ terminal: true });
    expect(parseOptions(['--port', '0'])).toMatchObject({ port: 0 });
    expect(parseOptions([], { PORT: '4700' })).toMatchObject({ port: 4700 });
    expect(parseOptions(['--port', '4800'], { PORT: '4700' })).toMatchObject({ port: 4800 });
    expect(parseOptions(['--terminal'], { PORT: '4700' })).not.toHaveProperty('port');
  });

  test.each([
    [['--tsak', 'x'], "Unknown option '--tsak'. Try --help."],
    [['buy'], /^Unexpected argument 'buy'.* Try --help\.$/],
    [['--task'], /^Option '--task <value>' argument missing\. Try --help\.$/],
    [['--task', '  '], '--task is empty: say what to do, in quotes.'],
    [['--url', 'https://a.example'], '--url needs --task: say what to do there.'],
    [['--task', 'x', '--url', 'file:///etc/hosts'], '--url must be a web address, not "file:///etc/hosts".'],
    [['--task', 'x', '--url', 'not an address'], '--url must be a web address, not "not an address".'],
    [['--port', '70000'], 'The port must be a number from 0 to 65535, not "70000".'],
    [['--terminal', '--port', '1'], '--port is for the playground, not the terminal.'],
    [['--max-steps', '0'], '--max-steps must be a number from 1 to 9999, not "0".'],
    [['--max-steps', 'many'], '--max-steps must be a number from 1 to 9999, not "many".'],
  ])('refuses %j in one sentence', (argv, sentence) => {
    expect(() => parseOptions(argv)).toThrow(sentence);
  });
});

describe('MODEL', () => {
  test('is none of our business when it is not set', () => {
    expect(chosenModel({})).toBeUndefined();
    expect(chosenModel({ MODEL: ' ' })).toBeUndefined();
  });

  test('comes with the key of its provider, under any of its names', () => {
    expect(chosenModel({ MODEL: 'openai/gpt-5', OPENAI_API_KEY: 'k' })?.config).toBe('openai/gpt-5');
    expect(chosenModel({ MODEL: 'google/gemini-2.5-pro', GOOGLE_GENERATIVE_AI_API_KEY: 'k' })?.config).toBe(
      'google/gemini-2.5-pro',
    );
  });

  test('without its key names the variable to set', () => {
    expect(() => chosenModel({ MODEL: 'openai/gpt-5' })).toThrow(
      'MODEL is openai/gpt-5, which needs an API key: set OPENAI_API_KEY too.',
    );
    expect(() => chosenModel({ MODEL: 'gpt-5' })).toThrow('MODEL must look like provider/model');
    expect(() => chosenModel({ MODEL: 'nobody/one' })).toThrow('knows no provider "nobody"');
  });

  test('any server that speaks the OpenAI protocol has a model', () => {
    const url = 'http://127.0.0.1:11434/v1';
    expect(chosenModel({ MODEL_URL: url, MODEL: 'qwen/qwen3:8b' })?.config).toEqual({
      id: 'local/qwen/qwen3:8b',
      url,
      apiKey: 'none',
    });
    expect(chosenModel({ MODEL_URL: url, MODEL: 'm', MODEL_API_KEY: 'k' })).toMatchObject({
      id: `m at ${url}`,
      config: { id: 'local/m', url, apiKey: 'k' },
    });
    expect(() => chosenModel({ MODEL_URL: url })).toThrow('MODEL_URL needs MODEL too');
    expect(() => chosenModel({ MODEL_URL: 'localhost', MODEL: 'm' })).toThrow('must be a web address');
  });
});

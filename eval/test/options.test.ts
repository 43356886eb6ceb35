import { expect, it } from 'vitest';
import { parseOptions } from '../src/options.ts';

it('reads what is asked for, with paths from where the person is', () => {
  const argv = [
    '--',
    '--model',
    'openai/gpt-5-mini',
    '--suite',
    'w.jsonl',
    '--agents',
    'plain,browser',
    '--repeat',
    '3',
    '--price',
    '0.25,2',
  ];
  expect(parseOptions(argv, '/home/ann')).toMatchObject({
    model: 'openai/gpt-5-mini',
    suite: '/home/ann/w.jsonl',
    agents: ['browser', 'plain'],
    repeat: 3,
    price: { input: 0.25, output: 2, cached: 0.25 },
  });
});

it.each([
  [['--repeat', '0'], /--repeat takes a whole number/],
  [['--agents', 'browser,other'], /--agents knows browser and plain, not "other"/],
  [['--price', '1,'], /--price takes two or three numbers/],
  [['--tasks', '('], /--tasks is no regular expression/],
  [['--modle', 'x'], /--modle.*--help/],
])('says what is wrong with %j', (argv, message) => {
  expect(() => parseOptions(argv, '/')).toThrow(message);
});

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readSuiteFile, suiteOf } from '../src/suite/suite-file.ts';

const VOYAGER = [
  '{"web_name": "Recipes", "id": "Recipes--0", "ques": "Find a soup with 4 stars.", "web": "https://recipes.example/"}',
  '',
  '{"web_name": "Recipes", "id": "Recipes--1", "ques": "Find a bread.", "web": "https://recipes.example/"}',
];
const MIND2WEB = [
  {
    task_id: 'a1',
    confirmed_task: 'Find a hotel',
    website: 'https://www.hotels.example/',
    reference_length: 6,
    level: 'medium',
  },
  { task_id: 'a2', confirmed_task: 'Rent a car', website: 'cars.example', reference_length: 11, level: 'hard' },
];

it('reads the JSON Lines of WebVoyager, with empty lines between', () => {
  expect(suiteOf(VOYAGER.join('\n'), 'v.jsonl')).toEqual({
    format: 'WebVoyager',
    tasks: [
      { id: 'Recipes--0', site: 'Recipes', task: 'Find a soup with 4 stars.', url: 'https://recipes.example/' },
      { id: 'Recipes--1', site: 'Recipes', task: 'Find a bread.', url: 'https://recipes.example/' },
    ],
  });
});

it('reads a single line of WebVoyager, which is a JSON document as well', () => {
  expect(suiteOf(VOYAGER[0] ?? '', 'v.jsonl').tasks).toHaveLength(1);
});

it('reads the list of Online-Mind2Web, and brings a scheme to addresses without one', () => {
  const { format, tasks } = suiteOf(JSON.stringify(MIND2WEB), 'm.json');
  expect(format).toBe('Online-Mind2Web');
  expect(tasks).toEqual([
    { id: 'a1', site: 'www.hotels.example', task: 'Find a hotel', url: 'https://www.hotels.example/', level: 'medium' },
    { id: 'a2', site: 'cars.example', task: 'Rent a car', url: 'https://cars.example', level: 'hard' },
  ]);
});

it('reads own tasks as a list and below "tasks"', () => {
  const own = [{ id: '1', task: 'What is the price?', url: 'https://shop.example/', expected: '12 dollars' }];
  const tasks = [{ ...own[0], site: 'shop.example' }];
  expect(suiteOf(JSON.stringify(own, null, 2), 'own.json')).toEqual({ format: 'own', tasks });
  expect(suiteOf(JSON.stringify({ tasks: own }, null, 2), 'own.json')).toEqual({ format: 'own', tasks });
});

it.each([
  ['a line that is no JSON', `${VOYAGER[0]}\n{"web_name": "R", id}`, /v\.jsonl, line 2: this is no JSON/],
  [
    'a field that is missing',
    `${VOYAGER[0]}\n\n{"web_name": "R", "id": "R--1", "web": "https://r.example"}`,
    /v\.jsonl, line 3 \(WebVoyager\): ques: /,
  ],
  [
    'an address that is none',
    `${VOYAGER[0]}\n{"web_name": "R", "id": "R--1", "ques": "?", "web": "not an address"}`,
    /line 2 \(WebVoyager\): web: expected a web address/,
  ],
  [
    'an id that is there twice',
    `${VOYAGER[0]}\n${VOYAGER[0]}`,
    /line 2: the id "Recipes--0" is that of line 1 as well/,
  ],
  ['a list that ends too early', '[\n  {"task_id": "a"},\n', /v\.jsonl, line 3: this is no JSON/],
  [
    'an entry of a list',
    JSON.stringify([MIND2WEB[0], { ...MIND2WEB[1], level: 3 }], null, 2),
    /line 9 \(Online-Mind2Web\): level: /,
  ],
  [
    'a field that own tasks do not have',
    '[\n{"id": "1", "task": "?", "url": "https://a.example", "expcted": "x"}]',
    /line 2 \(own\): .*expcted/,
  ],
  ['an empty file', '\n', /v\.jsonl has no tasks/],
  [
    'an unknown format',
    '[{"question": "?"}]',
    /line 1: this is no task of a known format: WebVoyager \(with the field ques\)/,
  ],
  ['a document without tasks', '{\n  "name": "x"\n}', /expected a list of tasks/],
])('names line and field of %s', (_, content, message) => {
  expect(() => suiteOf(content, 'v.jsonl')).toThrow(message);
});

it('reads a file, and says when there is none', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'suite-'));
  await writeFile(join(folder, 'v.jsonl'), VOYAGER.join('\n'));
  expect((await readSuiteFile(join(folder, 'v.jsonl'))).tasks).toHaveLength(2);
  await expect(readSuiteFile(join(folder, 'w.jsonl'))).rejects.toThrow(/there is no such file/);
  await rm(folder, { recursive: true });
});

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerProblems, finalAnswer } from '../src/suite/final-answer.ts';
import { OWN_SUITE } from '../src/suite/own-suite.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'checks-'));
});
afterAll(() => rm(folder, { recursive: true }));

it('has twenty tasks and more, each with an id of its own, a level and a script', () => {
  expect(OWN_SUITE.length).toBeGreaterThanOrEqual(20);
  expect(new Set(OWN_SUITE.map(({ id }) => id)).size).toBe(OWN_SUITE.length);
  expect(OWN_SUITE.filter(({ level, script }) => level === undefined || script === undefined)).toEqual([]);
});

describe('when nothing is done', () => {
  it.each(OWN_SUITE.map(task => [task.id, task] as const))(
    '%s has not passed, whatever is claimed',
    async (_, task) => {
      const stage = await task.open(folder);
      const ending = { steps: [], lastPage: '', signal: new AbortController().signal };
      try {
        for (const answer of ['', 'All of it is done.', 'Done.\nANSWER: yes, 0']) {
          const verdict = await stage.judge({ ...ending, answer });
          expect(verdict).toMatchObject({ passed: false, by: 'server' });
          expect(verdict.reason).not.toBe('');
        }
      } finally {
        await stage[Symbol.asyncDispose]();
      }
    },
  );
});

describe('a typed answer', () => {
  it.each([
    ['It is open.\nANSWER: QZ7R4M', 'QZ7R4M'],
    ['**Answer:** `QZ7R4M`.', 'QZ7R4M'],
    ['ANSWER: 1\nI looked again.\nANSWER: 2', '2'],
    ['No line says it', undefined],
  ])('of %j is %j', (words, answer) => {
    expect(finalAnswer(words)).toBe(answer);
  });

  it.each([
    ['ANSWER: $1,234.00', 1234],
    ['ANSWER: CHF 31', 31],
    ['ANSWER: ben ek', 'Ben Ek'],
  ])('%j is taken for %j', (words, expected) => {
    expect(answerProblems(words, expected)).toEqual([]);
  });

  it.each([
    ['ANSWER: 31 or 47', 31],
    ['ANSWER: none', 0],
    ['ANSWER:', 0],
    ['ANSWER: Ben Ek or Ann Berg', 'Ben Ek'],
    ['31', 31],
  ])('%j is not taken for %j', (words, expected) => {
    expect(answerProblems(words, expected)).not.toEqual([]);
  });
});

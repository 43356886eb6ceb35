import { expect, test } from 'vitest';
import { judgeAgentPrompt } from '../src/report/agent-prompt-report.ts';

test('the bar weighs system prompt, schema and messages together', () => {
  const verdict = (message: number) =>
    judgeAgentPrompt({ 'demo shop': { system: 50_000, schema: 52_639, message, history: 1 } }).map(({ pass }) => pass);
  expect(verdict(100_000)).toEqual([true]);
  expect(verdict(100_001)).toEqual([false]);
  expect(judgeAgentPrompt({ another: { system: 1, schema: 1, message: 1, history: 1 } })).toEqual([]);
});

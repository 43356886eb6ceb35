import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type Step, step } from '@browser-toolset/playground/dist/scripted-model/index.js';
import type { ServedSite } from '../sites/site.ts';
import { answerLine, answerProblems } from './final-answer.ts';
import type { EvalTask } from './task.ts';

interface OwnTask<State> {
  id: string;
  level: 'easy' | 'medium' | 'hard';
  /** In a user's words, without the address. */
  goal: string;
  /** For tasks whose result is an answer: what it must look like, and what it must be by the server's data. */
  answer?: { form: string; expected: (state: State) => string | number };
  /** Files to hand in, by name. */
  files?: Readonly<Record<string, string>>;
  /** What the server holds that it should not, and the other way round: nothing, when the task is done. */
  problems: (state: State) => string[];
  /** How it is done, once the site is open. */
  script: readonly Step[];
}

const OPEN = step('I open the site.', 'browser_navigate', view => ({ url: view.findInTask(/https?:\/\/\S+/) }));
const LOOK = step('I have not read that far yet, so I look at the page.', 'browser_snapshot', () => ({
  interactiveOnly: false,
}));

/** Tasks on one site, each of which gets a site of its own that nobody has touched. */
export function tasksOn<State>(
  site: string,
  serve: () => Promise<ServedSite<State>>,
  tasks: readonly OwnTask<State>[],
): EvalTask[] {
  return tasks.map(({ id, level, goal, answer, files = {}, problems, script }) => ({
    id,
    site,
    level,
    script: { id, look: LOOK, steps: [OPEN, ...script] },
    open: async folder => {
      const uploads = join(folder, 'given');
      const paths = Object.keys(files).map(name => join(uploads, name));
      if (paths.length > 0) await mkdir(uploads, { recursive: true });
      for (const [name, text] of Object.entries(files)) await writeFile(join(uploads, name), text);
      const served = await serve();
      const told = paths.map(path => `The file is ${path}`);
      const prompt = [goal, `Start at ${served.url}`, ...told, ...(answer ? [answerLine(answer.form)] : [])].join('\n');
      return {
        prompt,
        state: served.state,
        ...(paths.length > 0 && { uploads }),
        judge: async ending => {
          const found = problems(served.state);
          if (answer !== undefined) found.push(...answerProblems(ending.answer, answer.expected(served.state)));
          return { passed: found.length === 0, by: 'server', reason: found.join('; ') };
        },
        [Symbol.asyncDispose]: () => served[Symbol.asyncDispose](),
      };
    },
  }));
}

/** Says how what the server holds differs from what it should hold. */
export function differences(what: string, found: unknown, expected: unknown): string[] {
  if (isDeepStrictEqual(found, expected)) return [];
  return [`${what}: expected ${JSON.stringify(expected)}, the server has ${JSON.stringify(found)}`];
}

import { relative } from 'node:path';
import type { RunResult } from '../results.ts';
import type { TracedCall, TracedStep } from '../suite/task.ts';

const MOST_TEXT = 6_000;

export interface Transcript {
  run: RunResult;
  prompt: string;
  steps: readonly TracedStep[];
  /** Folder that the transcript stands in. */
  folder: string;
}

/** A run as Markdown, for a person to read. */
export function transcript({ run, prompt, steps, folder }: Transcript): string {
  const { task, agent, repeat, passed, by, reason, answer, ended, error, seconds, tokens } = run;
  return `${[
    `# ${task}, ${agent}, run ${repeat}`,
    `**${error === undefined ? (passed ? 'Passed' : 'Failed') : 'Error'}** (${by === 'server' ? "by the server's data" : 'in the opinion of a model'}), ended with \`${ended}\` after ${seconds.toFixed(1)} s, ${tokens.input} tokens in, ${tokens.output} out.`,
    ...(error === undefined ? [] : [fenced(error)]),
    ...(reason === '' ? [] : [`What was found: ${reason}`]),
    '## Task',
    fenced(prompt),
    ...steps.flatMap(step => stepParts(step, folder)),
    '## Answer',
    fenced(answer === '' ? '(none)' : answer),
  ].join('\n\n')}\n`;
}

function stepParts({ number, said, calls, tokens, picture }: TracedStep, folder: string): string[] {
  return [
    `## ${number === 0 ? 'Before the first step' : `Step ${number}`}`,
    ...(said === ''
      ? []
      : [
          said
            .split('\n')
            .map(line => `> ${line}`)
            .join('\n'),
        ]),
    ...calls.map(callPart),
    ...(tokens.input > 0 ? [`${tokens.input} tokens in, ${tokens.output} out`] : []),
    ...(picture === undefined ? [] : [`![The page after this step](${encodeURI(relative(folder, picture))})`]),
  ];
}

function callPart({ name, input, success, text }: TracedCall): string {
  const cut =
    text.length > MOST_TEXT ? `${text.slice(0, MOST_TEXT)}\n… (${text.length - MOST_TEXT} more characters)` : text;
  return `${success ? '✓' : '✗'} \`${name}\`\n\n${fenced(JSON.stringify(input), 'json')}\n\n${fenced(cut)}`;
}

/** In a fence that is longer than any within: pages may hold anything. */
function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

import type { AgentHistory, StepRecord } from '@browser-toolset/browser-agent';
import { step, type TaskScript } from '@browser-toolset/playground/dist/scripted-model/index.js';
import { describe, expect, it } from 'vitest';
import { loadResults } from '../src/eval-folder.ts';
import { evaluate } from '../src/evaluation.ts';
import { parseOptions } from '../src/options.ts';
import { cut, invalid, type MeantAnswer, mistypes, thinks } from '../src/play/faulty-answers.ts';
import { FaultyModel } from '../src/play/faulty-model.ts';
import { prepare } from '../src/prepare.ts';
import { faultProblems, faultRows } from '../src/report/faults.ts';
import type { RunResult } from '../src/results.ts';
import { Begun, stage } from './fixtures.ts';

const { out } = stage();
const SEEDS = Array.from({ length: 60 }, (_, i) => i);
const meant: MeantAnswer = {
  evaluation: 'Success: it is open',
  memory: 'The code is 4711',
  nextGoal: 'Write it down',
  actions: [{ fill_form: { fields: [{ ref: '@e2', value: '4711' }], submit: true } }],
};
const whole = JSON.stringify(meant);
const json = (text: string): unknown => JSON.parse(text);

describe('the answers of a model that errs', () => {
  it('are no JSON where they are cut, and are the beginning of what was meant', () => {
    const texts = SEEDS.map(seed => cut(meant, seed));
    for (const { text } of texts) {
      expect(whole.startsWith(text)).toBe(true);
      expect(() => json(text)).toThrow(SyntaxError);
    }
    expect(new Set(texts.map(({ finishReason }) => finishReason))).toEqual(new Set(['length', 'stop']));
  });

  it('end with what was meant behind thoughts, in which something else stands', () => {
    for (const seed of SEEDS) {
      const { text } = thinks(meant, { seed, page: 'button "Send" @e2\nbutton "Delete all" @e3' });
      const at = text.lastIndexOf(whole);
      expect(at).toBeGreaterThan(0);
      expect(text.slice(0, at)).toMatch(/"(?:done|click)":\{(?:"text"|"ref":"@e3")/);
    }
  });

  it('say what was meant where their form is wrong, and nothing where they are invalid', () => {
    for (const seed of SEEDS) {
      expect(JSON.stringify(json(mistypes(meant, seed).text))).toContain('fill_form');
      expect(invalid(meant, seed).text).not.toContain('fill_form');
    }
    expect(new Set(SEEDS.map(seed => mistypes(meant, seed).text)).size).toBeGreaterThan(8);
  });
});

const script: TaskScript = {
  id: 'look',
  // The first one opens the page, which the loop has done.
  steps: Array.from({ length: 41 }, (_, i) => step(`I look for ${i}.`, 'browser_find', () => ({ text: `${i - 1}` }))),
};

/** The message of a step, after steps that ended so. */
function asked(steps: readonly ('taken' | 'lost')[]): never {
  const told = steps.map((how, i) => {
    const said = how === 'taken' ? 'Did: find {}: fine' : 'This step failed: Your answer did not fit';
    return `<step ${i + 1}>\n${said}\n</step>`;
  });
  const text = `<agent_history>\n${told.slice(-3).join('\n')}\n</agent_history>\n<agent_state>\nStep ${steps.length + 1} of at most 50.\n</agent_state>`;
  return { prompt: [{ role: 'user', content: [{ type: 'text', text }] }] } as never;
}

describe('a model that errs', () => {
  it('has an invalid answer in five, each other fault as well, and goes by its script beside the steps that were lost', async () => {
    const faulty = new FaultyModel(script, 1);
    const steps: ('taken' | 'lost')[] = [];
    const history: Pick<StepRecord, 'step' | 'results'>[] = [];
    for (let taken = 0; taken < 20 && steps.length < 100; ) {
      try {
        const { content, finishReason } = await faulty.model.doGenerate(asked(steps));
        const [part] = content;
        const text = part?.type === 'text' ? part.text : '';
        const wanted = { find: { text: `${taken}` } };
        const isTaken =
          finishReason === 'stop' && text.startsWith('{') && text.endsWith(`${JSON.stringify([wanted])}}`);
        steps.push(isTaken ? 'taken' : 'lost');
        if (!isTaken) continue;
        taken++;
        const result = { action: 'find', input: { text: wanted.find.text }, success: true, text: '', duration: 1 };
        history.push({ step: steps.length, results: [result] });
      } catch (error) {
        expect((error as Error).message).toMatch(/answers with (?:429|500)|terminated/);
      }
    }
    expect(history).toHaveLength(20);
    const record = { steps: history, success: true } as AgentHistory;
    const { counts, wrong, falseSuccess, lostSteps } = faulty.findings(record, true);
    const kinds = ['broken stream', 'cut', 'invalid', 'mistyped', 'rate limit', 'server error', 'thinks'];
    expect(Object.keys(counts).toSorted()).toEqual(kinds);
    const questions =
      steps.length +
      Object.entries(counts).reduce((sum, [kind, n]) => sum + (/rate|server|broken/.test(kind) ? n : 0), 0);
    expect((counts.invalid ?? 0) / questions).toBeCloseTo(0.2, 1);
    expect([wrong, falseSuccess, lostSteps > 0]).toEqual([[], false, true]);
    expect(faulty.findings(record, false).falseSuccess).toBe(true);
    const other = { action: 'click', input: { ref: '@e3' }, success: true, text: '', duration: 1 };
    const [first] = history;
    const harmed = faulty.findings({ steps: [{ ...first, results: [other] }] }, true);
    expect(harmed.wrong).toEqual([`step ${first?.step}: {"click":{"ref":"@e3"}} instead of {"find":{"text":"0"}}`]);
  });
});

describe('an eval with faults', () => {
  it('plays a task to its end, by nothing but what the model meant', async () => {
    const options = parseOptions(['--faults', '--tasks', '^mail-archive', '--out', out('faults')], '/');
    const { model: _, ...eval_ } = await prepare(options, {});
    const signal = new AbortController().signal;
    await evaluate({ ...eval_, model: undefined, headed: false, signal, progress: new Begun() });
    const { runs, settings } = await loadResults(out('faults'));
    expect(settings).toMatchObject({ agents: ['browser'], faults: true });
    expect(runs).toMatchObject([{ passed: true, faults: { falseSuccess: false, wrong: [] } }]);
    expect(faultProblems(runs)).toEqual([]);
  });

  it('is for the scripted model alone', async () => {
    const refused = (argv: string[]) => prepare(parseOptions(['--faults', ...argv, '--out', out('none')], '/'), {});
    await expect(refused(['--agents', 'plain'])).rejects.toThrow(/--faults is for the scripted model/);
    await expect(
      prepare(parseOptions(['--faults', '--model', 'x', '--out', out('none')], '/'), {
        MODEL_URL: 'http://127.0.0.1:1/v1',
      }),
    ).rejects.toThrow(/--faults is for/);
  });

  it('says which harm was done, and counts what passed', () => {
    const run = (task: string, more: Partial<RunResult>): RunResult => ({
      task,
      site: 's',
      agent: 'browser',
      repeat: 1,
      passed: true,
      by: 'server',
      reason: '',
      answer: '',
      ended: 'done',
      steps: 1,
      calls: 1,
      failedCalls: 0,
      tokens: { input: 1, output: 1, cached: 0 },
      seconds: 1,
      folder: 'f',
      ...more,
    });
    const fine = { counts: { cut: 2 }, lostSteps: 1, falseSuccess: false, wrong: [] };
    const most = Array.from({ length: 19 }, (_, i) => run(`t${i}`, { faults: fine }));
    expect(faultProblems([...most, run('x', { passed: false, faults: fine })])).toEqual([]);
    expect(faultProblems([...most.slice(1), run('x', { passed: false, faults: fine })])).toHaveLength(1);
    const harmed = run('x', { faults: { ...fine, falseSuccess: true, wrong: ['step 2: …'] } });
    expect(faultProblems([...most, harmed])).toEqual(['x: says that it is done, and is not', 'x: step 2: …']);
    const rows = faultRows({ runs: [harmed, ...most] } as never);
    expect(rows).toContainEqual(['cut', '40']);
    expect(rows).toContainEqual(['false successes', '1']);
  });
});

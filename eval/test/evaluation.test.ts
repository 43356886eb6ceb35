import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { loadResults } from '../src/eval-folder.ts';
import { evaluate, TooManyErrors } from '../src/evaluation.ts';
import { parseOptions } from '../src/options.ts';
import { type Prepared, prepare } from '../src/prepare.ts';
import { Begun, says, stage } from './fixtures.ts';

const { server, env, out } = stage();

async function prepared(args: string, environment: NodeJS.ProcessEnv = {}): Promise<Prepared> {
  return prepare(parseOptions(args.split(' '), '/'), environment);
}

async function play({ model, ...eval_ }: Prepared, progress = new Begun(), signal = new AbortController().signal) {
  await evaluate({ ...eval_, model: model?.config, headed: false, signal, progress });
  return progress;
}

describe('a scripted eval', () => {
  it('does a task with both agents, by what they read, and leaves traces', async () => {
    const eval_ = await prepared(`--tasks ^mail-reply$ --out ${out('both')}`);
    await play(eval_);
    const { runs, scripted, planned } = await loadResults(out('both'));
    expect(scripted).toBe(true);
    expect(planned).toBe(2);
    expect(runs.map(({ agent, passed, by, reason }) => ({ agent, passed, by, reason }))).toEqual([
      { agent: 'browser', passed: true, by: 'server', reason: '' },
      { agent: 'plain', passed: true, by: 'server', reason: '' },
    ]);
    for (const { folder, steps, tokens } of runs) {
      expect(steps).toBeGreaterThan(3);
      expect(tokens.input).toBeGreaterThan(1_000);
      const told = await readFile(join(out('both'), folder, 'transcript.md'), 'utf8');
      expect(told).toContain('Reply to Paula');
      const picture = /!\[[^\]]*\]\((.+)\)/.exec(told)?.[1] ?? '';
      expect((await readFile(join(out('both'), folder, picture))).length).toBeGreaterThan(1_000);
    }
    expect(await readFile(join(out('both'), 'report.md'), 'utf8')).toContain('measure the harness alone');
  });

  it('that was interrupted goes on with the run it was in, and repeats none that ended', async () => {
    const first = await prepared(`--tasks ^mail-flight-code$ --agents plain --repeat 3 --out ${out('resume')}`);
    const interruption = new AbortController();
    const progress = new Begun();
    progress.onEnd = () => interruption.abort(new Error('interrupted'));
    await expect(play(first, progress, interruption.signal)).rejects.toThrow('interrupted');
    expect((await loadResults(out('resume'))).runs).toHaveLength(1);

    const second = await prepared(`--resume --out ${out('resume')}`);
    const { runs } = await play(second);
    expect(runs).toEqual(['mail-flight-code plain 2', 'mail-flight-code plain 3']);
    expect((await loadResults(out('resume'))).runs.map(({ passed }) => passed)).toEqual([true, true, true]);
  });

  it('does not go on with other settings, or over one that is there', async () => {
    await expect(prepared(`--resume --tasks shop --out ${out('resume')}`)).rejects.toThrow(
      /begun with tasks \^mail-flight-code\$, not shop/,
    );
    await expect(prepared(`--out ${out('resume')}`)).rejects.toThrow(/holds an eval already/);
  });
});

describe('a model', () => {
  it('that says it is done, and did nothing, has not passed', async () => {
    server.thinks(() => says([{ done: { text: 'All mails are archived.', success: true } }]));
    const eval_ = await prepared(`--model liar --agents browser --tasks archive --out ${out('liar')}`, env());
    await play(eval_);
    const [run] = eval_.results.runs;
    expect(run).toMatchObject({
      passed: false,
      by: 'server',
      ended: 'done',
      steps: 1,
      answer: 'All mails are archived.',
    });
    expect(run?.reason).toContain('archive: Garden Weekly');
  });

  it('that cannot be asked ends the eval after three runs, which are played again', async () => {
    server.thinks(() => ({ status: 401 }));
    const eval_ = await prepared(`--model locked --tasks ^mail --out ${out('locked')}`, env());
    const progress = new Begun();
    await expect(play(eval_, progress)).rejects.toThrow(TooManyErrors);
    expect(progress.runs).toHaveLength(3);
    expect(eval_.results.runs.map(({ error }) => error)).toEqual([1, 2, 3].map(() => expect.stringContaining('401')));
    await expect(prepared(`--resume --out ${out('locked')}`)).rejects.toThrow(/MODEL/);
    expect((await prepared(`--resume --out ${out('locked')}`, env())).results.settings.modelName).toContain('locked');
  });

  it('that takes too long is stopped, and what it did counts', async () => {
    const time = new AbortController();
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    vi.spyOn(AbortSignal, 'timeout').mockImplementation(ms => (ms === 1_234_000 ? time.signal : timeout(ms)));
    onTestFinished(() => void vi.restoreAllMocks());
    server.thinks(({ n }) => {
      if (n === 0) return says([{ scroll: { direction: 'down' } }]);
      time.abort(new DOMException('The time is over.', 'TimeoutError'));
      return { does: 'hang' };
    });
    const eval_ = await prepared(
      `--model slow --agents browser --tasks mail-reply --seconds 1234 --out ${out('slow')}`,
      env(),
    );
    await play(eval_);
    expect(eval_.results.runs).toMatchObject([{ passed: false, ended: 'time', steps: 1 }]);
  });
});

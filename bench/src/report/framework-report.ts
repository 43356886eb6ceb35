import { BARE, type FrameworkResults, type LateChange, type LateScore, lateChanges } from '../measure/framework.ts';
import { median, sum } from '../statistics.ts';
import { type Bar, missing, type Table } from './table.ts';

const OWN_MEDIAN = 3;
const OWN_WORST = 6;
const EVALUATE_RATIO = 1.5;
const EVALUATE_ADDED_MS = 10;

/** Those that a person would wait for, and an agent has to be told of at once. */
const TOLD_AT_ONCE: readonly LateChange[] = [
  'after 150 ms',
  'after 350 ms',
  'by a request of 250 ms',
  'suggestions after 300 ms',
];
const TOLD_SHARE = 0.99;

/** An action of ours against the bare one. */
interface ActionRatio {
  action: string;
  ours: number;
  bare: number;
}

function ratiosToBare({ actions }: FrameworkResults): ActionRatio[] {
  return Object.entries(actions).flatMap(([action, { ours, [BARE]: bare }]) =>
    ours === undefined || bare === undefined ? [] : [{ action, ours: ours.median, bare: bare.median }],
  );
}

export function judgeFramework(results: FrameworkResults | undefined): Bar[] {
  if (results === undefined) return [];
  const found = ratiosToBare(results);
  const isEvaluate = ({ action }: ActionRatio) => action === 'evaluate';
  return [
    ...ownEffectBar(found.filter(each => !isEvaluate(each))),
    ...found.filter(isEvaluate).map(evaluateBar),
    ...lateBars(results),
  ];
}

function ownEffectBar(found: readonly ActionRatio[]): Bar[] {
  const ratioOf = ({ ours, bare }: ActionRatio) => ours / bare;
  const worst = found.toSorted((a, b) => ratioOf(b) - ratioOf(a))[0];
  if (worst === undefined) return [];
  const half = median(found.map(ratioOf));
  return [
    {
      what: "Actions on a framework's page against bare playwright-core",
      bar: `median <= ${OWN_MEDIAN}x, worst <= ${OWN_WORST}x`,
      measured: `median ${half.toFixed(2)}x, worst ${ratioOf(worst).toFixed(2)}x (${worst.action})`,
      pass: half <= OWN_MEDIAN && ratioOf(worst) <= OWN_WORST,
    },
  ];
}

function evaluateBar({ ours, bare }: ActionRatio): Bar {
  return {
    what: 'evaluate of 1+1 there',
    bar: `<= ${EVALUATE_RATIO}x + ${EVALUATE_ADDED_MS} ms`,
    measured: `${ours.toFixed(1)} / ${bare.toFixed(1)} ms`,
    pass: ours <= EVALUATE_RATIO * bare + EVALUATE_ADDED_MS,
  };
}

function lateBars({ late }: FrameworkResults): Bar[] {
  const all = lateChanges.flatMap(change => late[change].ours ?? []);
  const atOnce = TOLD_AT_ONCE.flatMap(change => late[change].ours ?? []);
  if (all.length === 0) return [];
  const own = sum(atOnce.map(score => score.own));
  const tries = sum(atOnce.map(score => score.tries));
  const later = sum(all.map(score => score.tries - score.own));
  const next = sum(all.map(score => score.next));
  const first = sum(all.map(score => score.nextFirst));
  return [
    {
      what: "Changes up to 350 ms late told by the action's own result",
      bar: `>= ${TOLD_SHARE * 100} %`,
      measured: `${own} of ${tries}`,
      pass: own >= TOLD_SHARE * tries,
    },
    {
      what: 'Changes that it did not tell told first by the next result',
      bar: '100 %',
      measured: `${first} of ${later} (${next} told)`,
      pass: first === later,
    },
  ];
}

export function frameworkTables(results: FrameworkResults | undefined): Table[] {
  if (results === undefined) return [];
  const { actions, late } = results;
  const stacks = [...new Set(Object.values(actions).flatMap(Object.keys))];
  const told = (score: LateScore | undefined) =>
    score === undefined ? missing : `${score.own} + ${score.next} of ${score.tries} (${score.ms.median.toFixed(0)} ms)`;
  const tellers = stacks.filter(stack => stack !== BARE);
  return [
    {
      title: "Actions on a framework's page, ms (against bare playwright-core)",
      head: ['', ...stacks],
      rows: Object.entries(actions).map(([action, times]) => [
        action,
        ...stacks.map(stack => againstBare(times[stack]?.median, times[BARE]?.median)),
      ]),
    },
    {
      title: 'Late changes told: by the own result + by the next one (the action)',
      head: ['', ...tellers],
      rows: lateChanges.map(change => [change, ...tellers.map(stack => told(late[change][stack]))]),
    },
  ];
}

function againstBare(ms: number | undefined, bare: number | undefined): string {
  if (ms === undefined) return missing;
  return bare === undefined ? ms.toFixed(1) : `${ms.toFixed(1)} (${(ms / bare).toFixed(1)}x)`;
}

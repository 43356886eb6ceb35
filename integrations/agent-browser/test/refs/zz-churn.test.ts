import { expect, test } from 'vitest';
import { testToolset } from '../fixtures.js';
import { ChurnRun, emptyTally } from './churn-run.js';
import { type Churn, ChurnSite } from './churn-site.js';

test('explore', { timeout: 600_000 }, async () => {
  const site = new ChurnSite();
  await site.start();
  const session = testToolset().session('churn');
  const total = emptyTally();
  const shapes = (process.env.SHAPES ?? 'li,tr,card,bare,article,custom,section,p,role,span,shadow,deep').split(
    ',',
  ) as Churn['shape'][];
  const renders = (process.env.RENDERS ?? 'fresh,keyed,recycled').split(',') as Churn['render'][];
  const names = (process.env.NAMES ?? 'same,plain').split(',') as Churn['names'][];
  const whens = (process.env.WHENS ?? 'push').split(',');
  let seed = Number(process.env.SEED ?? 1);
  for (const when of whens)
    for (const shape of shapes)
      for (const render of renders)
        for (const name of names) {
          const tally = emptyTally();
          const run = new ChurnRun(session, site, tally);
          const churn = {
            shape,
            render,
            names: name,
            ops: process.env.OPS ?? 'shuffle,insert,remove,rotate,scroll,rerender',
            when,
            seed: seed++,
          };
          await run.clickAround(churn, Number(process.env.N ?? 4), process.env.PATHNAME ?? '/');
          console.log(
            shape,
            render,
            name,
            when,
            `n=${tally.actions} right=${tally.right} rec=${tally.recovered} lost=${tally.lost} wrong=${tally.wrong.length} followed=${tally.followed} gone=${tally.gone} nf=${tally.notFollowed.length}`,
            JSON.stringify(tally.refused),
            `max ${Math.max(0, ...tally.refusalTimes).toFixed(0)}`,
          );
          if (tally.wrong.length) console.log(tally.wrong[0]);
          if (tally.notFollowed.length) console.log('NF', tally.notFollowed[0]);
        }
});

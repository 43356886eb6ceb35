import { describe, expect, test } from 'vitest';
import { pageOf, stage } from './fixtures.js';
import { type Answer, type Mind, refOn, says } from './model-server.js';

const { server, shop, agent } = stage();
const done = says([{ done: { text: 'fine', success: true } }]);

/** Presses one button again and again, and then is done. */
const presses =
  (name: string, times: number): Mind =>
  asked => {
    if (asked.n >= times) return done;
    return says([{ click: { ref: refOn(pageOf(asked), 'button', name) } }]);
  };

describe('a run in which the same is done again and again', () => {
  test('goes on as long as the page changes', async () => {
    const calendar = `<title>Calendar</title><h1>Month 1</h1><button onclick="
      const h1 = document.querySelector('h1');
      h1.textContent = 'Month ' + (Number(h1.textContent.slice(6)) + 1);
    ">Next month</button>`;
    shop.reset({ pages: { '/calendar': calendar } });
    const { stopReason, history } = await agent(presses('Next month', 7)).run({
      task: 'x',
      url: `${shop.url}calendar`,
    }).result;
    expect([stopReason, history.steps.length]).toEqual(['done', 9]);
    expect(server.asked.map(({ text }) => text).join('')).not.toContain('Nothing has changed');
  });

  test('goes on as long as the page moves', async () => {
    shop.reset({ pages: { '/feed': '<title>Feed</title><h1>Feed</h1><div style="height: 100000px">Posts</div>' } });
    const mind: Mind = ({ n }) => (n < 7 ? says([{ scroll: { direction: 'down' } }]) : done);
    const { stopReason } = await agent(mind).run({ task: 'x', url: `${shop.url}feed` }).result;
    expect(stopReason).toBe('done');
  });

  test('ends as stuck where nothing changes, after a warning that says what was seen', async () => {
    shop.reset({ pages: { '/still': '<title>Still</title><h1>Still</h1>' } });
    const stuck = agent(() => says([{ scroll: { direction: 'up' } }]), { maxUnchangedSteps: 4 });
    const { stopReason, history, problem } = await stuck.run({ task: 'x', url: `${shop.url}still` }).result;
    expect([stopReason, problem]).toEqual(['stuck', 'It was stuck: nothing on the page changed in 4 steps.']);
    expect(history.steps).toHaveLength(5);
    const warned = server.asked.map(({ text }) => /Nothing has changed in the last (\d) steps/.exec(text)?.[1]);
    expect(warned).toEqual([undefined, undefined, '2', '3']);
    expect(server.asked[2]?.text).toMatch(
      /scrolled to the same place\. You took: scroll \{"direction":"up"\} \(2 times\)\./,
    );
  });

  test('is not stuck by what it does anew on a page that stays, such as reading on', async () => {
    const words = Array.from({ length: 3_000 }, (_, n) => `word${n}`).join(' ');
    shop.reset({ pages: { '/long': `<title>Long</title><article><h1>Long</h1><p>${words}</p></article>` } });
    const mind: Mind = ({ n }) => (n < 5 ? says([{ read: { page: n + 1, maxTokens: 1_000 } }]) : done);
    const { stopReason } = await agent(mind, { maxUnchangedSteps: 3 }).run({ task: 'x', url: `${shop.url}long` })
      .result;
    expect(stopReason).toBe('done');
  });
});

describe('what was read', () => {
  const failures: [name: string, failure: Answer][] = [
    ['an answer that does not fit', 'I do not know'],
    ['a server that fails', { status: 500 }],
  ];
  test.each(failures)('is shown again after %s, with the picture that was taken', async (_, failure) => {
    shop.reset({ pages: { '/note': '<title>Note</title><article><h1>Note</h1><p>The code is 4711.</p></article>' } });
    const mind: Mind = ({ n }) => {
      if (n === 0) return says([{ read: {} }, { screenshot: {} }]);
      return n < 3 ? failure : done;
    };
    const patient = agent(mind, { vision: 'auto', modelRetries: 0, fullText: 'never' });
    await patient.run({ task: 'x', url: `${shop.url}note` }).result;
    expect(server.asked).toHaveLength(4);
    for (const { text, pictures } of server.asked.slice(1)) {
      expect(text).toMatch(/<read_state>.*The code is 4711\..*<\/read_state>/s);
      expect(pictures).toHaveLength(1);
    }
  });

  test('is told afterwards by its heading and its size', async () => {
    const words = 'Plenty of words. '.repeat(40);
    shop.reset({ pages: { '/note': `<title>N</title><article><h1>The <b>note</b></h1><p>${words}</p></article>` } });
    const mind: Mind = ({ n }) => (n === 0 ? says([{ read: {} }]) : done);
    await agent(mind).run({ task: 'x', url: `${shop.url}note` }).result;
    expect(server.asked[1]?.text).toMatch(/Did: read \{\}: Read the \w+: "The note", \d{3} characters\n/);
  });
});

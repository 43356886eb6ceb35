import { Mastra } from '@mastra/core/mastra';
import { InMemoryStore } from '@mastra/core/storage';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AgentState, RunOptions } from '../src/index.js';
import { personsDecision } from '../src/run/persons-answer.js';
import { pageOf, stage } from './fixtures.js';
import { type Mind, refOn, says } from './model-server.js';

const { server, shop, agent } = stage({ approval: ({ classes }) => classes.includes('delete') });

/** Presses once what needs approval, and says that it is done. */
const remover: Mind = asked =>
  asked.n === 0
    ? says([{ click: { ref: refOn(pageOf(asked), 'button', 'Remove') } }])
    : says([{ done: { text: 'fine', success: true } }]);

function cart(): { task: string; url: string } {
  shop.reset();
  shop.cart = ['Red mug'];
  return { task: 'Empty the cart', url: `${shop.url}cart` };
}

/** What is none of the two ways to say yes. */
const NOT_YES: [name: string, answer: unknown][] = [
  ['null', null],
  ['false', false],
  ['zero', 0],
  ['a text', 'no'],
  ['a text that sounds like one', 'yes'],
  ['a list', ['yes']],
  ['an empty object', {}],
  ['an approval that is null', { approved: null }],
  ['an approval that is a text', { approved: 'true' }],
  ['an answer to another question', { answer: 'Red' }],
  ['a refusal', { approved: false }],
];

/** Nothing was done, the record says so, and the model reads it. */
function expectDeclined(steps: { results: { success: boolean; code?: string | undefined }[] }[]): void {
  expect(shop.cart).toEqual(['Red mug']);
  expect(steps[1]?.results).toMatchObject([
    { success: false, code: 'approval_required', error: expect.stringMatching(/not approved/) },
  ]);
  expect(server.asked[1]?.text).toMatch(/not approved/);
}

describe('an action that needs approval', () => {
  test.each(NOT_YES)('is declined by %s', async (_, answer) => {
    const { history, stopReason } = await agent(remover).run({ ...cart(), onQuestion: () => answer }).result;
    expectDeclined(history.steps);
    expect(stopReason).toBe('done');
  });

  test.each(NOT_YES)('of a stored run is declined by %s', async (_, answer) => {
    const one = agent(remover);
    const { state, stopReason } = await one.run(cart()).result;
    expect([stopReason, shop.cart]).toEqual(['suspended', ['Red mug']]);
    const stored: AgentState = JSON.parse(JSON.stringify(state));
    const { history } = await one.resume(stored, { answer }).result;
    expectDeclined(history.steps);
  });

  test.each<[string, NonNullable<RunOptions['onQuestion']>]>([
    ['throws', () => expect.fail('the phone is off')],
    ['rejects', async () => expect.fail('the phone is off')],
  ])('is declined where the question %s, and the model is told why', async (_, onQuestion) => {
    const { history, stopReason } = await agent(remover).run({ ...cart(), onQuestion }).result;
    expectDeclined(history.steps);
    expect(stopReason).toBe('done');
    expect(server.asked[1]?.text).toContain('the phone is off');
  });

  test('waits where nobody answers, and after that still takes only a yes', async () => {
    const one = agent(remover);
    const { state, stopReason, waitsFor } = await one.run({ ...cart(), onQuestion: () => undefined }).result;
    expect([stopReason, waitsFor?.approval, shop.cart]).toEqual(['suspended', expect.anything(), ['Red mug']]);
    const again = await one.resume(state, { answer: undefined }).result;
    expect([again.stopReason, shop.cart]).toEqual(['suspended', ['Red mug']]);
    const { success } = await one.resume(again.state, { answer: { approved: true } }).result;
    expect([success, shop.cart]).toEqual([true, []]);
  });

  test.each([[true], [{ approved: true }], [{ approved: true, reason: 'It is mine' }]])(
    'is taken on an explicit yes: %j',
    async answer => {
      const { history } = await agent(remover).run({ ...cart(), onQuestion: () => answer }).result;
      expect(shop.cart).toEqual([]);
      expect(history.steps[1]?.results).toMatchObject([{ success: true }]);
    },
  );

  test.each([[undefined], [null], [{}], ['yes'], [{ approved: 'true' }], [{ approved: false }]])(
    'of a workflow is declined by %j',
    async resumeData => {
      const { workflow } = agent(remover);
      const mastra = new Mastra({ workflows: { workflow }, storage: new InMemoryStore(), logger: false });
      const run = await mastra.getWorkflow('workflow').createRun();
      expect(await run.start({ inputData: cart() })).toMatchObject({ status: 'suspended' });
      const ended = await run.resume({ resumeData });
      expect(ended).toMatchObject({ status: 'success' });
      expectDeclined((ended as unknown as { result: { history: { steps: [] } } }).result.history.steps);
    },
  );
});

describe('a question', () => {
  const asker: Mind = ({ n }) =>
    n === 0 ? says([{ ask_user: { question: 'Which mug?' } }]) : says([{ done: { text: 'fine', success: true } }]);

  test.each<[string, NonNullable<RunOptions['onQuestion']>]>([
    ['null', () => null],
    ['a number', () => 5],
    ['an error', () => expect.fail('the phone is off')],
  ])('that is answered with %s was not answered, and is asked once', async (_, onQuestion) => {
    let asked = 0;
    const counted: typeof onQuestion = question => {
      asked++;
      return onQuestion(question);
    };
    shop.reset();
    const { stopReason } = await agent(asker).run({ task: 'x', url: shop.url, onQuestion: counted }).result;
    expect([stopReason, asked]).toEqual(['done', 1]);
    expect(server.asked[1]?.text).toContain('The user did not answer.');
  });
});

test('only true and { approved: true } approve', () => {
  fc.assert(
    fc.property(fc.anything(), answer => {
      const isYes = answer === true || Object(answer).approved === true;
      expect(personsDecision({ approval: {} }, answer)).toEqual({ approved: isYes });
    }),
  );
});

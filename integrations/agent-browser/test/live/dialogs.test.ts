import { expect, test } from 'vitest';
import { expectSuccess, refOf, servePages, testToolset } from '../fixtures.js';

const site = await servePages({
  '/': `<!doctype html><title>Cart</title><link rel="icon" href="data:,"><button onclick="document.title = prompt('Your name?', 'Ann')">Sign</button>`,
});

test('a dialog that the agent left open is told to viewers, and a person answers it', async () => {
  const toolset = testToolset();
  const session = toolset.session('ann');
  expectSuccess(await session.navigate({ url: site.url() }));
  const read = expectSuccess(await session.snapshot());
  const told: unknown[] = [];
  toolset.onDialogChanged(() => told.push(toolset.liveDialog('ann')), 'ann');
  expect(toolset.liveDialog('ann')).toBeUndefined();
  expectSuccess(await session.click({ ref: refOf(read, 'button', 'Sign') }));
  expect(toolset.liveDialog('ann')).toEqual({ type: 'prompt', message: 'Your name?', defaultValue: 'Ann' });
  await toolset.answerDialog({ accept: true, text: 'Bo' }, 'ann');
  expect(told).toEqual([{ type: 'prompt', message: 'Your name?', defaultValue: 'Ann' }, undefined]);
  const after = expectSuccess(await session.snapshot());
  expect(after).toMatchObject({ title: 'Bo', dialog: { answered: 'accepted' } });
  await expect(toolset.answerDialog({ accept: true }, 'ann')).rejects.toThrow('no dialog');
  await expect(toolset.answerDialog({ accept: true }, 'nobody')).rejects.toThrow('no browser');
});

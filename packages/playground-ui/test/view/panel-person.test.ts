import { describe, expect } from 'vitest';
import { test } from '../page/fixtures.js';
import { AGENT_DRIVES, VIEW_ONLY, YOU_DRIVE } from '../page/live-server.js';
import { button } from '../page/panel-parts.js';

describe('control', () => {
  test('is taken and handed back', async ({ page, server, mount }) => {
    await mount();
    await page.getByText('Agent is in control').waitFor();
    await button(page, 'Take control').click();
    await page.getByText('You are in control').waitFor();
    await button(page, 'Hand back').click();
    await page.getByText('Agent is in control').waitFor();
    expect(server.messages).toEqual([
      { type: 'control', action: 'take' },
      { type: 'control', action: 'release' },
    ]);
  });

  test('is asked for while someone else has it, and the answer is shown', async ({ page, server, mount }) => {
    server.grantsControl = false;
    const another = { ...AGENT_DRIVES.control, holder: 'human' };
    server.greeting.push({ control: another });
    await mount();
    await page.getByText('Someone else is in control').waitFor();
    await button(page, 'Ask for control').click();
    await server.until(() => server.messages.length === 1);
    server.say({ control: { ...another, requestedBy: 'you' } });
    expect(await button(page, 'Asked for control').isDisabled()).toBe(true);
    server.say({ control: { ...another, isDenied: true } });
    await page.getByText('Your request for control was refused.').waitFor();
  });

  test('is handed over or refused to who asks', async ({ page, server, mount }) => {
    server.grantsControl = false;
    server.greeting.push({ control: { ...YOU_DRIVE.control, requestedBy: 'another' } });
    await mount();
    await button(page, 'Refuse').click();
    await button(page, 'Hand over').click();
    await server.until(() => server.messages.length === 2);
    expect(server.messages).toEqual([
      { type: 'control', action: 'deny' },
      { type: 'control', action: 'release' },
    ]);
  });
});

test('a closed browser is not relaunched by who is not in control', async ({ page, server, mount }) => {
  await mount();
  server.say({ control: { ...YOU_DRIVE.control, isYou: false } }, { status: 'browser_closed' });
  await page.getByText('The browser is closed').waitFor();
  expect(await button(page, 'Relaunch').count()).toBe(0);
  server.say(YOU_DRIVE);
  await button(page, 'Relaunch').waitFor();
});

describe('a question of the agent', () => {
  const question = {
    id: 'q1',
    threadId: 'thread-1',
    question: 'Which delivery?',
    options: [{ label: 'Standard' }, { label: 'Express' }],
  };

  test('is answered with an option, in words, or by what was done in the page', async ({ page, server, mount }) => {
    await mount();
    server.say({ question });
    await button(page, 'Express').click();
    await page.getByRole('textbox', { name: 'Your answer' }).fill('The one on Friday');
    await page.keyboard.press('Enter');
    await button(page, 'Done').click();
    server.say(YOU_DRIVE);
    await page.getByText('You are in control').waitFor();
    await button(page, 'Done').click();
    await server.until(() => server.messages.length === 4);
    expect(server.messages).toEqual([
      { type: 'answer', id: 'q1', answer: 'Express' },
      { type: 'answer', id: 'q1', answer: 'The one on Friday' },
      { type: 'answer', id: 'q1', answer: 'Done' },
      { type: 'control', action: 'release' },
    ]);
    server.say({ question: null });
    await page.getByText('Which delivery?').waitFor({ state: 'detached' });
  });

  test('is not asked in the panel of a host that asks it elsewhere', async ({ page, server, mount }) => {
    await mount({ props: { showQuestions: false } });
    // The stream keeps its order: once the second is there, the first was.
    server.say({ question }, { viewers: 7 });
    await page.getByRole('img', { name: '7 viewers' }).waitFor();
    expect(await page.getByText('Which delivery?').count()).toBe(0);
  });

  test('is seen by who may only watch, without the ways to answer', async ({ page, server, mount }) => {
    server.greeting.push(VIEW_ONLY, { question });
    await mount();
    await page.getByText('Which delivery?').waitFor();
    expect(await button(page, 'Express').count()).toBe(0);
  });
});

describe('a dialog of the page', () => {
  test('is answered by nobody beside who is in control', async ({ page, server, mount }) => {
    await mount();
    server.say({ control: { ...YOU_DRIVE.control, isYou: false } }, { dialog: { type: 'confirm', message: 'Sure?' } });
    await page.getByRole('alertdialog', { name: 'The page asks: Sure?' }).waitFor();
    expect(await button(page, 'Cancel').count()).toBe(0);
    server.say(AGENT_DRIVES);
    await button(page, 'Cancel').waitFor();
  });

  test('is answered with a button or in words', async ({ page, server, mount }) => {
    await mount();
    server.say({ dialog: { type: 'confirm', message: 'Remove all?' } });
    await page.getByRole('alertdialog', { name: 'The page asks: Remove all?' }).waitFor();
    await button(page, 'Cancel').click();
    server.say({ dialog: { type: 'prompt', message: 'Name?', defaultValue: 'Ann' } });
    await page.getByRole('textbox', { name: 'Answer to the page' }).fill('Bo');
    await button(page, 'OK').click();
    await server.until(() => server.messages.length === 2);
    expect(server.messages).toEqual([
      { type: 'dialog', accept: false },
      { type: 'dialog', accept: true, text: 'Bo' },
    ]);
    server.say({ dialog: null });
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
  });

  test('takes the keyboard of who works in the panel, and of nobody else', async ({ page, server, mount }) => {
    await mount();
    const focused = () => page.evaluate<string | null>('document.activeElement.textContent');
    server.say({ dialog: { type: 'confirm', message: 'Leave me?' } });
    await page.getByRole('alertdialog').waitFor();
    expect(await page.evaluate('document.activeElement === document.body')).toBe(true);
    server.say({ dialog: null });
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    await button(page, 'Take control').focus();
    server.say({ dialog: { type: 'confirm', message: 'Remove all?' } });
    await expect.poll(focused).toBe('OK');
    await page.keyboard.press('Enter');
    await server.until(() => server.messages.length === 1);
    expect(server.messages).toEqual([{ type: 'dialog', accept: true }]);
    server.say({ dialog: null });
    await expect.poll(focused).toContain('Take control');
  });

  test('is seen by who may only watch, without the ways to answer', async ({ page, server, mount }) => {
    server.greeting.push(VIEW_ONLY, { dialog: { type: 'alert', message: 'Saved' } });
    await mount();
    await page.getByText('The page says: Saved').waitFor();
    expect(await button(page, 'OK').count()).toBe(0);
  });
});

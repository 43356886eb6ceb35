import { stat } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { startDemoSite } from '../../src/demo-site/index.js';
import { startModelService } from './model-service.js';
import { isAlive, Running } from './running.js';

describe('npm start', () => {
  test('opens the playground, says where, and is over at once on Ctrl+C, browser and all', async () => {
    const running = new Running([], { PORT: '0' });
    const [url = ''] = await running.printed(/http:\/\/127\.0\.0\.1:\d+/);
    expect(await (await fetch(url)).text()).toContain('BrowserToolset playground');
    const body = JSON.stringify({ threadId: 't', input: { url: 'about:blank' } });
    const headers = { 'content-type': 'application/json' };
    await fetch(`${url}/playground/tools/browser_navigate`, { method: 'POST', headers, body });
    const processes = running.descendants();
    running.interrupt();
    const { code, stdout, stderr } = await running.ended();
    expect(stderr).toBe('');
    expect(stdout).toContain('No model is configured (MODEL is not set)');
    expect(code).toBe(0);
    expect(processes.length).toBeGreaterThan(1);
    expect(processes.filter(isAlive)).toEqual([]);
  });
});

describe('npm start -- --terminal', () => {
  test('lets the scripted agent buy a mug, shows each step, and leaves a picture and nothing running', async () => {
    const running = new Running(['--terminal']);
    await running.printed('browser_navigate');
    await running.printed('browser_click');
    const processes = running.descendants();
    const { code, stdout, stderr } = await running.ended();

    expect(stderr).toBe('');
    expect(stdout).toContain('No model is configured (MODEL is not set)');
    expect(stdout).toContain('link "Accept the terms of sale to place the order"');
    expect(stdout).toMatch(/Done\. The order number is (HO-\d+)/);
    expect(stdout).toMatch(/✓ The shop's books agree: order HO-\d+, 1 × Tidewater mug, \$38\.00\.\n$/);
    const picture = /as a picture: (.+\.png)/.exec(stdout)?.[1] ?? '';
    expect((await stat(picture)).size).toBeGreaterThan(10_000);
    expect(code).toBe(0);
    expect(processes.length).toBeGreaterThan(1);
    expect(processes.filter(isAlive)).toEqual([]);
  });

  test('with --agent browser has the browser agent do it, step by step', async () => {
    const { code, stdout, stderr } = await new Running(['--agent', 'browser']).ended();
    expect(stderr).toBe('');
    expect(stdout).toContain('No model is configured (MODEL is not set)');
    expect(stdout).toContain('✓ fill_form: Filled:');
    expect(stdout).toMatch(/✓ The shop's books agree: order HO-\d+, 1 × Tidewater mug, \$38\.00\.\n$/);
    expect(code).toBe(0);
  });

  test('is over at once on Ctrl-C, and so is its browser', async () => {
    const running = new Running(['--terminal']);
    await running.printed('went to');
    const processes = running.descendants();
    running.interrupt();
    const { code, stderr } = await running.ended();
    expect(stderr).toContain('Interrupted: closing the browser and the shop.');
    expect(code).toBe(130);
    expect(processes.length).toBeGreaterThan(1);
    expect(processes.filter(isAlive)).toEqual([]);
  });

  test('explains itself', async () => {
    const { code, stdout } = await new Running(['--help']).ended();
    expect(stdout).toContain('npm start -- --task');
    expect(code).toBe(0);
  });

  test('refuses what it does not understand in one line', async () => {
    expect(await new Running(['--tsak']).ended()).toEqual({
      code: 1,
      stdout: '',
      stderr: "✗ Unknown option '--tsak'. Try --help.\n",
    });
    const { code, stderr } = await new Running(['--task', 'Buy a mug']).ended();
    expect(stderr).toContain('--task needs a model: set MODEL');
    expect(code).toBe(1);
  });
});

describe('npm start with a model', () => {
  test('lets the model do a task on another site', async () => {
    await using site = await startDemoSite();
    await using service = await startModelService([
      { text: 'I go there.', call: { name: 'browser_navigate', arguments: { url: `${site.url}/terms` } } },
      { text: 'Returns are taken for sixty days.' },
    ]);
    const { code, stdout, stderr } = await new Running(['--task', 'How long are returns taken?', '--url', site.url], {
      MODEL: 'groq/llama-3.3-70b-versatile',
      GROQ_API_KEY: 'for-tests',
      GROQ_BASE_URL: service.url,
    }).ended();

    expect(stderr).toBe('');
    expect(stdout).toContain('The model groq/llama-3.3-70b-versatile decides what to do next.');
    expect(stdout).toContain('heading "Terms of sale" level=1');
    expect(stdout).toContain('Returns are taken for sixty days.');
    expect(stdout).toContain('✓ The model says that it is done.');
    expect(code).toBe(0);
    expect(service.requests[1]).toContain('heading \\"Terms of sale\\" level=1');
  });

  test('says so when the model cannot be reached', async () => {
    const service = await startModelService([]);
    await service[Symbol.asyncDispose]();
    const { code, stderr } = await new Running(['--task', 'Anything'], {
      MODEL: 'groq/llama-3.3-70b-versatile',
      GROQ_API_KEY: 'for-tests',
      GROQ_BASE_URL: service.url,
    }).ended();
    expect(stderr).toMatch(/^✗ The run failed: .*Cannot connect to API.*\n$/);
    expect(code).toBe(1);
  });
});

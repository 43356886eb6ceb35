import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Actor, SoakAction } from './actor.ts';
import { COLOURS } from './site.ts';

/** All that a session can do. */
export function actionsOf(actor: Actor): Record<string, SoakAction> {
  return { ...readingActions(actor), ...changingActions(actor), ...actor.actions };
}

/** What reads a page, or says what it knows: held against what the page is known to show. */
function readingActions(actor: Actor): Record<string, SoakAction> {
  return {
    async read(signal) {
      const { success, content, url } = await actor.call('read', { full: true }, signal);
      if (success && url === actor.url && !content?.includes(actor.heading))
        actor.lose('read', `does not hold the heading: ${JSON.stringify(content?.slice(0, 300))}`);
      return success;
    },
    async find(signal) {
      const { success, total, url } = await actor.call('find', { text: actor.heading }, signal);
      if (success && url === actor.url && total !== 1) actor.lose('find', `found the heading ${total} times`);
      return success;
    },
    async console(signal) {
      const { success, messages = [] } = await actor.call('console', {}, signal);
      for (const { text } of messages)
        if (text.startsWith('page of ') && text !== `page of ${actor.name}`) actor.lose('console', `tells "${text}"`);
      return success;
    },
    async network(signal) {
      const { success, requests = [] } = await actor.call('network', { filter: '/app/' }, signal);
      for (const { url } of requests) if (url !== actor.url) actor.lose('network', `tells of ${url}`);
      return success;
    },
    async pdf(signal) {
      const { success, path } = await actor.call('pdf', {}, signal);
      if (success) actor.file('pdf', path, size => size > 0);
      return success;
    },
  };
}

/** What changes the page, or what the browser shows it. */
function changingActions(actor: Actor): Record<string, SoakAction> {
  return {
    fillForm: signal => fillForm(actor, signal),
    upload: signal => upload(actor, signal),
    drag: signal => drag(actor, signal),
    clipboard: signal => clipboard(actor, signal),
    storage: signal => storage(actor, signal),
    async emulate(signal) {
      const { success, emulation } = await actor.call('emulate', { colorScheme: 'dark' }, signal);
      if (success && emulation?.colorScheme !== 'dark') actor.lose('emulate', 'shows another colour scheme');
      if (success) await actor.call('emulate', { reset: true });
      return success;
    },
    hover: async signal => {
      const ref = await actor.ref('button', 'Add');
      return ref !== undefined && (await actor.call('hover', { ref }, signal)).success;
    },
    press: async signal => (await actor.call('press', { keys: ['End', 'Home'] }, signal)).success,
    history: async signal => {
      if (!(await actor.open()).success) return false;
      const { success } = await actor.call('history', { direction: 'back' }, signal);
      return (await actor.open()).success && success;
    },
  };
}

async function fillForm(actor: Actor, signal?: AbortSignal): Promise<boolean> {
  const refs = await actor.refs();
  const [note, flag, colour] = [refs('textbox', 'Note'), refs('checkbox', 'Flag'), refs('combobox', 'Colour')];
  if (note === undefined || flag === undefined || colour === undefined) return false;
  const text = actor.text();
  const chosen = actor.random.pick(COLOURS);
  const wanted = [
    { ref: note, value: text },
    { ref: flag, value: true },
    { ref: colour, value: chosen },
  ];
  const began = performance.now();
  const { success, fields = [] } = await actor.call('fillForm', { fields: wanted }, signal);
  if (!success || fields.some(({ code }) => code !== undefined)) return false;
  await actor.expect('fill_form', began, () => actor.truth.note === text);
  return true;
}

async function upload(actor: Actor, signal?: AbortSignal): Promise<boolean> {
  const ref = await actor.ref('button', 'Files');
  if (ref === undefined) return false;
  const name = `${actor.name}-${actor.random.int(1, 99)}.txt`;
  const path = join(actor.stage.uploads, name);
  writeFileSync(path, actor.name);
  const began = performance.now();
  const { success } = await actor.call('upload', { ref, paths: [path] }, signal);
  const told = `${name}:${actor.name.length}`;
  if (success) await actor.expect('upload', began, () => actor.truth.files === told);
  return success;
}

async function drag(actor: Actor, signal?: AbortSignal): Promise<boolean> {
  const refs = await actor.refs();
  const [from, to] = [refs('button', 'Card'), refs('button', 'Basket')];
  if (from === undefined || to === undefined) return false;
  const { drops } = actor.truth;
  const began = performance.now();
  const { success } = await actor.call('drag', { from, to }, signal);
  if (success) await actor.expect('drag', began, () => actor.truth.drops > drops);
  return success;
}

async function clipboard(actor: Actor, signal?: AbortSignal): Promise<boolean> {
  const ref = await actor.ref('textbox', 'Note');
  if (ref === undefined) return false;
  const text = actor.text();
  if (!(await actor.call('clipboard', { action: 'copy', text })).success) return false;
  const cleared = await actor.call('type', { ref, text: '' });
  const began = performance.now();
  const { success, text: pasted } = await actor.call('clipboard', { action: 'paste', ref }, signal);
  if (!cleared.success || !success) return false;
  // A session whose browser was closed meanwhile keeps its clipboard; another session's it never has.
  if (pasted !== text) actor.lose('clipboard', `pasted ${JSON.stringify(pasted)} instead of ${JSON.stringify(text)}`);
  await actor.expect('clipboard', began, () => actor.truth.note === text);
  return true;
}

async function storage(actor: Actor, signal?: AbortSignal): Promise<boolean> {
  const name = `of-${actor.name}`;
  const { success } = await actor.call('storage', { action: 'save', name }, signal);
  if (!success) return false;
  const loaded = await actor.call('storage', { action: 'load', name });
  if (loaded.message?.includes('Nothing')) actor.lose('storage', 'what was saved is not there');
  return (await actor.call('storage', { action: 'clear', name })).success && loaded.success;
}

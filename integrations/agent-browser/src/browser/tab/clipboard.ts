import type { Frame } from 'playwright-core';
import type { Secrets } from '#egress/secrets.js';
import type { ClipboardCommand } from '#live/input/clipboard-keys.js';
import type { PasteAnswer } from '#page-engine/protocol.js';
import { inOneLine } from '#page-engine/text/line-breaks.js';
import { MAX_FRAME_DEPTH } from '../../limits.js';
import { ToolError } from '../../results/errors.js';
import type { AskOptions } from './engine-line.js';
import type { Tab } from './tab.js';

/** The outcome of a clipboard key: `taken` when the page handled the key itself. */
type ClipboardOutcome = 'done' | 'taken' | 'empty' | 'hidden';

/**
 * One session's clipboard. Chromium's is shared by all contexts, so a session could paste what another session or its
 * pages copied; clipboard keys are therefore handled here.
 * Invariant: pages receive this text only by a paste in their own session.
 */
export class SessionClipboard {
  /** A secret in it is replaced by its placeholder. */
  text = '';

  constructor(readonly session: { readonly owner: { readonly secrets: Secrets } }) {}

  /** Presses a clipboard key. `send` sends it without Chromium's own command; the page still gets its events. */
  async press(
    tab: Tab,
    command: ClipboardCommand,
    { send, options }: { send: () => Promise<unknown>; options: AskOptions },
  ): Promise<ClipboardOutcome> {
    const { text } = this;
    if (command === 'paste') this.refuseSecretsIn(text);
    const frame = await this.#focused(tab, options);
    await send();
    if (tab.dialog !== undefined || frame.isDetached()) return 'taken';
    const request = command === 'paste' ? { command, text } : { command };
    const answer = await tab.engine.call(frame, 'clipboardKeys', request, options);
    if (answer.areTaken) return 'taken';
    if (answer.copied?.masked) return 'hidden';
    // As in Chromium, copying an empty selection keeps the clipboard.
    if (answer.copied?.text) this.text = answer.copied.text;
    if (answer.pasted !== undefined && text !== '') await insert(tab, text, answer.pasted);
    return (answer.copied?.text ?? text) === '' ? 'empty' : 'done';
  }

  /** Throws for a text with a secret, which may only be typed into fields. */
  refuseSecretsIn(text: string): void {
    const { secrets } = this.session.owner;
    const names = secrets.asked(text).filter(name => secrets.names.includes(name));
    if (names.length === 0) return;
    throw new ToolError(
      'secret_not_allowed',
      `The copied text contains the secret ${names.join(', ')}, which can only be typed, not pasted. Nothing was done.`,
    );
  }

  async #focused({ page, engine }: Tab, options: AskOptions): Promise<Frame> {
    let frame = page.mainFrame();
    for (let depth = 0; depth < MAX_FRAME_DEPTH; depth++) {
      const { frame: holder } = await engine.call(frame, 'awaitKeys', {}, options);
      const inner = holder && (await engine.contentFrame(frame, holder, options));
      if (inner == null) break;
      frame = inner;
    }
    return frame;
  }
}

/** Inserts text at the caret, unless the page handled the paste event. Resolves to whether it did. */
export async function insert({ page }: Tab, text: string, { taken, oneLine }: PasteAnswer): Promise<boolean> {
  if (!taken) await page.keyboard.insertText(oneLine ? inOneLine(text) : text);
  return taken;
}

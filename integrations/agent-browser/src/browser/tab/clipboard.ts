import type { Frame } from 'playwright-core';
import { MAX_FRAME_DEPTH } from '../../limits.js';
import { inOneLine } from '../../page/line-breaks.js';
import type { PasteAnswer } from '../../page/protocol.js';
import type { Secrets } from '../../policy/secrets.js';
import { ToolError } from '../../results/errors.js';
import type { AskOptions } from './engine-line.js';
import type { Tab } from './tab.js';
/** The clipboard action that a key stands for. */
export type ClipboardCommand = 'copy' | 'cut' | 'paste';

/** Keys that are held while another is pressed. */
export interface HeldModifiers {
  control: boolean;
  meta: boolean;
  shift: boolean;
  alt: boolean;
}

/** The outcome of keys that copy, cut or paste: `taken` when the page gives them another meaning. */
type ClipboardOutcome = 'done' | 'taken' | 'empty' | 'hidden';

/**
 * Editing commands for a key that keep Chromium from running its own: this one takes no notice of a value that is neither
 * `div` nor `p` (editor_command.cc), and is there wherever the focus is.
 */
export const NO_EDITING = ['DefaultParagraphSeparator'];

const BY_LETTER: Record<string, ClipboardCommand> = { c: 'copy', x: 'cut', v: 'paste' };

/** Chromium's clipboard action for this key, on any system; undefined when it has none. */
export function clipboardCommand(
  key: string,
  { control, meta, shift, alt }: HeldModifiers,
): ClipboardCommand | undefined {
  if (alt) return undefined;
  const name = key.replace(/^Key(?=[A-Z]$)/, '').toLowerCase();
  const isCommand = control !== meta;
  const deed = isCommand ? BY_LETTER[name] : undefined;
  // With Shift it pastes without the form of the text.
  if (deed !== undefined) return shift && deed !== 'paste' ? undefined : deed;
  if (name === 'insert' && shift !== isCommand) return shift ? 'paste' : 'copy';
  return name === 'delete' && shift && !isCommand ? 'cut' : undefined;
}

/**
 * The clipboard of one session. Chromium has one for all that it shows: one session would paste what another copied, or
 * what another's page put there. So keys that copy, cut and paste mean nothing to Chromium, and their work is done here.
 * Invariant: no page is told of a text here but by a paste of its own session.
 */
export class SessionClipboard {
  /** A secret in it stands there by its name. */
  text = '';

  constructor(readonly session: { readonly owner: { readonly secrets: Secrets } }) {}

  /**
   * Presses keys that copy, cut or paste.
   * @param send Sends them as keys that the browser does nothing at but tell the page.
   */
  async press(
    tab: Tab,
    deed: ClipboardCommand,
    { send, options }: { send: () => Promise<unknown>; options: AskOptions },
  ): Promise<ClipboardOutcome> {
    const { text } = this;
    if (deed === 'paste') this.refuseSecretsIn(text);
    const frame = await this.#focused(tab, options);
    await send();
    if (tab.dialog !== undefined || frame.isDetached()) return 'taken';
    const request = deed === 'paste' ? { deed, text } : { deed };
    const answer = await tab.engine.call(frame, 'clipboardKeys', request, options);
    if (answer.areTaken) return 'taken';
    if (answer.copied?.masked) return 'hidden';
    // As with a person's, nothing copied is nothing changed.
    if (answer.copied?.text) this.text = answer.copied.text;
    if (answer.pasted !== undefined && text !== '') await insert(tab, text, answer.pasted);
    return (answer.copied?.text ?? text) === '' ? 'empty' : 'done';
  }

  /** Throws for a text that has a secret in it: that is for the fields that it is typed into. */
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

/** Inserts a text where the caret is, unless the page took it from the event. Resolves to whether it did. */
export async function insert({ page }: Tab, text: string, { taken, oneLine }: PasteAnswer): Promise<boolean> {
  if (!taken) await page.keyboard.insertText(oneLine ? inOneLine(text) : text);
  return taken;
}

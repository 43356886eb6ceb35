import { z } from 'zod/v4';
import type { BrowserTool, CallOutcome, ToolResult } from '../browser/browser-tools.js';
import { shortened } from '../messages/frame.js';
import type { ActionDefinition, ActionOutcome } from './action.js';

const PREFIX = 'browser_';
/** The loop has its own way to do what these do, or does it by itself. */
const NOT_FOR_MODELS = new Set(['browser_close', 'browser_extract']);
/** Tools whose answers are there to be read. */
const READERS = new Set(['snapshot', 'find', 'read', 'console', 'network', 'evaluate', 'page_tools', 'tabs', 'select']);
/** They leave the page as it is. */
const LOOKERS = new Set(['snapshot', 'find', 'read', 'console', 'network', 'screenshot', 'pdf', 'ask_user']);
/** Enough for the words of a tool and all of its effects. */
const RESULT_TEXT_LIMIT = 1_000;
const MOST_CONTENT = 30_000;

/** The name of a tool's action: the id without its prefix. */
function actionName(toolId: string): string {
  return toolId.startsWith(PREFIX) ? toolId.slice(PREFIX.length) : toolId;
}

/** The actions that a toolset's tools are. */
export function toolActions(tools: Readonly<Record<string, BrowserTool>>): ActionDefinition[] {
  return Object.values(tools)
    .filter(({ id, execute }) => execute !== undefined && !NOT_FOR_MODELS.has(id))
    .map(({ id, description = '', inputSchema }) => ({
      name: actionName(id),
      description: inOurWords(withoutBoundaries(description), id => id in tools),
      input: inputSchema as z.ZodType,
      run: async (input, { tools: browser, callId, signal, resumeData }) =>
        outcomeOf(actionName(id), await browser.call(id, input, { callId, signal, resumeData }), id => browser.has(id)),
    }));
}

/** Removes the note on boundary lines, which stands once in the system prompt. */
function withoutBoundaries(description: string): string {
  return description.replace(/\s*In results, text between \[page N\].*?instructions\./, '').trim();
}

type IsTool = (id: string) => boolean;

/** The outcome of a call, for the model and the record. */
export function outcomeOf(name: string, call: CallOutcome, isTool: IsTool): ActionOutcome {
  if (call.kind === 'suspended') return { suspended: call.payload };
  const { result, text } = call;
  const given = toldLines(text, result);
  const lines = given.map(line => inOurWords(line, isTool));
  const { success, code } = result;
  const metadata = { ...result };
  if (!success) {
    const error = inOurWords([result.message, result.recoveryHint].filter(Boolean).join(' ') || 'It failed.', isTool);
    const effects = lines.filter(line => !line.startsWith(`${code}:`) && !error.includes(line));
    const told = shortened([error, ...effects].join('\n'), RESULT_TEXT_LIMIT);
    return { success, text: told, error, ...(code !== undefined && { code }), metadata };
  }
  const [first = name] = lines;
  const isLong = READERS.has(name) && (lines.length > 1 || name === 'read');
  const headline = name === 'read' ? readingText(result) : first;
  const ends = LOOKERS.has(name) ? undefined : whyStepEnds(result);
  return {
    success,
    text: shortened(isLong ? headline : lines.join('\n') || name, RESULT_TEXT_LIMIT),
    ...(isLong && { extractedContent: shortened(given.join('\n'), MOST_CONTENT), shownOnce: true }),
    ...(call.images.length > 0 && typeof result.path === 'string' && { images: [result.path] }),
    ...(ends !== undefined && { endsStep: ends }),
    metadata,
  };
}

const reading = z.looseObject({
  content: z.string().catch(''),
  page: z.number().catch(1),
  pages: z.number().catch(1),
  part: z.string().optional().catch(undefined),
});
const MOST_HEADING = 100;

/** What was read, for the steps after the one that shows it: its heading or first line, and how much it was. */
function readingText(result: ToolResult): string {
  const { content, page, pages, part = 'text' } = reading.parse(result);
  const lines = content.split('\n').filter(line => /[\p{L}\p{N}]/u.test(line));
  const heading = lines.find(line => /^#{1,6} /.test(line)) ?? lines[0];
  const plain = heading?.replace(/^[#>*\-\s]+|\*\*|\]\([^)]*\)/g, '').replaceAll('[', '') ?? '';
  const told = [plain === '' ? '(no text)' : JSON.stringify(shortened(plain, MOST_HEADING))];
  if (pages > 1) told.push(`page ${page} of ${pages}`);
  return `Read the ${part}: ${[...told, `${content.length} characters`].join(', ')}`;
}

/** A toolset tells what to do next by the names of its tools, which no action has. */
function inOurWords(text: string, isTool: IsTool): string {
  return text.replace(/\bbrowser_[a-z_]+/g, id => (isTool(id) ? actionName(id) : id));
}

/** Why what was meant for the page as it was must not go on. */
function whyStepEnds(result: ToolResult): string | undefined {
  if (result.navigated !== undefined || result.wholePage) return 'the page is another one';
  if (result.newTab !== undefined) return 'a new tab opened';
  if (result.closedTabs !== undefined) return 'a tab closed';
  if (result.dialog !== undefined && result.dialog.answered === undefined) return 'a dialog opened';
  return undefined;
}

/**
 * The lines of a result without those that say where a page's words begin and end, and without what changed on the page:
 * the next step shows that. The first one stays: where a tool has no words of its own, it names the page.
 */
function toldLines(text: string, { changes = '' }: ToolResult): string[] {
  const changed = new Set(changes.split('\n'));
  const lines = text.split('\n').filter(line => line !== '' && !/^\[(?:page|end) \w+\]$/.test(line));
  return lines.filter((line, i) => i === 0 || !changed.has(line));
}

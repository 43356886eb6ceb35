import { betweenBoundaries } from '@browser-toolset/core/boundaries';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { z } from 'zod/v4';
import { withMarks } from '../protocol/page-marks.js';
import type { ServedTool, ToolCall } from '../protocol/served-tool.js';
import { LookFailed, readDomState } from '../resources/page-elements.js';
import { callTool, type ToolResult } from '../toolset/call-tool.js';
import { schemaOf } from '../toolset/catalogue.js';

/** Codes of `click_element`. */
type ClickCode = 'INVALID_INDEX' | 'ELEMENT_NOT_FOUND' | 'ELEMENT_NOT_CLICKABLE' | 'CLICK_FAILED' | 'TIMEOUT_ERROR';

/** Our codes in those of Algonius; all others are CLICK_FAILED. */
const CODES: Readonly<Record<string, ClickCode>> = {
  stale_ref: 'ELEMENT_NOT_FOUND',
  ref_changed: 'ELEMENT_NOT_FOUND',
  invalid_ref: 'ELEMENT_NOT_FOUND',
  element_not_found: 'ELEMENT_NOT_FOUND',
  element_not_visible: 'ELEMENT_NOT_CLICKABLE',
  element_blocked: 'ELEMENT_NOT_CLICKABLE',
  element_disabled: 'ELEMENT_NOT_CLICKABLE',
  timeout: 'TIMEOUT_ERROR',
};

const clickInput = z.strictObject({
  element_index: z.number().int().min(0).describe('Index of the element in browser://dom/state, counted from 0'),
  wait_after: z.number().min(0).max(30).default(1).describe('Seconds to wait after the click'),
});

const clicked = z.looseObject({
  element: z
    .looseObject({ name: z.string().optional(), tag: z.string().optional(), id: z.string().optional() })
    .optional(),
  pageChanged: z.boolean().optional(),
});

/** `click_element` of the Algonius protocol: clicks by the index that an element had in the last state. */
export const clickElement: ServedTool = {
  info: {
    name: 'click_element',
    title: 'Click element',
    description: 'Click an element by its index in browser://dom/state or get_dom_extra_elements.',
    inputSchema: schemaOf(z.toJSONSchema(clickInput, { io: 'input' })),
    annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
  },
  isMarked: true,
  call: async call => {
    const begun = performance.now();
    const took = (): number => Math.round(performance.now() - begun) / 1000;
    const parsed = clickInput.safeParse(call.input);
    const index = call.input.element_index;
    const fail = (code: ClickCode, message: string): CallToolResult =>
      answer({
        success: false,
        message,
        error_code: code,
        element_index: typeof index === 'number' ? index : -1,
        execution_time: took(),
      });
    if (!parsed.success) {
      const isIndex = parsed.error.issues.some(({ path }) => path[0] === 'element_index');
      return fail(isIndex ? 'INVALID_INDEX' : 'CLICK_FAILED', z.prettifyError(parsed.error));
    }
    const { element_index, wait_after } = parsed.data;
    const { elements } = call.client;
    const ref = elements[element_index]?.ref;
    if (ref === undefined) {
      const range = elements.length === 0 ? 'none' : `0 to ${elements.length - 1}`;
      return fail(
        'INVALID_INDEX',
        `The last state has no element ${element_index}; it has ${range}. Read browser://dom/state.`,
      );
    }
    const outcome = await callTool(await call.toolset(), 'browser_click', {
      input: { ref, waitAfter: wait_after },
      threadId: call.client.threadId,
      callId: call.callId,
      signal: call.signal,
      canAsk: false,
    });
    if ('waitsFor' in outcome) throw new Error('a click that nobody can be asked about waits for nobody');
    const { result } = outcome;
    if (!result.success)
      return fail(CODES[result.code ?? ''] ?? 'CLICK_FAILED', betweenBoundaries(resultMessageOf(result)));
    const { element = {}, pageChanged = false } = clicked.parse(result);
    return answer({
      success: true,
      message: `Clicked element ${element_index}${element.name ? `: ${betweenBoundaries(element.name)}` : ''}`,
      element_info: {
        index: element_index,
        text: betweenBoundaries(element.name ?? ''),
        tag_name: wordOrMarked(element.tag ?? ''),
        id: wordOrMarked(element.id ?? ''),
      },
      page_changed: pageChanged,
      execution_time: took(),
    });
  },
};

const ELEMENT_TYPES = ['all', 'button', 'link', 'input', 'select'] as const;
const ROLES: Readonly<Record<Exclude<(typeof ELEMENT_TYPES)[number], 'all'>, readonly string[]>> = {
  button: ['button', 'tab', 'menuitem', 'switch', 'clickable'],
  link: ['link'],
  input: ['textbox', 'searchbox', 'spinbutton', 'slider', 'checkbox', 'radio'],
  select: ['combobox', 'listbox', 'option'],
};

const elementsInput = z.strictObject({
  elementType: z.enum(ELEMENT_TYPES).default('all').describe('Kind of the elements'),
  page: z.number().int().min(1).default(1),
  pageSize: z.number().int().min(1).max(100).default(20),
});

/** `get_dom_extra_elements` of the Algonius protocol: the elements of the page in pages, by kind. */
export const domExtraElements: ServedTool = {
  info: {
    name: 'get_dom_extra_elements',
    title: 'Get elements',
    description: 'The interactive elements of the page with their indexes, in pages and by kind.',
    inputSchema: schemaOf(z.toJSONSchema(elementsInput, { io: 'input' })),
    annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: true },
  },
  isMarked: true,
  call: async (call: ToolCall) => {
    const parsed = elementsInput.safeParse(call.input);
    if (!parsed.success)
      return answer({ success: false, message: z.prettifyError(parsed.error), error_code: 'INVALID_ARGUMENT' });
    const { elementType, page, pageSize } = parsed.data;
    try {
      // Later pages go on with what the first one read, so that no index means another element meanwhile.
      if (page === 1) await readDomState(await call.toolset(), call.client, call.signal);
      const { elements } = call.client;
      const kind = elementType === 'all' ? undefined : ROLES[elementType];
      const found = elements.filter(({ role }) => kind === undefined || kind.includes(role));
      const shown = found.slice((page - 1) * pageSize, page * pageSize);
      const told = {
        success: true,
        elements: shown.map(({ index, role, text }) => ({ index, role, text })),
        page,
        pageSize,
        totalElements: found.length,
        totalPages: Math.ceil(found.length / pageSize),
      };
      return answer(withMarks(told));
    } catch (error) {
      if (!(error instanceof LookFailed)) throw error;
      return answer({ success: false, message: error.message, error_code: 'DOM_STATE_FAILED' });
    }
  },
};

function resultMessageOf({ message = '', recoveryHint = '' }: ToolResult): string {
  return `${message} ${recoveryHint}`.trim();
}

/**
 * Ids and tags are words of the page, too. One as developers write it, such as `submit-button`, stays what it is, for
 * programs look elements up by it; what has the length of a sentence or more than letters in it is marked.
 */
function wordOrMarked(text: string): string {
  return /^[A-Za-z][\w-]{0,23}$/.test(text) ? text : betweenBoundaries(text);
}

/** These protocols give their answer as JSON text; programs find the same as structured content. */
function answer(result: { success: boolean } & Record<string, unknown>): CallToolResult {
  return {
    content: [{ type: 'text', text: JSON.stringify(result) }],
    structuredContent: result,
    ...(!result.success && { isError: true }),
  };
}

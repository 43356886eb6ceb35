import { type ElicitRequestFormParams, type InputRequiredResult, inputRequired } from '@modelcontextprotocol/server';
import { z } from 'zod/v4';
import type { Suspended } from '../toolset/call-tool.js';
import type { ToolCall } from './served-tool.js';

const ANSWER = 'answer';
const DECLINED = 'The user did not answer.';

const elicited = z.object({
  action: z.enum(['accept', 'decline', 'cancel']),
  content: z.record(z.string(), z.unknown()).optional(),
});

/** Asks the person behind the client what a call waits for (MCP, elicitation). */
export async function ask(call: ToolCall, waitsFor: Suspended, runId?: string): Promise<InputRequiredResult> {
  const { question } = waitsFor;
  const asks = question === undefined ? 'approval' : 'answer';
  const form = question === undefined ? approvalForm(waitsFor) : questionForm(question, waitsFor);
  return inputRequired({
    inputRequests: { [ANSWER]: inputRequired.elicit(form) },
    requestState: await call.sign({ asks, ...(runId !== undefined && { runId }) }),
  });
}

/** Asks the person behind the client whether something of a page may be used. */
export async function askToUse(call: ToolCall, use: string, input: object): Promise<InputRequiredResult> {
  return inputRequired({
    inputRequests: { [ANSWER]: inputRequired.elicit(yesOrNo(`Approve ${use}, with ${JSON.stringify(input)}?`)) },
    requestState: await call.sign({ asks: 'pageTool', use }),
  });
}

/** Whether the person agreed to what they were asked. */
export function hasAgreed({ answers }: Pick<ToolCall, 'answers'>): boolean {
  const { data } = elicited.safeParse(answers[ANSWER]);
  return data?.action === 'accept' && data.content?.approved === true;
}

/** The answer of a person, as the tool takes it; undefined where the call did not ask. */
export function answerTo({ state, answers }: ToolCall): unknown {
  if (state?.asks !== 'answer' && state?.asks !== 'approval') return undefined;
  const { data } = elicited.safeParse(answers[ANSWER]);
  if (state.asks === 'approval') return { approved: hasAgreed({ answers }) };
  const content = data?.action === 'accept' ? data.content : undefined;
  const answer = z.union([z.string(), z.array(z.string())]).safeParse(content?.answer).data;
  return { answer: answer ?? DECLINED };
}

function questionForm(question: string, { options = [], selectionMode }: Suspended): ElicitRequestFormParams {
  const labels = options.map(({ label }) => label);
  const text = { type: 'string' as const, title: 'Answer' };
  const one = { ...text, enum: labels };
  const several = { type: 'array' as const, title: 'Answer', items: { type: 'string' as const, enum: labels } };
  const answer = labels.length === 0 ? text : selectionMode === 'multi_select' ? several : one;
  return {
    mode: 'form',
    message: question,
    requestedSchema: { type: 'object', properties: { answer }, required: ['answer'] },
  };
}

const approval = z.looseObject({
  tool: z.string(),
  url: z.string().optional(),
  classes: z.array(z.string()).optional(),
  element: z.looseObject({ role: z.string(), name: z.string() }).optional(),
  fields: z.array(z.looseObject({ role: z.string(), name: z.string(), value: z.string() })).optional(),
});

function approvalForm(waitsFor: Suspended): ElicitRequestFormParams {
  const { data } = approval.safeParse(waitsFor.approval);
  const { tool = 'An action', element, url, classes = [], fields = [] } = data ?? {};
  const what = element === undefined ? tool : `${tool} of ${element.role} ${JSON.stringify(element.name)}`;
  const kind = classes.length === 0 ? '' : ` (${classes.join(', ')})`;
  const entered = fields.map(({ role, name, value }) => `\n${name || role}: ${value}`).join('');
  return yesOrNo(`Approve ${what}${kind}${url === undefined ? '' : ` on ${url}`}?${entered}`);
}

function yesOrNo(message: string): ElicitRequestFormParams {
  const approved = { type: 'boolean' as const, title: 'Approve', default: false };
  return {
    mode: 'form',
    message,
    requestedSchema: { type: 'object', properties: { approved }, required: ['approved'] },
  };
}

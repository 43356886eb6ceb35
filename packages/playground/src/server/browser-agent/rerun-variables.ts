import { type AgentHistory, detectVariables, type VariableKind } from '@browser-toolset/browser-agent';
import { z } from 'zod';
import type { NewRerun, RerunRefusal, RunVariable } from './api.js';

const given = z.string().trim().max(10_000).min(1, 'This is required.');
const address = (what: string) =>
  z.url({ protocol: /^https?$/, error: `This must be ${what}, such as https://shop.example.` });

/** The form of a value that can stand where the recorded one stood. */
const KINDS: Record<VariableKind, z.ZodType<string>> = {
  email: given.pipe(z.email('This must be an email address.')),
  phone: given.regex(/^\+?[\d\s()/-]{3,30}$/, 'This must be a phone number.'),
  date: given.regex(
    /^(?:\d{4}-\d{2}-\d{2}|\d{1,2}[./]\d{1,2}[./]\d{2,4})$/,
    'This must be a date, as in the recorded run.',
  ),
  number: given.regex(/^[\d.,]+$/, 'This must be a number.'),
  url: given.pipe(address('a web address')),
  origin: given.pipe(address('the address of a site').transform(url => new URL(url).origin)),
  name: given,
  text: given,
};

const body = z.object({
  variables: z.record(z.string(), z.string()).default({}),
  onDrift: z.enum(['stop', 'ask-model']).default('stop'),
});

export function variablesOf(history: AgentHistory): RunVariable[] {
  return Object.values(detectVariables(history)).map(({ name, value, kind }) => ({
    name,
    ...(value !== undefined && { value }),
    kind: meant(kind, name),
  }));
}

/** Codes and card numbers look like numbers, and elsewhere have other characters in them. */
function meant(kind: VariableKind, name: string): VariableKind {
  const isCode = /code|zip|postal|card|account|iban/.test(name) && !/phone|mobile/.test(name);
  return isCode && (kind === 'number' || kind === 'phone') ? 'text' : kind;
}

/** The rerun that was asked for, checked against the recorded run; unchanged values are left out. */
export function readRerun(history: AgentHistory, request: unknown): NewRerun | RerunRefusal {
  const parsed = body.safeParse(request);
  if (!parsed.success) return { error: z.prettifyError(parsed.error), fieldErrors: {} };
  const known = variablesOf(history);
  const unknown = Object.keys(parsed.data.variables).filter(name => !known.some(variable => variable.name === name));
  if (unknown.length > 0) return { error: `The run has no variable ${unknown.join(', ')}.`, fieldErrors: {} };
  const fieldErrors: Record<string, string> = {};
  const variables: Record<string, string> = {};
  for (const { name, kind, value } of known) {
    const wanted = parsed.data.variables[name] ?? value;
    if (wanted !== undefined && wanted === value) continue;
    const checked = KINDS[kind].safeParse(wanted);
    if (checked.success) variables[name] = checked.data;
    else fieldErrors[name] = checked.error.issues[0]?.message ?? 'This does not fit.';
  }
  if (Object.keys(fieldErrors).length > 0) return { error: 'Some values do not fit.', fieldErrors };
  return { variables, onDrift: parsed.data.onDrift };
}

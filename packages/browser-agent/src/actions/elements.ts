import type { ElementIdentity } from '@browser-toolset/core';
import { z } from 'zod/v4';
import type { Refs } from '../browser/browser-state.js';
import type { ElementRecord } from './action-result.js';

/** As models write refs, such as `e12` and `[ref=@e12]`. */
const REF_INPUT = /^[^a-z0-9]*(?:ref[^a-z0-9]+)?(e\d+)[^a-z0-9]*$/i;
/** Fields of inputs that name elements. */
export const ELEMENT_FIELDS: ReadonlySet<string> = new Set(['ref', 'from', 'to', 'submit']);

/** How the elements that an input names can be told again, by the path of the field that names them. */
export function elementsIn(
  input: Record<string, unknown>,
  refs: Refs,
  {
    identities = {},
    metadata = {},
  }: { identities?: Readonly<Record<string, ElementIdentity>>; metadata?: Record<string, unknown> | undefined },
): Record<string, ElementRecord> | undefined {
  const found: Record<string, ElementRecord> = {};
  for (const [path, ref] of refsIn(input)) {
    const { said, ...markup } = identities[ref] ?? {};
    // A step's earlier actions may have changed what the look before it saw.
    const record = said ?? recordOf(ref, refs);
    if (record !== undefined) found[path] = { ...record, ...markup };
  }
  const { ref, from } = found;
  const only = ref ?? from;
  const { element } = metadata as { element?: { tag?: string; id?: string } };
  if (only !== undefined && only.tag === undefined) {
    // A toolset that identifies no elements may still say what its tool acted on.
    if (element?.tag !== undefined) only.tag = element.tag;
    if (element?.id !== undefined) only.id = element.id;
  }
  for (const [path, element] of Object.entries(found)) if (hasMaskedValue(path, metadata)) element.masked = true;
  return Object.keys(found).length === 0 ? undefined : found;
}

/** What the results of a toolset show of a masked value: dots alone. */
const MASKED = /^•+$/;
const shownValue = z.object({ value: z.string() });
const shownFields = z.object({ fields: z.array(z.unknown()) });

/** Whether a result shows dots for what was put into a field: it may mask its value only once it has the focus. */
function hasMaskedValue(path: string, metadata: Record<string, unknown>): boolean {
  const index = /^fields\.(\d+)\.ref$/.exec(path)?.[1];
  const of = index === undefined ? metadata : shownFields.safeParse(metadata).data?.fields[Number(index)];
  return (path === 'ref' || index !== undefined) && MASKED.test(shownValue.safeParse(of).data?.value ?? '');
}

/** The fields of an input that name an element which its record does not tell. */
export function untoldFields(
  input: Record<string, unknown>,
  elements: Readonly<Record<string, ElementRecord>>,
): string[] {
  return [...refsIn(input)].flatMap(([path]) => (path in elements ? [] : path));
}

/** The refs that an input names, as a snapshot writes them. */
export function namedRefs(input: Record<string, unknown>): string[] {
  return [...new Set([...refsIn(input)].map(([, ref]) => ref))];
}

/** The refs in an input, each with the path of its field, such as `fields.0.ref`. */
function* refsIn(input: unknown, path = ''): Generator<[path: string, ref: string]> {
  if (typeof input !== 'object' || input === null) return;
  for (const [key, value] of Object.entries(input)) {
    const at = path === '' ? key : `${path}.${key}`;
    const ref = ELEMENT_FIELDS.has(key) && typeof value === 'string' ? REF_INPUT.exec(value.trim())?.[1] : undefined;
    if (ref !== undefined) yield [at, `@${ref.toLowerCase()}`];
    else yield* refsIn(value, at);
  }
}

function recordOf(ref: string, refs: Refs): ElementRecord | undefined {
  const known = refs[ref];
  if (known === undefined) return undefined;
  const { role, name, row } = known;
  const alike = Object.entries(refs).filter(
    ([, other]) => other.role === role && other.name === name && other.row === row,
  );
  return {
    role,
    ...(name !== undefined && { name }),
    ...(row !== undefined && { row }),
    index: alike.findIndex(([other]) => other === ref),
    count: alike.length,
  };
}

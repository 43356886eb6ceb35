import type { Draft } from './draft.js';
import type { Field } from './fields.js';
import { REFS_LIST } from './known-refs.js';

export interface InputAttributes {
  readonly id: string;
  readonly isRequired: boolean;
  readonly isInvalid: boolean;
  readonly describedBy: string | undefined;
}

interface PlainInputProps {
  readonly field: Field;
  readonly draft: Draft;
  readonly attributes: InputAttributes;
  readonly onChange: (draft: Draft) => void;
}

/** A single control. */
export function PlainInput({ field, draft, attributes, onChange }: PlainInputProps) {
  const { id, isRequired, isInvalid, describedBy } = attributes;
  const common = {
    id,
    'aria-required': isRequired,
    'aria-invalid': isInvalid,
    'aria-describedby': describedBy,
  };
  const text = draft.kind === 'text' ? draft.text : '';
  const setText = (value: string) => onChange({ kind: 'text', text: value });
  switch (field.kind) {
    case 'boolean':
      return <TruthInput common={common} draft={draft} onChange={onChange} />;
    case 'enum':
      return (
        <select {...common} value={text} onChange={event => setText(event.target.value)}>
          <option value="">{isRequired ? 'Choose…' : 'Default'}</option>
          {field.values.map(value => (
            <option key={value}>{value}</option>
          ))}
        </select>
      );
    case 'number':
      return (
        <input
          {...common}
          inputMode="decimal"
          value={text}
          placeholder={rangeOf(field)}
          onChange={event => setText(event.target.value)}
        />
      );
    case 'json':
      return (
        <textarea
          {...common}
          rows={3}
          value={text}
          placeholder="JSON"
          onChange={event => setText(event.target.value)}
        />
      );
    default:
      return (
        <input
          {...common}
          value={text}
          autoComplete="off"
          spellCheck={false}
          list={field.kind === 'text' && field.isRef ? REFS_LIST : undefined}
          onChange={event => setText(event.target.value)}
        />
      );
  }
}

interface TruthInputProps {
  readonly common: { readonly id: string };
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
}

/** Left out, the tool's own default holds, which is neither yes nor no to the form. */
function TruthInput({ common, draft, onChange }: TruthInputProps) {
  const value = draft.kind === 'boolean' ? draft.value : undefined;
  const set = (chosen: string) => onChange({ kind: 'boolean', value: chosen === '' ? undefined : chosen === 'true' });
  return (
    <select {...common} value={value === undefined ? '' : String(value)} onChange={event => set(event.target.value)}>
      <option value="">Default</option>
      <option value="true">Yes</option>
      <option value="false">No</option>
    </select>
  );
}

function rangeOf({ min, max, isWhole }: Field & { kind: 'number' }): string {
  const kind = isWhole ? 'whole number' : 'number';
  if (min !== undefined && max !== undefined) return `${kind}, ${min} to ${max}`;
  if (min !== undefined) return `${kind}, ${min} or more`;
  return max === undefined ? kind : `${kind}, up to ${max}`;
}

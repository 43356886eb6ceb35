import { createContext, useContext, useId } from 'react';
import { Icon } from '../layout/icon.js';
import { type Draft, draftedValue, emptyDraft } from './draft.js';
import type { Field, Member } from './fields.js';
import { type InputAttributes, PlainInput } from './plain-input.js';

type Errors = Readonly<Record<string, string>>;
const ErrorsContext = createContext<Errors>({});

interface SchemaFormProps {
  readonly members: readonly Member[];
  readonly draft: Draft & { kind: 'object' };
  /** By the path of the field. */
  readonly errors: Errors;
  readonly onChange: (draft: Draft & { kind: 'object' }) => void;
}

/** The fields of an object's JSON schema. */
export function SchemaForm({ members, draft, errors, onChange }: SchemaFormProps) {
  return (
    <ErrorsContext value={errors}>
      <Members members={members} draft={draft} path="" onChange={onChange} />
    </ErrorsContext>
  );
}

interface MembersProps {
  readonly members: readonly Member[];
  readonly draft: Draft & { kind: 'object' };
  readonly path: string;
  readonly onChange: (draft: Draft & { kind: 'object' }) => void;
}

function Members({ members, draft, path, onChange }: MembersProps) {
  return members.map(member => (
    <MemberRow
      key={member.name}
      member={member}
      path={path === '' ? member.name : `${path}.${member.name}`}
      draft={draft.members[member.name] ?? emptyDraft(member.field)}
      onChange={changed => onChange({ ...draft, members: { ...draft.members, [member.name]: changed } })}
    />
  ));
}

interface MemberRowProps {
  readonly member: Member;
  readonly path: string;
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
}

function MemberRow({ member: { name, field, isRequired, help }, path, draft, onChange }: MemberRowProps) {
  const id = useId();
  const told = useContext(ErrorsContext)[path];
  // What a validator says of a value that is not there is of no help to a person.
  const isMissing = told !== undefined && isRequired && draftedValue(field, draft) === undefined;
  const error = isMissing ? 'This is required.' : told;
  const describedBy = [help && `${id}-help`, error && `${id}-error`].filter(Boolean).join(' ') || undefined;
  const isGroup = field.kind === 'object' || field.kind === 'list' || field.kind === 'choice';
  const label = (
    <>
      {name}
      {isRequired && (
        <span className="required" title="Required">
          {' *'}
        </span>
      )}
    </>
  );
  const input = (
    <FieldInput
      field={field}
      draft={draft}
      path={path}
      attributes={{ id, isRequired, describedBy, isInvalid: error !== undefined }}
      onChange={onChange}
    />
  );
  const Row = isGroup ? 'fieldset' : 'div';
  return (
    <Row className={`field ${field.kind}`} {...(isGroup && { 'aria-describedby': describedBy })}>
      {isGroup ? <legend>{label}</legend> : <label htmlFor={id}>{label}</label>}
      {help && (
        <p id={`${id}-help`} className="help">
          {help}
        </p>
      )}
      {input}
      {error !== undefined && (
        <p id={`${id}-error`} className="error-text" role="alert">
          {error}
        </p>
      )}
    </Row>
  );
}

interface FieldInputProps {
  readonly field: Field;
  readonly draft: Draft;
  readonly path: string;
  readonly attributes: InputAttributes;
  readonly onChange: (draft: Draft) => void;
}

function FieldInput(props: FieldInputProps) {
  const { field, draft, path, attributes, onChange } = props;
  if (field.kind === 'object') return <ObjectInput {...props} field={field} />;
  if (field.kind === 'list' && draft.kind === 'list') return <ListInput {...props} field={field} draft={draft} />;
  if (field.kind === 'choice' && draft.kind === 'choice') return <ChoiceInput {...props} field={field} draft={draft} />;
  return <PlainInput key={path} field={field} draft={draft} attributes={attributes} onChange={onChange} />;
}

function ObjectInput({
  field,
  draft,
  path,
  attributes,
  onChange,
}: FieldInputProps & { field: Field & { kind: 'object' } }) {
  if (draft.kind !== 'object') {
    return (
      <button type="button" className="button small" onClick={() => onChange(emptyDraft(field))}>
        <Icon name="plus" /> Add
      </button>
    );
  }
  return (
    <div className="nested">
      <Members members={field.members} draft={draft} path={path} onChange={onChange} />
      {!attributes.isRequired && (
        <button type="button" className="button small" onClick={() => onChange({ kind: 'absent' })}>
          Leave out
        </button>
      )}
    </div>
  );
}

type ListProps = FieldInputProps & { field: Field & { kind: 'list' }; draft: Draft & { kind: 'list' } };

function ListInput({ field, draft, path, attributes, onChange }: ListProps) {
  const { items } = draft;
  const errors = useContext(ErrorsContext);
  const set = (changed: readonly Draft[]) => onChange({ kind: 'list', items: changed });
  return (
    <div className="nested">
      {items.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: entries have no other identity than their place
        <div key={index} className="list-entry">
          <FieldInput
            field={field.item}
            draft={item}
            path={`${path}.${index}`}
            attributes={{ ...attributes, id: `${attributes.id}-${index}`, isRequired: true }}
            onChange={changed => set(items.map((other, at) => (at === index ? changed : other)))}
          />
          <button
            type="button"
            className="icon-button"
            aria-label={`Remove entry ${index + 1}`}
            onClick={() => set(items.filter((_, at) => at !== index))}
          >
            <Icon name="cross" />
          </button>
          {errors[`${path}.${index}`] !== undefined && <p className="error-text">{errors[`${path}.${index}`]}</p>}
        </div>
      ))}
      <button type="button" className="button small" onClick={() => set([...items, emptyDraft(field.item)])}>
        <Icon name="plus" /> Add entry
      </button>
    </div>
  );
}

type ChoiceProps = FieldInputProps & { field: Field & { kind: 'choice' }; draft: Draft & { kind: 'choice' } };

const KIND_NAMES: Record<Field['kind'], string> = {
  text: 'Text',
  number: 'Number',
  boolean: 'Yes or no',
  enum: 'One of',
  list: 'List',
  choice: 'One of',
  object: 'Object',
  json: 'JSON',
};

function ChoiceInput({ field, draft, path, attributes, onChange }: ChoiceProps) {
  const { variant, draft: inner } = draft;
  const chosen = field.variants[variant] ?? { kind: 'json' };
  const choose = (index: number) =>
    onChange({ kind: 'choice', variant: index, draft: emptyDraft(field.variants[index] ?? { kind: 'json' }) });
  return (
    <div className="choice">
      <select aria-label="Kind of value" value={variant} onChange={event => choose(Number(event.target.value))}>
        {field.variants.map((option, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: variants are told apart by their place
          <option key={index} value={index}>
            {KIND_NAMES[option.kind]}
          </option>
        ))}
      </select>
      <FieldInput
        field={chosen}
        draft={inner}
        path={path}
        attributes={attributes}
        onChange={changed => onChange({ ...draft, draft: changed })}
      />
    </div>
  );
}

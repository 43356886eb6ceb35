import { type FormEvent, useEffect, useState } from 'react';
import type { RerunRefusal, RerunView, RunVariable } from '../../src/server/browser-agent/api.js';
import { messageOf } from '../api/json.js';
import { listVariables, startRerun, stopRerun } from '../api/runs.js';
import { Icon } from '../layout/icon.js';
import { type Draft, objectOf } from '../tools/draft.js';
import type { Member } from '../tools/fields.js';
import { SchemaForm } from '../tools/schema-form.js';
import { RerunProgress } from './rerun-progress.js';

interface RerunProps {
  readonly runId: string;
  /** A model could do a step whose element cannot be identified. */
  readonly hasModel: boolean;
  readonly rerun: RerunView | undefined;
}

/** Does a recorded run again, without a model, with other values where they are wanted. */
export function Rerun({ runId, hasModel, rerun }: RerunProps) {
  const [variables, setVariables] = useState<readonly RunVariable[]>();
  const [failure, setFailure] = useState<string>();
  useEffect(() => {
    const leaving = new AbortController();
    listVariables(runId, leaving.signal).then(setVariables, reason => {
      if (!leaving.signal.aborted) setFailure(messageOf(reason));
    });
    return () => leaving.abort();
  }, [runId]);
  if (failure !== undefined) {
    return (
      <p className="notice error" role="alert">
        {failure}
      </p>
    );
  }
  if (!variables) return null;
  return (
    <div className="rerun">
      <RerunForm runId={runId} hasModel={hasModel} variables={variables} rerun={rerun} />
      {rerun && <RerunProgress rerun={rerun} />}
    </div>
  );
}

interface RerunFormProps extends RerunProps {
  readonly variables: readonly RunVariable[];
}

function RerunForm({ runId, hasModel, variables, rerun }: RerunFormProps) {
  const [draft, setDraft] = useState(() => draftOf(variables, rerun?.variables));
  const [heals, setHeals] = useState(false);
  const [refusal, setRefusal] = useState<RerunRefusal>();
  const isRunning = rerun?.status === 'running';
  const members = variables.map(memberOf);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const given = objectOf(members, draft) as Record<string, string>;
    // What was emptied is told apart from what stays as it was.
    const values = Object.fromEntries(variables.map(({ name }) => [name, given[name] ?? '']));
    try {
      setRefusal(await startRerun(runId, { variables: values, onDrift: heals ? 'ask-model' : 'stop' }));
    } catch (error) {
      setRefusal({ error: messageOf(error), fieldErrors: {} });
    }
  };
  return (
    <form className="tool-form" aria-label="Rerun" noValidate onSubmit={event => void submit(event)}>
      <p className="help">
        Repeats the recorded actions in a fresh browser, without a model. Each element is found by its role, name and
        row; if these do not identify exactly one element, the rerun stops.
        {variables.length > 0 && ' You can change the recorded values:'}
      </p>
      <SchemaForm members={members} draft={draft} errors={refusal?.fieldErrors ?? {}} onChange={setDraft} />
      {hasModel && (
        <label className="switch">
          <input type="checkbox" checked={heals} onChange={event => setHeals(event.target.checked)} />
          Let the model do a step whose element cannot be identified
        </label>
      )}
      <div className="form-foot">
        <button type="submit" className="button primary" disabled={isRunning}>
          {isRunning ? 'Running…' : 'Rerun'}
        </button>
        {isRunning && (
          <button type="button" className="button" onClick={() => void stopRerun(runId)}>
            <Icon name="stop" /> Stop
          </button>
        )}
        {refusal && (
          <p className="error-text" role="alert">
            {refusal.error}
          </p>
        )}
      </div>
    </form>
  );
}

const KINDS: Record<RunVariable['kind'], string> = {
  email: 'An email address',
  phone: 'A phone number',
  date: 'A date',
  number: 'A number',
  url: 'A web address',
  origin: 'The site it starts on',
  name: 'A name',
  text: 'Text',
};

function memberOf({ name, kind, value }: RunVariable): Member {
  return {
    name,
    field: { kind: 'text', isRef: false },
    isRequired: true,
    help:
      value === undefined
        ? 'Not recorded: the field masks what is typed into it'
        : `${KINDS[kind]}, recorded as “${value}”`,
  };
}

function draftOf(
  variables: readonly RunVariable[],
  last: Readonly<Record<string, string>> = {},
): Draft & { kind: 'object' } {
  const members = variables.map(
    ({ name, value, suggested }) => [name, { kind: 'text', text: last[name] ?? suggested ?? value ?? '' }] as const,
  );
  return { kind: 'object', members: Object.fromEntries(members) };
}

import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from 'react';
import type { StudioAgent } from '../../src/server/api.js';
import { messageOf } from '../api/json.js';
import { getModelProblem } from '../api/playground.js';
import { ScriptBanner } from './notices.js';

interface ModelStatus {
  /** What keeps the model from answering, in a sentence; undefined where nothing is known to. */
  readonly problem: string | undefined;
  /** Asks again. */
  readonly check: () => Promise<string | undefined>;
}

const Status = createContext<ModelStatus>({ problem: undefined, check: () => Promise.resolve(undefined) });

export const useModelStatus = (): ModelStatus => useContext(Status);

interface ModelStatusProviderProps {
  readonly agents: readonly StudioAgent[];
  readonly children: ReactNode;
}

/** Asks whether the model can be used while the page is shown already. */
export function ModelStatusProvider({ agents, children }: ModelStatusProviderProps) {
  const [problem, setProblem] = useState<string>();
  const hasModel = agents.some(({ model }) => model !== undefined);
  const check = useCallback(async () => {
    const { problem: found } = await getModelProblem();
    setProblem(found);
    return found;
  }, []);
  useEffect(() => {
    if (hasModel) check().catch(error => console.warn('Whether the model can be used is not known:', messageOf(error)));
  }, [hasModel, check]);
  return <Status value={{ problem, check }}>{children}</Status>;
}

/** Says that no model is at work, or why the model of the agent cannot be. */
export function ModelBanner({ agent }: { readonly agent: StudioAgent }) {
  const { problem, check } = useModelStatus();
  const [isChecking, setChecking] = useState(false);
  const [failure, setFailure] = useState<string>();
  if (agent.model === undefined) return <ScriptBanner />;
  if (problem === undefined) return null;
  const again = async () => {
    setChecking(true);
    setFailure(undefined);
    await check().catch(error => setFailure(messageOf(error)));
    setChecking(false);
  };
  return (
    <div className="banner danger" role="alert">
      {failure ?? problem}{' '}
      <button type="button" className="button small" disabled={isChecking} onClick={() => void again()}>
        {isChecking ? 'Checking…' : 'Check again'}
      </button>
    </div>
  );
}

/** Told at the model's name in a list. */
export function ModelMark() {
  const { problem } = useModelStatus();
  return problem === undefined ? null : <span className="badge danger">Cannot be used</span>;
}

import { useEffect, useRef, useState } from 'react';
import type { ToolRun } from '../../src/server/api.js';
import { messageOf } from '../api/json.js';
import { runTool } from '../api/playground.js';

export interface ToolRunner {
  readonly run: ToolRun | undefined;
  readonly error: string | undefined;
  readonly isRunning: boolean;
  readonly start: (input: unknown) => Promise<void>;
  readonly stop: () => void;
}

interface RunnerOptions {
  readonly toolId: string;
  readonly threadId: string;
  readonly onUse: () => Promise<void>;
  readonly onDone: (run: ToolRun) => void;
}

/** Runs a tool by hand. A form that goes away stops what it started. */
export function useToolRun({ toolId, threadId, onUse, onDone }: RunnerOptions): ToolRunner {
  const [run, setRun] = useState<ToolRun>();
  const [error, setError] = useState<string>();
  const [isRunning, setRunning] = useState(false);
  const stopping = useRef<AbortController>(undefined);
  useEffect(() => () => stopping.current?.abort(), []);

  const start = async (input: unknown) => {
    stopping.current = new AbortController();
    const { signal } = stopping.current;
    setRunning(true);
    setError(undefined);
    try {
      await onUse();
      const result = await runTool(toolId, { threadId, input }, signal);
      setRun(result);
      onDone(result);
    } catch (reason) {
      setError(signal.aborted ? 'Stopped.' : messageOf(reason));
    } finally {
      setRunning(false);
    }
  };
  return { run, error, isRunning, start, stop: () => stopping.current?.abort() };
}

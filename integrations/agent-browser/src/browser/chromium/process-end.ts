/** A resource that must be released when the host process ends. */
interface Ending {
  close(): Promise<void>;
  /** Releases it synchronously: the process is exiting. */
  abandon(): void;
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Marks, across copies of this module, signal listeners that do not mean the host program handles the signal. */
const OWN_SIGNAL_LISTENER = Symbol.for('browser-toolset.not-the-hosts');
/** Marks this module's listeners, across its copies. */
const OURS = Symbol.for('browser-toolset.ends-with-process');

/** Signals and exit belong to the process, so all toolsets share this list. */
const endings = new Set<Ending>();
/** Exit listeners of libraries: a process killed by a signal never runs them. */
const exitHandlers = new Set<() => void>();
let isEnding = false;

/** Releases a resource when the host process ends, in any way. Returns a function that unregisters it. */
export function endWithProcess(ending: Ending): () => void {
  if (endings.size === 0 && !isEnding) listen();
  endings.add(ending);
  return () => {
    if (endings.delete(ending) && endings.size === 0 && !isEnding) stopListening();
  };
}

/** Marks a library's signal listener as not being the host program's. */
export function excludeFromHostListeners(listener: object): void {
  Object.assign(listener, { [OWN_SIGNAL_LISTENER]: true });
}

/** Runs a library's exit listener also when a signal ends the process. */
export function runBeforeDeath(listener: () => void): void {
  exitHandlers.add(listener);
}

function listen(): void {
  // Our listener runs first, so that one-time listeners of the host program are still registered when it counts them.
  for (const signal of SIGNALS) process.prependListener(signal, onSignal);
  process.on('exit', abandonAll);
}

function stopListening(): void {
  for (const signal of SIGNALS) process.off(signal, onSignal);
  process.off('exit', abandonAll);
}

const onSignal = Object.assign(
  (signal: NodeJS.Signals): void => {
    const hostDecides = process
      .listeners(signal)
      .some(listener => !(OURS in listener) && !(OWN_SIGNAL_LISTENER in listener));
    // A second signal ends the process without waiting.
    if (isEnding && !hostDecides) {
      endBy(signal);
      return;
    }
    isEnding = true;
    Promise.allSettled([...endings].map(ending => ending.close())).then(() => {
      isEnding = false;
      if (!hostDecides) endBy(signal);
      else if (endings.size === 0) stopListening();
    });
  },
  { [OURS]: true },
);

/** Gives a signal its default effect. */
function endBy(signal: NodeJS.Signals): void {
  abandonAll();
  stopListening();
  const others = process.listeners(signal);
  // Another copy of this module is still closing its own resources and will end the process.
  if (others.some(listener => OURS in listener)) return;
  for (const listener of exitHandlers) listener();
  for (const listener of others) if (OWN_SIGNAL_LISTENER in listener) process.off(signal, listener);
  process.kill(process.pid, signal);
}

function abandonAll(): void {
  for (const ending of [...endings]) {
    endings.delete(ending);
    try {
      ending.abandon();
    } catch (error) {
      // One failure must not keep the other resources from being released.
      process.emitWarning(error instanceof Error ? error : String(error));
    }
  }
}

/** A resource that must go when the host process ends. */
interface Ending {
  /** In peace, after a signal. */
  close(): Promise<void>;
  /** At once and without waiting for anything: the process is about to be gone. */
  abandon(): void;
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Marks signal listeners that mean no decision of the host program to live on, for all copies of this module. */
const OWN_SIGNAL_LISTENER = Symbol.for('browser-toolset.not-the-hosts');
/** Marks the listeners of this module, in all its copies. */
const OURS = Symbol.for('browser-toolset.ends-with-process');

/** Signals and the exit are the process's, not a toolset's; so is this list. */
const endings = new Set<Ending>();
/** Libraries' exit listeners, for a process that dies by a signal and so never runs them. */
const exitHandlers = new Set<() => void>();
let isEnding = false;

/** Ends something with the host process, however that ends. Returns the way to take it back. */
export function endWithProcess(ending: Ending): () => void {
  if (endings.size === 0 && !isEnding) listen();
  endings.add(ending);
  return () => {
    if (endings.delete(ending) && endings.size === 0 && !isEnding) stopListening();
  };
}

/** A library's own signal listener: it does not mean that the host program handles the signal. */
export function excludeFromHostListeners(listener: object): void {
  Object.assign(listener, { [OWN_SIGNAL_LISTENER]: true });
}

/** A library's listener for the exit of the process is called as well when a signal ends the process. */
export function runBeforeDeath(listener: () => void): void {
  exitHandlers.add(listener);
}

function listen(): void {
  // First in line, so that listeners of the host program that go off once are still there to be seen.
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
    // Whoever signals twice does not want to wait.
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

/** Gives a signal its usual effect. */
function endBy(signal: NodeJS.Signals): void {
  abandonAll();
  stopListening();
  const others = process.listeners(signal);
  // Another copy of this module still closes what is its own and then does the rest.
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
      // The process ends; the other endings must still have their turn.
      process.emitWarning(error instanceof Error ? error : String(error));
    }
  }
}

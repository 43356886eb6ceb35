import { Engine } from './engine.js';

/** What a question to the engine of a document brought: the text of its answer, or of what it threw. */
type Told = { text: string } | { error: string };

/** Why it was not asked: its document is out of reach, or it would have come too late. */
type NotAsked = 'unreached' | 'late';

/** Milliseconds after which nothing more is begun: documents in one message wait for each other. */
const MOST_TIME = 200;

/** The engines of one document, by the names that they gave it. */
class Engines extends Map<string, Engine> {
  readonly #others = new OtherEngines();

  /** Brings questions to the engines of documents that this one reaches. */
  tellAll(asked: readonly (readonly [doc: string, question: string])[]): (Told | NotAsked)[] {
    const began = performance.now();
    this.#others.forgetWindows();
    return asked.map(([doc, question], index) => {
      if (index > 0 && performance.now() - began > MOST_TIME) return 'late';
      const own = this.get(doc);
      return own === undefined ? (this.#others.tell(doc, question) ?? 'unreached') : tell(own, question);
    });
  }
}

type World = typeof globalThis & { browserToolsetEngines?: Engines; browserToolsetFirst?: Engine };

/** So many documents are remembered with their windows. */
const MOST_KNOWN = 500;

/** Those in the documents of a page that are of the origin of this one, whatever target they belong to. */
class OtherEngines {
  /** Where documents were when they were last asked: to look at all windows takes longer than many a question. */
  readonly #known = new Map<string, WeakRef<Window>>();
  #windows: Window[] | undefined;

  /** There may be others by now. */
  forgetWindows(): void {
    this.#windows = undefined;
  }

  tell(doc: string, question: string): Told | undefined {
    const known = this.#known.get(doc)?.deref();
    const told = known && isOpen(known) ? tellIn(known, doc, question) : undefined;
    return told ?? this.#search(doc, question);
  }

  #search(doc: string, question: string): Told | undefined {
    this.#windows ??= openWindows(window.top ?? window);
    const windows = this.#windows;
    // Calls are made only where the engine is in no world of this target.
    const home = windows.find(win => engineIn(win, doc) !== undefined);
    for (const win of home === undefined ? windows : [home]) {
      const told = tellIn(win, doc, question);
      if (told === undefined) continue;
      this.#remember(doc, win);
      return told;
    }
    return undefined;
  }

  #remember(doc: string, win: Window): void {
    this.#known.delete(doc);
    this.#known.set(doc, new WeakRef(win));
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= MOST_KNOWN) break;
      this.#known.delete(oldest);
    }
  }
}

/** Windows from this one on that are of the origin of this document. Those of other origins let nobody look but at frames. */
function openWindows(win: Window): Window[] {
  const inner = Array.from({ length: win.length }, (_, index) => openWindows(win[index] as Window));
  return [...(isOpen(win) ? [win] : []), ...inner.flat()];
}

function isOpen(win: Window): boolean {
  try {
    // A frame that was removed.
    if (win.closed) return false;
    // Frames that are named so are seen in windows of other origins.
    return win.document.nodeType === Node.DOCUMENT_NODE;
  } catch {
    return false;
  }
}

/** Asks the engine of a document, if that is the one in this window. */
function tellIn(win: Window, doc: string, question: string): Told | undefined {
  const engine = engineIn(win, doc);
  return engine === undefined ? calledTo(win.document, doc, question) : tell(engine, question);
}

/** A world has a global object in every document of its target. */
function engineIn(win: Window, doc: string): Engine | undefined {
  // Frames that are named so are properties of the window in every world, but never its own.
  if (!Object.hasOwn(win, 'browserToolsetEngines')) return undefined;
  return (win as unknown as World).browserToolsetEngines?.get(doc);
}

function tell(engine: Engine, question: string): Told {
  try {
    return { text: engine.tell(question) };
  } catch (error) {
    return { error: String((error instanceof Error && error.stack) || error) };
  }
}

/** The engine of this document is called so in its document, which worlds of all targets share. Pages do not know its name. */
function callOf(doc: string): { question: string; answer: string } {
  return { question: `browser-toolset-question-${doc}`, answer: `browser-toolset-answer-${doc}` };
}

/** Asks an engine in the world of another target, which events reach, and texts with them. */
function calledTo(called: Document, doc: string, question: string): Told | undefined {
  const call = callOf(doc);
  let told: Told | undefined;
  const hear = (event: Event): void => {
    told = JSON.parse((event as CustomEvent<string>).detail);
  };
  called.addEventListener(call.answer, hear);
  called.dispatchEvent(new CustomEvent(call.question, { detail: question }));
  called.removeEventListener(call.answer, hear);
  return told;
}

function answerCalls(engine: Engine): void {
  const call = callOf(engine.ids.doc);
  document.addEventListener(call.question, event => {
    const detail = JSON.stringify(tell(engine, (event as CustomEvent<string>).detail));
    document.dispatchEvent(new CustomEvent(call.answer, { detail }));
  });
}

/**
 * The engine of one document, on the global object of its isolated world where the DevTools protocol reaches it: that
 * which was brought before Playwright came, else a new one. Other toolsets that are attached share that world, pages do not.
 */
export function createEngine(): Engine {
  const world = globalThis as World;
  // Elements with an id are properties of the window in every world, but never its own.
  const own = (name: keyof World): boolean => Object.hasOwn(world, name);
  if (world.browserToolsetFirst !== undefined && own('browserToolsetFirst')) return world.browserToolsetFirst;
  const engine = new Engine();
  if (!own('browserToolsetEngines')) world.browserToolsetEngines = new Engines();
  world.browserToolsetEngines?.set(engine.ids.doc, engine);
  answerCalls(engine);
  return engine;
}

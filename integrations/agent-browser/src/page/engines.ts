import { Engine } from './engine.js';

/** What a question to the engine of a document brought: the text of its answer, or of what it threw. */
type Told = { text: string } | { error: string };

/** Why it was not asked: its document is out of reach, or it would have come too late. */
type NotAsked = 'unreached' | 'late';

/** Milliseconds after which nothing more is begun: documents in one message wait for each other. */
const MOST_TIME = 200;

/** The engines of one document, by the names that they gave it. */
class Engines extends Map<string, Engine> {
  /** Brings questions to the engines of documents that this one reaches. */
  tellAll(asked: readonly (readonly [doc: string, question: string])[]): (Told | NotAsked)[] {
    // Looking at the windows of a page takes longer than many a question to one document.
    let others: OtherEngines | undefined;
    const began = performance.now();
    return asked.map(([doc, question], index) => {
      if (index > 0 && performance.now() - began > MOST_TIME) return 'late';
      const own = this.get(doc);
      if (own !== undefined) return tell(own, question);
      others ??= new OtherEngines();
      return others.tell(doc, question) ?? 'unreached';
    });
  }
}

type World = typeof globalThis & { browserToolsetEngines?: Engines; browserToolsetFirst?: Engine };

/** Those in the documents of a page that are of the origin of this one, whatever target they belong to. */
class OtherEngines {
  readonly #windows = openWindows(window.top ?? window);
  readonly #engines = new Map(this.#windows.flatMap(enginesIn));

  tell(doc: string, question: string): Told | undefined {
    const engine = this.#engines.get(doc);
    return engine === undefined ? calledTo(this.#windows, doc, question) : tell(engine, question);
  }
}

/** Windows from this one on that are of the origin of this document. Those of other origins let nobody look but at frames. */
function openWindows(win: Window): Window[] {
  const inner = Array.from({ length: win.length }, (_, index) => openWindows(win[index] as Window));
  return [...(isOpen(win) ? [win] : []), ...inner.flat()];
}

function isOpen(win: Window): boolean {
  try {
    // Frames that are named so are seen in windows of other origins.
    return win.document.nodeType === Node.DOCUMENT_NODE;
  } catch {
    return false;
  }
}

/** A world has a global object in every document of its target. */
function enginesIn(win: Window): [string, Engine][] {
  // Frames that are named so are properties of the window in every world, but never its own.
  if (!Object.hasOwn(win, 'browserToolsetEngines')) return [];
  return [...((win as unknown as World).browserToolsetEngines ?? [])];
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
function calledTo(windows: readonly Window[], doc: string, question: string): Told | undefined {
  const call = callOf(doc);
  let told: Told | undefined;
  const hear = (event: Event): void => {
    told = JSON.parse((event as CustomEvent<string>).detail);
  };
  for (const { document: called } of windows) {
    called.addEventListener(call.answer, hear);
    called.dispatchEvent(new CustomEvent(call.question, { detail: question }));
    called.removeEventListener(call.answer, hear);
    if (told !== undefined) break;
  }
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

import { Engine } from './engine.js';

type World = typeof globalThis & { browserToolsetEngines?: Map<string, Engine>; browserToolsetFirst?: Engine };

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
  if (!own('browserToolsetEngines')) world.browserToolsetEngines = new Map();
  world.browserToolsetEngines?.set(engine.ids.doc, engine);
  return engine;
}

import { Witness } from './witness.js';
import type { Testimony } from './witness-protocol.js';

interface World {
  browserToolsetWitness?: Witness;
  [binding: string]: unknown;
}

/** @param binding Name of the function that carries a testimony out of the page. */
export function startWitness(binding: string): void {
  const world = globalThis as unknown as World;
  const witness = new Witness((testimony: Testimony): void => {
    const carry = world[binding];
    if (typeof carry === 'function') carry(JSON.stringify(testimony));
  });
  // Worlds of one name are one: the witness of the last time may still be there, with what it knew then.
  world.browserToolsetWitness?.stop();
  world.browserToolsetWitness = witness;
  witness.start();
}

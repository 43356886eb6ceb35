import type { SecretText } from './protocol.js';

/**
 * The fields of this document that secrets were put into.
 * Invariant: what such a field holds is told whole, for the asker to take the secrets out, or as their names.
 */
const heldSecrets = new WeakMap<Element, readonly SecretText[]>();

/** Called before a text with secrets goes in, so that nothing can be read of it in between. */
export function rememberSecret(field: Element, secrets: readonly SecretText[]): void {
  heldSecrets.set(field, secrets);
}

/** Another text takes the place of all that the field holds. */
export function forgetSecret(field: Element): void {
  heldSecrets.delete(field);
}

/** How a field with secrets reads; undefined for any other. `value` is what is in it, `masked` whether it shows dots. */
export function heldText(field: Element, value: string, masked: boolean): string | undefined {
  const secrets = heldSecrets.get(field);
  if (secrets === undefined || value === '') return undefined;
  return masked || !hasAll(value, secrets) ? secrets.map(({ name }) => `<secret>${name}</secret>`).join('') : undefined;
}

/** Whether a field has only parts of the secrets that were put into it, or a form of them that nobody would recognise. */
export function holdsPart(field: Element, value: string): boolean {
  const secrets = heldSecrets.get(field);
  return secrets !== undefined && !hasAll(value, secrets);
}

export function holdsSecret(field: Element): boolean {
  return heldSecrets.has(field);
}

function hasAll(value: string, secrets: readonly SecretText[]): boolean {
  const text = dense(value);
  return secrets.every(secret => text.includes(dense(secret.value)));
}

/** Fields of one line have no line breaks, and numbers are shown in groups. */
function dense(text: string): string {
  return text.replace(/\s+/g, '');
}

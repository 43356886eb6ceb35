/**
 * The one element that a script relies on; a page without it is a mistake worth a loud error.
 * @template {Element} T
 * @param {string} selector
 * @param {new () => T} type
 * @param {ParentNode} [root]
 * @returns {T}
 */
export function find(selector, type, root = document) {
  const element = root.querySelector(selector);
  if (!(element instanceof type)) throw new Error(`${selector} is not a ${type.name}`);
  return element;
}

/** @param {HTMLFormElement} form @param {HTMLElement | null} [submitter] */
export function formBody(form, submitter) {
  return new URLSearchParams([...new FormData(form, submitter)].map(([name, value]) => [name, String(value)]));
}

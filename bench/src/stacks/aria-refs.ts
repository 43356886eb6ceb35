import type { Page } from 'playwright-core';
import { inBatches } from '../batches.ts';
import { pathKey } from '../page-code/path-key.ts';
import type { RefTarget } from './stack.ts';

/** Roles that a person acts on, for the stacks that give every element a ref. */
const widgetRoles: ReadonlySet<string> = new Set(
  `button checkbox combobox link listbox menuitem menuitemcheckbox menuitemradio option radio searchbox slider
  spinbutton switch tab textbox treeitem`.split(/\s+/),
);

export interface AriaLine {
  ref: string;
  role: string;
}

/** The refs of an aria snapshot that a reader would take for something to act on. */
export function interactiveLines(snapshot: string): AriaLine[] {
  return snapshot.split('\n').flatMap(line => {
    const [, role, ref] = /^\s*- '?(\w+)\b.*\[ref=(\w+)\]/.exec(line) ?? [];
    if (!role || !ref) return [];
    return widgetRoles.has(role) || line.includes('[cursor=pointer]') ? [{ ref, role }] : [];
  });
}

export async function ariaRefs(snapshot: string, page: Page): Promise<RefTarget[]> {
  return inBatches(interactiveLines(snapshot), 25, async line => {
    const locator = page.locator(`aria-ref=${line.ref}`);
    return { ...line, key: (await locator.count()) === 1 ? await locator.evaluate(pathKey) : undefined };
  });
}

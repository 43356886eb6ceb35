import { queryAll, treeScopeOf } from '../visibility/tree-scope.js';
import type { Pass } from './pass.js';

const NO_LABELS: readonly Element[] = [];

/**
 * The labels of a control, in tree order. `control.labels` walks the whole document for each control, so all labels of
 * a tree scope are indexed at once.
 */
export function labelsOf(control: Element, pass: Pass): readonly Element[] {
  const scope = treeScopeOf(control);
  let index = pass.labels.get(scope);
  if (index === undefined) {
    index = indexLabels(scope);
    pass.labels.set(scope, index);
  }
  return index.get(control) ?? NO_LABELS;
}

function indexLabels(scope: Node): Map<Element, Element[]> {
  const index = new Map<Element, Element[]>();
  for (const label of queryAll(scope, 'label')) {
    const control = (label as Partial<HTMLLabelElement>).control;
    if (control == null) continue;
    const labels = index.get(control);
    if (labels === undefined) index.set(control, [label]);
    else labels.push(label);
  }
  return index;
}

import { useMemo } from 'react';
import { listedElements } from '../../src/scripted-model/snapshot-text.js';

export const REFS_LIST = 'known-refs';

/** Offers the refs of the latest text that has any, to all fields that take one. */
export function KnownRefs({ text }: { readonly text: string }) {
  const elements = useMemo(() => listedElements(text), [text]);
  return (
    <datalist id={REFS_LIST}>
      {elements.map(({ ref, role, name }) => (
        <option key={ref} value={ref}>
          {`${role} ${name}`}
        </option>
      ))}
    </datalist>
  );
}

import { useCallback, useState } from 'react';

/** A setting of this browser; `read` checks what an older page may have left. */
export function useStored<Value extends string | number>(
  name: string,
  read: (stored: string | null) => Value,
): readonly [Value, (value: Value) => void] {
  const key = `playground.${name}`;
  const [value, setValue] = useState(() => read(localStorage.getItem(key)));
  const store = useCallback(
    (next: Value) => {
      localStorage.setItem(key, String(next));
      setValue(next);
    },
    [key],
  );
  return [value, store];
}

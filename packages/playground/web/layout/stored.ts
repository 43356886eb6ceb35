import { useCallback, useState } from 'react';

const keyOf = (name: string) => `playground.${name}`;

/** A setting of this browser; `read` checks what an older page may have left. */
export function stored<Value>(name: string, read: (stored: string | null) => Value): Value {
  return read(localStorage.getItem(keyOf(name)));
}

/** A setting of this browser, and the way to change it. */
export function useStored<Value extends string | number>(
  name: string,
  read: (stored: string | null) => Value,
): readonly [Value, (value: Value) => void] {
  const [value, setValue] = useState(() => stored(name, read));
  const store = useCallback(
    (next: Value) => {
      localStorage.setItem(keyOf(name), String(next));
      setValue(next);
    },
    [name],
  );
  return [value, store];
}

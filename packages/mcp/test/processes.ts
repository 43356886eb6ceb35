import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** The processes below one, by what the system says of each. */
export function below(pid: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc').filter(each => /^\d+$/.test(each))) {
    if (!existsSync(`/proc/${name}/stat`)) continue;
    try {
      parents.set(Number(name), Number(readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1]?.split(' ')[1]));
    } catch {
      // It has ended meanwhile.
    }
  }
  const isBelow = (each: number): boolean => {
    const parent = parents.get(each);
    return parent !== undefined && (parent === pid || isBelow(parent));
  };
  return [...parents.keys()].filter(isBelow);
}

export function isAlive(pid: number): boolean {
  return existsSync(`/proc/${pid}/stat`) && !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
}

import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { pathKey } from './path-key.ts';

/** The oracle as one expression for `evaluate`: its module without types and exports, applied to `pathKey`. */
export function oracleExpression(): string {
  const source = readFileSync(new URL('./oracle.ts', import.meta.url), 'utf8');
  const script = stripTypeScriptTypes(source).replaceAll(/^export (?=function|const)/gm, '');
  return `(() => { ${script}\nreturn judgePage(${pathKey.toString()}); })()`;
}

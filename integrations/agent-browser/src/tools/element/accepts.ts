/** Whether a file is what the `accept` attribute of its field asks for (HTML, file upload state). Empty asks for nothing. */
export function accepts(accept: string, { name, type }: { name: string; type: string }): boolean {
  const tokens = accept
    .toLowerCase()
    .split(',')
    .map(token => token.trim())
    .filter(token => token !== '');
  const [file, kind] = [name.toLowerCase(), type.toLowerCase()];
  const fits = (token: string): boolean => {
    if (token.startsWith('.')) return file.endsWith(token);
    if (token === '*/*' || token === '*') return true;
    return token.endsWith('/*') ? kind.startsWith(token.slice(0, -1)) : kind === token;
  };
  return tokens.length === 0 || tokens.some(fits);
}

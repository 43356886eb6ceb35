const LENGTH = 60;

/** A thread's title: the beginning of its first message, cut between words. */
export function titleOf(message: string): string {
  const text = message
    .replaceAll(/https?:\/\//g, '')
    .replace(/\s+/g, ' ')
    .trim();
  if (text.length <= LENGTH) return text;
  const cut = text.slice(0, LENGTH);
  const space = cut.lastIndexOf(' ');
  return `${space > LENGTH / 2 ? cut.slice(0, space) : cut}…`;
}

/** What a model reads outside of all boundaries. */
export function outside(text: string): string {
  return text.replace(/\[page (\d{4,})\][\s\S]*?\[end \1\]/g, '');
}

/** `browser_fill_form` as `fill form`: that it is about the browser goes without saying here. */
export function plainToolName(id: string): string {
  return id.replace(/^browser_/, '').replaceAll('_', ' ');
}

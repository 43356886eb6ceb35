/** Where a person writes to the agent: the composer, or what stands in its place while a run goes on. There is one at a time. */
let field: HTMLElement | undefined;
/** What the focus is left on until there is a field for it; undefined while none is awaited. */
let leaves: Element | undefined;

/** The ref of that field. It takes the focus that the one before it had or was to have, unless it has gone elsewhere since. */
export function writingPlace(mounted: HTMLElement | null): () => void {
  field = mounted ?? undefined;
  const { activeElement, body } = document;
  if (leaves && (activeElement === leaves || activeElement === body)) field?.focus();
  leaves = undefined;
  return () => {
    if (document.activeElement === mounted) leaves = body;
    field = undefined;
  };
}

/** The person has begun something and may want to say more. */
export function goToWritingPlace(): void {
  field?.focus();
  if (document.activeElement !== field) leaves = document.activeElement ?? document.body;
}

/** Runs the calls a few at a time: a thousand at once would time out on each other. */
export async function inBatches<In, Out>(
  inputs: readonly In[],
  size: number,
  call: (input: In) => Promise<Out>,
): Promise<Out[]> {
  const results: Out[] = [];
  for (let start = 0; start < inputs.length; start += size) {
    results.push(...(await Promise.all(inputs.slice(start, start + size).map(call))));
  }
  return results;
}

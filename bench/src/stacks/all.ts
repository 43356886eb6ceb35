import { mastra } from './mastra.ts';
import { ours } from './ours.ts';
import { playwright } from './playwright.ts';
import { playwrightMcp } from './playwright-mcp.ts';
import type { Stack } from './stack.ts';

const all = [ours, playwright, playwrightMcp, mastra];

export const stackNames = all.map(stack => stack.name);

/** The stacks asked for; ours is left out, with a word, while it has not been built. */
export async function availableStacks(names: readonly string[] = stackNames): Promise<Stack[]> {
  const chosen = all.filter(stack => names.includes(stack.name));
  if (!chosen.includes(ours) || (await isBuilt(ours.packageName))) return chosen;
  console.warn(`${ours.packageName} is not built: measuring the others alone.`);
  return chosen.filter(stack => stack !== ours);
}

async function isBuilt(packageName: string): Promise<boolean> {
  try {
    await import(packageName);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') return false;
    throw error;
  }
}

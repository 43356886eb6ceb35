import { within } from '@browser-toolset/core/waiting';
import { z } from 'zod/v4';
import { publicPart, type RemoteEndpoint } from './endpoint.js';
import { RawBrowser } from './raw-browser.js';

/** Milliseconds that a browser may take to list its targets, or to take the order to close. */
export const ASK_TIME = 2_000;
/** How long a page may take to say anything. */
const ANSWER_TIME = 1_000;

const targetsSchema = z.object({
  targetInfos: z.array(z.object({ targetId: z.string(), type: z.string(), url: z.string() })),
});
const attachedSchema = z.object({ sessionId: z.string() });

type Target = z.output<typeof targetsSchema>['targetInfos'][number];

/** The pages that did not answer, closed or left. */
export interface HungPages {
  closed: number;
  /** Those that are not to be closed, in words for who can. */
  left: string[];
}

/**
 * Closes the pages of a browser that do not answer, where that is allowed: as long as there is one, Playwright attaches to
 * none of them (seen in 1.65).
 */
export async function closeHungPages(
  endpoint: RemoteEndpoint,
  mayClose: (targetId: string) => boolean,
): Promise<HungPages> {
  const browser = await RawBrowser.connect(endpoint, ASK_TIME);
  try {
    const told = await within(ASK_TIME, browser.send('Target.getTargets'));
    const pages = targetsSchema.parse(told).targetInfos.filter(({ type }) => type === 'page');
    const answers = await Promise.all(pages.map(({ targetId }) => isAnswering(browser, targetId)));
    const hung = pages.filter((_, at) => !answers[at]);
    const closing = hung.filter(({ targetId }) => mayClose(targetId));
    const closed = closing.map(({ targetId }) => browser.send('Target.closeTarget', { targetId }));
    // One that has gone by itself is as good.
    await within(ASK_TIME, Promise.allSettled(closed));
    return { closed: closing.length, left: hung.filter(target => !closing.includes(target)).map(describe) };
  } finally {
    browser.close();
  }
}

async function isAnswering(browser: RawBrowser, targetId: string): Promise<boolean> {
  const asking = async (): Promise<true> => {
    const attached = await browser.send('Target.attachToTarget', { targetId, flatten: true });
    const { sessionId } = attachedSchema.parse(attached);
    await browser.send('Runtime.evaluate', { expression: '0' }, sessionId);
    return true;
  };
  // It may have crashed, or be gone by now, and then nobody waits for it.
  return within(ANSWER_TIME, asking()).then(
    answer => answer === true,
    () => true,
  );
}

/** Where a page is, without what its url keeps to itself. */
function describe({ url, targetId }: Target): string {
  return `the page at ${publicPart(url)} (target ${targetId})`;
}

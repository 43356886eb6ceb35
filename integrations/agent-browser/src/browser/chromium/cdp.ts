import type { CDPSession, Frame, Page } from 'playwright-core';

/** Speaks the DevTools protocol with a page, or with the process that a frame is in, for as long as the work takes. */
export async function withCdp<T>(of: Page | Frame, work: (session: CDPSession) => Promise<T>): Promise<T> {
  const session = await sessionOf(of);
  try {
    return await work(session);
  } finally {
    // A page that is gone has taken the session along; one with an open dialog lets it go only when that is answered.
    session.detach().catch(() => undefined);
  }
}

async function sessionOf(of: Page | Frame): Promise<CDPSession> {
  if (!('parentFrame' in of)) return of.context().newCDPSession(of);
  const page = of.page();
  const context = page.context();
  if (of.parentFrame() === null) return context.newCDPSession(page);
  // A frame that shares the process of the one around it has no session of its own.
  return context.newCDPSession(of).catch(() => context.newCDPSession(page));
}

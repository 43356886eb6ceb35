import type { CDPSession } from 'playwright-core';
import type { Progress } from '../../outcome/effects-log.js';

interface Received {
  url: string;
  received: number;
  /** 0 when the server does not say. */
  total: number;
}

/** Knows how much of each download of a page has come: Playwright tells of their beginning and end alone. */
export class DownloadProgress {
  readonly #known = new Map<string, Received>();
  readonly #asked = new Map<string, number>();

  constructor(readonly session: Promise<CDPSession>) {}

  /** Begins to listen. Rejects when the page is gone. */
  async watch(): Promise<void> {
    const session = await this.session;
    session.on('Page.downloadWillBegin', ({ guid, url }) => this.#known.set(guid, { url, received: 0, total: 0 }));
    session.on('Page.downloadProgress', ({ guid, receivedBytes, totalBytes }) => {
      const known = this.#known.get(guid);
      if (known !== undefined) Object.assign(known, { received: receivedBytes, total: totalBytes });
    });
    await session.send('Page.enable');
  }

  /** How much has come of the next download of a url; asked once for each. */
  next(url: string): Progress {
    const index = this.#asked.get(url) ?? 0;
    this.#asked.set(url, index + 1);
    return () => {
      const known = [...this.#known.values()].filter(download => download.url === url)[index];
      if (known === undefined) return {};
      return { receivedBytes: known.received, ...(known.total > 0 && { totalBytes: known.total }) };
    };
  }
}

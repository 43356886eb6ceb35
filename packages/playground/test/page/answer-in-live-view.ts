import type { Page } from 'playwright-core';
import { parseRoute } from '../../web/layout/route.js';

/** Answers the agent's question as a viewer of the live view does, whose page shows it: the playground's own does not. */
export async function answerInLiveView(page: Page, answer: string): Promise<void> {
  const { agentId = '', threadId = '' } = parseRoute(new URL(page.url()).hash);
  const url = new URL(`/browser/${agentId}/stream?${new URLSearchParams({ threadId })}`, page.url());
  url.protocol = 'ws:';
  await page.evaluate(
    async ({ href, text }) => {
      const socket = new WebSocket(href);
      await new Promise<void>(resolve => {
        socket.onmessage = ({ data }) => {
          const { question } = String(data).startsWith('{') ? JSON.parse(data) : {};
          if (question?.id) socket.send(JSON.stringify({ type: 'answer', id: question.id, answer: text }));
          if (question === null) resolve();
        };
      });
      socket.close();
    },
    { href: url.href, text: answer },
  );
}

/** The JSON values of a stream of server-sent events (HTML, section 9.2), each as it comes. Comments are left out. */
export async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<unknown> {
  let rest = '';
  for await (const text of chunksOf(body)) {
    const events = (rest + text).split('\n\n');
    rest = events.pop() ?? '';
    for (const event of events) {
      const data = dataOf(event);
      if (data !== '' && data !== '[DONE]') yield JSON.parse(data);
    }
  }
}

async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield decoder.decode(value, { stream: true });
    }
  } finally {
    await reader.cancel();
  }
}

function dataOf(event: string): string {
  const lines = event.split('\n').filter(line => line.startsWith('data:'));
  return lines.map(line => line.slice(5).trimStart()).join('\n');
}

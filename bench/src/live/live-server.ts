/** Who shows a browser live: ours, Mastra's own, and the floor that both are held against. */
export const liveStackNames = ['ours', 'floor', 'mastra'] as const;
export type LiveStackName = (typeof liveStackNames)[number];

/** The one agent and thread that every stack serves. */
export const agentId = 'bench';
export const threadId = 'one';

/** A browser and the server of its live view, in this process. */
export interface LiveServer {
  /** Address of the stream, a WebSocket. */
  url: string;
  /** Shows a page in the thread's browser. */
  show(url: string): Promise<void>;
  /** What the page looks like now, PNG in base64. */
  picture?(): Promise<string>;
  /** How many frames the browser has given so far. */
  framesCaptured(): number;
  close(): Promise<void>;
}

export function streamUrl(port: number): string {
  return `ws://127.0.0.1:${port}/browser/${agentId}/stream?threadId=${threadId}`;
}

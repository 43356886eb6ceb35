import type { ViewerSurroundings } from './viewer.js';

export interface ViewerAnswer {
  agentId: string;
  /** Undefined for the default thread. */
  threadId: string | undefined;
  questionId: string;
  answer: string;
}

export interface ThreadSurroundings extends ViewerSurroundings {
  onAnswer: ((answer: ViewerAnswer) => void | Promise<void>) | undefined;
}

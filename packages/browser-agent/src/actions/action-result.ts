import { z } from 'zod/v4';
import { tokenUsage } from '../model/token-usage.js';

/** How an element can be told again, in another run too: as it was when it was acted on. */
export const elementRecord = z.object({
  role: z.string(),
  name: z.string().optional(),
  /** The text that tells its row from the rows beside it. */
  row: z.string().optional(),
  tag: z.string().optional(),
  id: z.string().optional(),
  /** A field that masks its value: what was put into it is not recorded. */
  masked: z.literal(true).optional(),
  /** The way to it from the body, such as `main > form > ul > li:nth-of-type(2) > button`. */
  path: z.string().optional(),
  /** The frames that it stands in, the outermost first. */
  frames: z
    .array(z.object({ tag: z.string(), name: z.string().optional(), id: z.string().optional(), path: z.string() }))
    .optional(),
  /** Its place among the elements of the page with the same role, name and row, counted from 0. */
  index: z.number(),
  /** How many of these there were. */
  count: z.number(),
});
export type ElementRecord = z.infer<typeof elementRecord>;

/** The outcome of one action. */
export const actionResult = z.object({
  /** Name of the action. */
  action: z.string(),
  input: z.record(z.string(), z.unknown()),
  success: z.boolean(),
  /** The action, or why it was not done, in a line or two. */
  text: z.string(),
  /** The text says nothing of a page, and neither does what is remembered of it. */
  isOwn: z.boolean().optional(),
  /** The answer of a person to a question that the action asked. */
  answer: z.string().optional(),
  /** The text that was read for the model. */
  extractedContent: z.string().optional(),
  /** The extracted content is shown at the next step alone. */
  shownOnce: z.boolean().optional(),
  /** The text for the model at all later steps, in place of the whole. */
  longTermMemory: z.string().optional(),
  error: z.string().optional(),
  /** Error code of the toolset. */
  code: z.string().optional(),
  /** The task has ended with this. */
  isDone: z.boolean().optional(),
  /** Files that belong to the result. */
  attachments: z.array(z.string()).optional(),
  /** Paths of pictures for the model, which the next step shows it. */
  images: z.array(z.string()).optional(),
  /** Elements acted on, by the field of the input that named them, such as `ref` or `fields.0.ref`. */
  elements: z.record(z.string(), elementRecord).optional(),
  /** The tool's whole typed result: for programs, never for the prompt. */
  metadata: z.record(z.string(), z.unknown()).optional(),
  /** Tokens of models that the action itself asked: of `extract`, and of the judge of `done`. */
  usage: tokenUsage.optional(),
  /** Milliseconds. */
  duration: z.number(),
});
export type ActionResult = z.infer<typeof actionResult>;

import type { Message, Prompt, ToolResultPart } from './past-results.js';

/** Providers whose protocols take pictures in the results of tools. */
const TAKES_PICTURES = /^(?:anthropic|google|vertex|amazon-bedrock|bedrock)\b|\.responses$/;
/** The text that stands in a result in place of its picture. */
const POINTER = 'The picture follows in the next message.';

type Output = Extract<ToolResultPart['output'], { type: 'content' }>;
type Media = Extract<Output['value'][number], { type: 'media' }>;

/**
 * A prompt in which pictures of browser tools follow their results as a user's message: servers of the chat completions
 * protocol take none in the message of a tool. Others get the prompt as it is.
 */
export function picturesForProvider(prompt: Prompt, provider: string, isOurs: (toolName: string) => boolean): Prompt {
  if (TAKES_PICTURES.test(provider)) return prompt;
  const out: Prompt = [];
  let waiting: Media[] = [];
  const tell = (): void => {
    if (waiting.length > 0) out.push(messageOf(waiting));
    waiting = [];
  };
  for (const message of prompt) {
    if (message.role !== 'tool') {
      // All results of one turn stand together.
      tell();
      out.push(message);
      continue;
    }
    const content = message.content.map(part => {
      if (part.type !== 'tool-result' || !isOurs(part.toolName)) return part;
      const { rest, pictures } = apart(part);
      waiting.push(...pictures);
      return rest;
    });
    out.push({ ...message, content });
  }
  tell();
  return out;
}

function apart(part: ToolResultPart): { rest: ToolResultPart; pictures: Media[] } {
  const { output } = part;
  if (output.type !== 'content') return { rest: part, pictures: [] };
  const pictures = output.value.filter(
    (each): each is Media => each.type === 'media' && each.mediaType.startsWith('image/'),
  );
  if (pictures.length === 0) return { rest: part, pictures };
  const texts = output.value.filter(each => !pictures.includes(each as Media));
  const value: Output['value'] = [...texts, { type: 'text', text: POINTER }];
  return { rest: { ...part, output: { type: 'content', value } }, pictures };
}

function messageOf(pictures: readonly Media[]): Message {
  const intro =
    pictures.length === 1 ? 'The picture that the browser tool took:' : 'The pictures that the browser tools took:';
  const files = pictures.map(({ data, mediaType }) => ({ type: 'file' as const, data, mediaType }));
  return { role: 'user', content: [{ type: 'text', text: intro }, ...files] };
}

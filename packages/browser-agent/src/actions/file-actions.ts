import { z } from 'zod/v4';
import { type ActionDefinition, defineAction } from './action.js';

const name = z.string().min(1).max(100).describe('Such as todo.md');

export const FILE_ACTIONS: readonly ActionDefinition[] = [
  defineAction({
    name: 'write_file',
    description:
      'Write a text file of this run, or append to it. Use todo.md for a plan of many steps, other files for results.',
    input: z.strictObject({ name, content: z.string(), append: z.boolean().optional() }),
    async run({ name, content, append }, { files }) {
      const before = append && (await files.list()).includes(name) ? await files.read(name) : '';
      await files.write(name, before + content);
      return { text: `${append ? 'Appended to' : 'Wrote'} ${name} (${content.length} characters)`, isOwn: true };
    },
  }) as ActionDefinition,
  defineAction({
    name: 'read_file',
    description: 'Read a file of this run.',
    input: z.strictObject({ name }),
    async run({ name }, { files }) {
      const extractedContent = await files.read(name);
      return { text: `Read ${name}`, extractedContent, shownOnce: true, isOwn: true };
    },
  }) as ActionDefinition,
  defineAction({
    name: 'replace_file',
    description: 'Replace text in a file of this run. The text must occur exactly once.',
    input: z.strictObject({ name, old: z.string().min(1), new: z.string() }),
    async run({ name, old, new: fresh }, { files }) {
      const content = await files.read(name);
      const times = content.split(old).length - 1;
      if (times !== 1) throw new Error(`The text occurs ${times} times in ${name}; nothing was replaced.`);
      await files.write(
        name,
        content.replace(old, () => fresh),
      );
      return { text: `Changed ${name}`, isOwn: true };
    },
  }) as ActionDefinition,
];

import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { UsageError } from '@browser-toolset/playground/dist/demo/usage-error.js';
import { z } from 'zod';
import { entriesOf, type SuiteEntry } from './suite-entries.ts';

/** A task of somebody else's, on a site that is out there. */
export interface FileTask {
  id: string;
  site: string;
  task: string;
  url: string;
  level?: string;
  /** What the answer should say, where the file tells. */
  expected?: string;
}

const text = z.string().trim().min(1, 'expected a text that is not empty');
const address = z
  .string()
  .trim()
  .transform(url => (/^https?:\/\//.test(url) ? url : `https://${url}`))
  .refine(url => URL.canParse(url), 'expected a web address');

/** Fields that a file has beside these are its own affair. */
const webVoyager = z
  .object({ web_name: text, id: text, ques: text, web: address })
  .transform(({ web_name, id, ques, web }): FileTask => ({ id, site: web_name, task: ques, url: web }));

const onlineMind2Web = z
  .object({
    task_id: text,
    confirmed_task: text,
    website: address,
    reference_length: z.number().optional(),
    level: text.optional(),
  })
  .transform(
    ({ task_id, confirmed_task, website, level }): FileTask => ({
      id: task_id,
      site: new URL(website).hostname,
      task: confirmed_task,
      url: website,
      ...(level !== undefined && { level }),
    }),
  );

const own = z
  .strictObject({
    id: text,
    task: text,
    url: address,
    site: text.optional(),
    level: text.optional(),
    expected: text.optional(),
  })
  .transform(
    ({ id, task, url, site = new URL(url).hostname, level, expected }): FileTask => ({
      id,
      site,
      task,
      url,
      ...(level !== undefined && { level }),
      ...(expected !== undefined && { expected }),
    }),
  );

interface Format {
  name: string;
  /** The field that tells this format from the others. */
  by: string;
  entry: z.ZodType<FileTask>;
}

const FORMATS: readonly Format[] = [
  { name: 'WebVoyager', by: 'ques', entry: webVoyager },
  { name: 'Online-Mind2Web', by: 'confirmed_task', entry: onlineMind2Web },
  { name: 'own', by: 'task', entry: own },
];

/**
 * Reads a file of tasks: JSON Lines as WebVoyager has them, a JSON list as Online-Mind2Web has it, or either with
 * `{ id, task, url, site?, level?, expected? }`.
 *
 * @throws {UsageError} with the line and the field that are wrong.
 */
export async function readSuiteFile(path: string): Promise<{ format: string; tasks: FileTask[] }> {
  const content = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(
      `The suite ${path} cannot be read: ${error.code === 'ENOENT' ? 'there is no such file' : error.message}.`,
    );
  });
  return suiteOf(content, basename(path));
}

/** @throws {UsageError} */
export function suiteOf(content: string, file: string): { format: string; tasks: FileTask[] } {
  const entries = entriesOf(content, file);
  const [first] = entries;
  if (first === undefined) throw new UsageError(`${file} has no tasks.`);
  const format = formatOf(first, file);
  const seen = new Map<string, number>();
  const tasks = entries.map(entry => {
    const parsed = format.entry.safeParse(entry.value);
    if (!parsed.success)
      throw new UsageError(`${file}, line ${entry.line} (${format.name}): ${issuesOf(parsed.error)}`);
    const { id } = parsed.data;
    const before = seen.get(id);
    if (before !== undefined)
      throw new UsageError(
        `${file}, line ${entry.line}: the id ${JSON.stringify(id)} is that of line ${before} as well.`,
      );
    seen.set(id, entry.line);
    return parsed.data;
  });
  return { format: format.name, tasks };
}

function formatOf({ value, line }: SuiteEntry, file: string): Format {
  const format = FORMATS.find(({ by }) => typeof value === 'object' && value !== null && by in value);
  if (format !== undefined) return format;
  const known = FORMATS.map(({ name, by }) => `${name} (with the field ${by})`).join(', ');
  throw new UsageError(`${file}, line ${line}: this is no task of a known format: ${known}.`);
}

function issuesOf(error: z.ZodError): string {
  return error.issues
    .map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`))
    .join('; ');
}

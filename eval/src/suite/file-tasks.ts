import type { Referee } from './referee.ts';
import type { FileTask } from './suite-file.ts';
import type { EvalTask } from './task.ts';

/** Tasks of a file, judged by a model: nobody has the servers of these sites. */
export function fileTasks(tasks: readonly FileTask[], referee: Referee): EvalTask[] {
  return tasks.map(task => ({
    id: task.id,
    site: task.site,
    ...(task.level !== undefined && { level: task.level }),
    open: async () => ({
      prompt: `${task.task}\nStart at ${task.url}`,
      judge: ending => referee.judge(task, ending),
      [Symbol.asyncDispose]: async () => undefined,
    }),
  }));
}

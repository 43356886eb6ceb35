import { accountTasks } from '../tasks/account.ts';
import { boardTasks } from '../tasks/board.ts';
import { bookingTasks } from '../tasks/booking.ts';
import { documentTasks } from '../tasks/documents.ts';
import { libraryTasks } from '../tasks/library.ts';
import { mailTasks } from '../tasks/mail.ts';
import { peopleTasks } from '../tasks/people.ts';
import { raceTasks } from '../tasks/race.ts';
import { reportTasks } from '../tasks/reports.ts';
import { reviewTasks } from '../tasks/reviews.ts';
import { shopTasks } from '../tasks/shop.ts';
import { trainTasks } from '../tasks/trains.ts';
import type { EvalTask } from './task.ts';

/** Every task of our own, in the order in which they are played. */
export const OWN_SUITE: readonly EvalTask[] = [
  ...shopTasks,
  ...bookingTasks,
  ...mailTasks,
  ...peopleTasks,
  ...raceTasks,
  ...boardTasks,
  ...libraryTasks,
  ...trainTasks,
  ...accountTasks,
  ...documentTasks,
  ...reportTasks,
  ...reviewTasks,
];

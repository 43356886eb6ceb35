import type { LibraryTasks } from '../task.ts';
import { dates } from './dates.ts';
import { first } from './first.ts';
import { second } from './second.ts';
import { third } from './third.ts';

export const libraryTasks: LibraryTasks = { ...first, ...dates, ...second, ...third };

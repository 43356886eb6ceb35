import { askUser } from './ask-user.js';
import { click } from './click.js';
import { clipboard } from './clipboard.js';
import { close } from './close.js';
import { console } from './console.js';
import { dialog } from './dialog.js';
import { drag } from './drag.js';
import { emulate } from './emulate.js';
import { evaluate } from './evaluate.js';
import { extract } from './extract.js';
import { fillForm } from './fill-form.js';
import { find } from './find.js';
import { history } from './history.js';
import { hover } from './hover.js';
import { navigate } from './navigate.js';
import { network } from './network.js';
import { pageTools } from './page-tools.js';
import { pdf } from './pdf.js';
import { press } from './press.js';
import { read } from './read.js';
import { screenshot } from './screenshot.js';
import { scroll } from './scroll.js';
import { select } from './select.js';
import { snapshot } from './snapshot.js';
import { storage } from './storage.js';
import { tabs } from './tabs.js';
import { type } from './type.js';
import { upload } from './upload.js';
import { wait } from './wait.js';

/** All tools, in the order in which a model gets them. */
export const ALL_TOOLS = [
  navigate,
  history,
  tabs,
  snapshot,
  find,
  read,
  screenshot,
  click,
  type,
  press,
  select,
  fillForm,
  scroll,
  wait,
  dialog,
  hover,
  drag,
  upload,
  evaluate,
  console,
  network,
  emulate,
  pageTools,
  extract,
  clipboard,
  pdf,
  storage,
  askUser,
  close,
] as const;

/** Ids of all tools, including those that must be enabled. */
export const TOOL_IDS: readonly ToolId[] = ALL_TOOLS.map(({ id }) => id);

export type ToolId = (typeof ALL_TOOLS)[number]['id'];

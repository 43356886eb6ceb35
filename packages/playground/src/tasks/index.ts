import type { ScriptChoice, TaskScript } from '../scripted-model/index.js';
import { askForAMug, askForAMugTask } from './ask-for-a-mug.js';
import { buyAMug, buyAMugTask } from './buy-a-mug.js';
import { correctAnAddress, correctAnAddressTask } from './correct-an-address.js';
import { readTheTerms, readTheTermsTask } from './read-the-terms.js';

/** A task for the demo shop that the scripted model can do; a real one can do it, too. */
export interface DemoTask {
  readonly id: string;
  readonly title: string;
  /** The things to see, in a few words. */
  readonly shows: string;
  readonly script: TaskScript;
  /** Tells the task in a user's words. */
  readonly recognises: RegExp;
  prompt(shopUrl: string): string;
}

export const DEMO_TASKS: readonly DemoTask[] = [
  {
    id: buyAMug.id,
    title: 'Buy a mug',
    shows: 'search, checkout, a card form in a frame, a download',
    script: buyAMug,
    recognises: /\bbuy\b.*\bmug\b/is,
    prompt: buyAMugTask,
  },
  {
    id: correctAnAddress.id,
    title: 'Correct an address',
    shows: 'what a form complains about, and one correction',
    script: correctAnAddress,
    recognises: /\bcomplains?\b/i,
    prompt: correctAnAddressTask,
  },
  {
    id: askForAMug.id,
    title: 'Ask me which mug',
    shows: 'a question that waits for your answer',
    script: askForAMug,
    recognises: /\bask me\b/i,
    prompt: askForAMugTask,
  },
  {
    id: readTheTerms.id,
    title: 'Read the terms',
    shows: 'a second tab, and finding text',
    script: readTheTerms,
    recognises: /\bterms\b/i,
    prompt: readTheTermsTask,
  },
];

const AT_A_LOSS: TaskScript = {
  id: 'at-a-loss',
  steps: [
    {
      say:
        'No model is configured, so I follow scripts, and I have none for this. ' +
        'I know the suggested tasks. Set MODEL and its API key to let a real model answer.',
      isRefusal: true,
    },
  ],
};

/** Follows the script of the first task that it recognises. */
export const demoScripts: ScriptChoice = {
  id: 'demo-tasks',
  choose: task => DEMO_TASKS.find(({ recognises }) => recognises.test(task))?.script ?? AT_A_LOSS,
};

import { z } from 'zod/v4';
import { ACTION_CLASSES, type Approval, approvalFor } from './approval.js';
import { problemsOf } from './secrets.js';

/** The option `approval`: which actions a person has to approve first. */
export const approval = z
  .union([
    z.array(z.enum(ACTION_CLASSES)).transform(classes => approvalFor(...classes)),
    z.custom<Approval>(
      value => typeof value === 'function',
      'a function of the action, or a list of classes of action',
    ),
  ])
  .meta({ typeText: 'ActionClass[] | ((action: BrowserAction) => boolean | Promise<boolean>)' });

/** The option `secrets`: texts that the model may type and never sees. */
export const secrets = z
  .record(z.string(), z.strictObject({ value: z.string().max(10_000), domains: z.array(z.string()) }))
  .superRefine((value, ctx) => {
    for (const { path, message } of problemsOf(value)) ctx.addIssue({ code: 'custom', path, message });
  });

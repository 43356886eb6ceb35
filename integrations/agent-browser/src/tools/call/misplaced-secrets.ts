import type { Session } from '../../browser/session.js';
import { ToolError } from '../../outcome/errors.js';
import type { ToolDefinition, ToolInput } from '../define.js';

/** Where a value would end up in a url, a dialog or a list of options, or nowhere, its name must not do so either. */
export function misplacedSecrets(
  { policy }: ToolDefinition,
  input: ToolInput,
  session: Session,
): ToolError | undefined {
  const { secrets } = session.owner;
  if (secrets.areNone || policy.readOnly || policy.needsTab === false) return undefined;
  const asked = secrets.asked(JSON.stringify(policy.takesSecrets ? (input.onDialog ?? '') : input));
  const known = asked.filter(name => secrets.names.includes(name));
  if (known.length === 0) return undefined;
  return new ToolError(
    'secret_not_allowed',
    `The secret ${known.join(', ')} is for text fields alone. Nothing was done.`,
  );
}

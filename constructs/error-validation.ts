import type { Construct } from 'constructs';
import { formatFinding, type Finding } from '../kube/finding.ts';
import { ERRORS, type ConstructErrors } from '../kube/output.ts';

/** How many frames there may be between whoever makes a construct and the code of an app. */
const FRAMES = 50;

/**
 * Lets a construct be refused for its errors when the tree is validated. Where there are some, it is
 * noted where the construct was made; where there are none this costs nothing.
 * @param maker the class that was made: what called it is where
 * @param errors those that are to be told; later there may be fewer of them
 */
export function addErrorValidation(
  construct: Construct,
  maker: NewableFunction,
  errors: () => readonly Finding[],
): void {
  construct.node.addValidation({ validate: () => errors().map(formatFinding) });
  if (errors().length === 0) return;
  const constructErrors: ConstructErrors = { errors, stack: captureStack(maker) };
  construct.node.addMetadata(ERRORS, constructErrors);
}

/** One rule for all keywords of the schema, as for files. */
export function toSchemaFinding(finding: Finding): Finding {
  return { ...finding, rule: 'schema' };
}

function captureStack(maker: NewableFunction): string {
  const { stackTraceLimit } = Error;
  const holder = { stack: '' };
  Error.stackTraceLimit = FRAMES;
  Error.captureStackTrace(holder, maker);
  Error.stackTraceLimit = stackTraceLimit;
  return holder.stack;
}

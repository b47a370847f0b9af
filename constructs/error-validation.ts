import type { Construct } from 'constructs';
import { formatFinding, type Finding } from '../kube/finding.ts';
import { ERRORS, type ConstructErrors } from '../kube/output.ts';

/** The maximum number of stack frames between the constructor of a construct and the code of an app. */
const FRAMES = 50;

/**
 * Makes the validation of the tree refuse a construct that has errors. If it has errors now,
 * records where the construct was made; otherwise this costs nothing.
 * @param maker the class of the construct: its caller is the recorded place
 * @param errors returns the errors to report; there may be fewer of them later
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

/** Reports all keywords of the schema under one rule, as for files. */
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

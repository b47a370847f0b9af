import type { Construct } from 'constructs';
import { formatFinding, type Finding } from '@tenantry/kube/finding';
import { ERRORS, type ConstructErrors } from '@tenantry/kube/construct-metadata';
import type { ApiObject } from 'cdk8s';
import { admitStrictly } from '../admit-object.ts';
import type { Definition } from '../definition.ts';

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

/**
 * Refuses an object, when the app is synthesized, for what an API server would refuse. If an API
 * server would accept it, refuses it for its other errors. Lazy values and patches are resolved
 * first, so a lazy value may depend on the complete app.
 * @param maker the class that was made
 */
export function addObjectValidation(
  object: ApiObject,
  maker: NewableFunction,
  definition: Definition,
  findings: (manifest: unknown) => readonly Finding[],
): void {
  let isMade = false;
  addErrorValidation(object, maker, () => {
    try {
      const manifest: unknown = object.toJson();
      const { errors } = admitStrictly(definition, manifest);
      return errors.length > 0 ? errors.map(toSchemaFinding) : findings(manifest);
    } catch (error) {
      if (isMade) throw error;
      return [];
    }
  });
  isMade = true;
}

/**
 * Refuses an object, when the app is synthesized, for all that an API server would refuse. Lazy
 * values and patches are resolved first.
 * @param besides returns further errors
 */
export function addSchemaValidation(
  object: ApiObject,
  definition: Definition,
  besides: () => readonly Finding[] = () => [],
): void {
  object.node.addValidation({
    validate: () => {
      const { errors } = admitStrictly(definition, object.toJson());
      return [...errors, ...besides()].map(formatFinding);
    },
  });
}

function captureStack(maker: NewableFunction): string {
  const { stackTraceLimit } = Error;
  const holder = { stack: '' };
  Error.stackTraceLimit = FRAMES;
  Error.captureStackTrace(holder, maker);
  Error.stackTraceLimit = stackTraceLimit;
  return holder.stack;
}

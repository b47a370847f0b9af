import type { ApiObject } from 'cdk8s';
import type { Definition } from '../../crds/definition.ts';
import { admitStrictly } from '../../crds/admit-object.ts';
import { formatFinding, type Finding } from '../../kube/finding.ts';

/**
 * Has an object refused, when the app is synthesized, for all that an API server would refuse of it, with lazy
 * values and patches resolved.
 * @param besides what else is wrong with it
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

import type { ApiObject } from 'cdk8s';
import type { Definition } from '../../crds/definition.ts';
import { admitStrictly } from '../../crds/admit-object.ts';
import { formatFinding, type Finding } from '../../kube/finding.ts';

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

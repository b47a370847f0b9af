import type { ApiObject } from 'cdk8s';
import { admitStrictly } from '../crds/admit-object.ts';
import type { Definition } from '../crds/definition.ts';
import type { Finding } from '../kube/finding.ts';
import { toSchemaFinding, addErrorValidation } from './error-validation.ts';

/**
 * Has an object refused, when the app is synthesized, for what an API server would refuse of it, and where it would
 * not, for what else is wrong with it; with lazy values and patches resolved. What a lazy value does not know before
 * the app is complete is asked then.
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

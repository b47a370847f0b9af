import type { ApiObject } from 'cdk8s';
import { admitStrictly } from '../crds/admit-object.ts';
import type { Definition } from '../crds/definition.ts';
import type { Finding } from '../kube/finding.ts';
import { toSchemaFinding, addErrorValidation } from './error-validation.ts';

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

import { fillListDefaults } from '../../crds/admit-object.ts';
import { groupOf, type KubeObject } from '../../kube/object.ts';
import { normalizeBuiltinObject } from '../../kube/builtin-stored.ts';
import type { Platform } from './declaration.ts';

/**
 * An object with lists as they will be stored, where the platform has the definition of its kind, and one of Kubernetes' own
 * kinds as `normalizeBuiltinObject` describes; the object itself where there is nothing to fill in. Argo CD applies lists as a whole, and
 * takes what the API server fills in there for a difference that no sync ends.
 */
export function toStoredForm(manifest: KubeObject, { definitions }: Platform): KubeObject {
  const { apiVersion, kind } = manifest;
  const definition = definitions.get(`${groupOf(apiVersion)}/${kind}`)?.read();
  if (!definition) return normalizeBuiltinObject(manifest);
  return 'severity' in definition ? manifest : fillListDefaults(definition, manifest);
}

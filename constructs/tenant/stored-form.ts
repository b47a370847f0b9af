import { fillListDefaults } from '../../crds/admit-object.ts';
import { groupOf, type KubeObject } from '../../kube/object.ts';
import { normalizeBuiltinObject } from '../../kube/builtin-stored.ts';
import type { Platform } from './declaration.ts';

/**
 * Returns an object with its lists as they will be stored, if the platform has the definition of its kind. Kubernetes'
 * own kinds are normalized by `normalizeBuiltinObject`. It returns the object itself if nothing changes. Argo CD
 * applies lists as a whole, and treats defaults in them as a difference that no sync removes.
 */
export function toStoredForm(manifest: KubeObject, { definitions }: Platform): KubeObject {
  const { apiVersion, kind } = manifest;
  const definition = definitions.get(`${groupOf(apiVersion)}/${kind}`)?.read();
  if (!definition) return normalizeBuiltinObject(manifest);
  return 'severity' in definition ? manifest : fillListDefaults(definition, manifest);
}

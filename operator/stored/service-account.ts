import type { KubeObject } from '../../kube/object.ts';
import { isAddedPullSecret } from './controller-writes.ts';

/** Returns the content of a ServiceAccount, without its `secrets` and the pull secrets that controllers add. */
export function serviceAccountFields(object: KubeObject): Readonly<Record<string, unknown>> {
  const { automountServiceAccountToken, imagePullSecrets, metadata } = object;
  const isDeclarable = (entry: unknown): boolean => !isAddedPullSecret(metadata.name, entry);
  return {
    automountServiceAccountToken,
    imagePullSecrets: Array.isArray(imagePullSecrets)
      ? imagePullSecrets.filter(isDeclarable)
      : imagePullSecrets,
  };
}

/**
 * Returns the declared ServiceAccount with the pull secrets that controllers added to the live one. The API server
 * treats the list as one value, so writing it without them would remove them.
 */
export function keepAddedPullSecrets(declared: KubeObject, live: KubeObject): KubeObject {
  const { name } = declared.metadata;
  const added = listIn(live).filter((entry) => isAddedPullSecret(name, entry));
  if (added.length === 0) return declared;
  const own = listIn(declared).filter((entry) => !isAddedPullSecret(name, entry));
  return { ...declared, imagePullSecrets: [...own, ...added] };
}

function listIn({ imagePullSecrets }: KubeObject): readonly unknown[] {
  return Array.isArray(imagePullSecrets) ? imagePullSecrets : [];
}

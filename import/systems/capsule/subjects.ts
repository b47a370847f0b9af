import { isDnsLabel, isSubdomain } from '@tenantry/kube/names';
import type { Subject } from '../../access.ts';

/** Whom Capsule makes an owner. */
export interface OwnerFields {
  readonly kind: string;
  readonly name: string;
  readonly clusterRoles?: readonly string[];
}

/** The beginning of the user names of ServiceAccounts. */
export const USERNAME = 'system:serviceaccount:';

/**
 * Returns the subject of an owner; undefined for a ServiceAccount whose name is not
 * `system:serviceaccount:<namespace>:<name>`, which Capsule refuses.
 */
export function toSubject({ kind, name }: OwnerFields): Subject | undefined {
  if (kind !== 'ServiceAccount') return { kind, name };
  const [namespace = '', account = '', ...more] = name.startsWith(USERNAME)
    ? name.slice(USERNAME.length).split(':')
    : [];
  const isValid = more.length === 0 && isDnsLabel(namespace) && isSubdomain(account);
  return isValid ? { kind, name: account, namespace } : undefined;
}

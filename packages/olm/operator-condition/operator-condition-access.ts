import { operatorCondition } from '../api/operator-condition.ts';
import type { AccessRule } from '@tenantry/kube/access';
import { allow } from '@tenantry/runtime/access/grant';
import { kindOf } from '@tenantry/runtime/kinds/kind';

/** OLM's kind. */
export const OperatorCondition = kindOf(operatorCondition, 'v2');

/** The name of the object that OLM created. */
export interface OperatorConditionName {
  /** The name of the ClusterServiceVersion. */
  readonly name: string;
  readonly namespace: string;
}

/**
 * The access that `OperatorConditions` needs. OLM itself grants it (and `update`) to the ServiceAccounts of the
 * ClusterServiceVersion, for the name of its object, so it does not belong in a bundle.
 *
 * @example
 * ```ts
 * import { operatorConditionAccess } from '@tenantry/olm/operator-conditions';
 * import { rolesOf } from '@tenantry/runtime';
 *
 * const access = operatorConditionAccess({ name: 'shops.v1.2.3', namespace: 'shops' });
 * console.log(rolesOf(access).namespaces.get('shops')?.[0]?.verbs); // [ 'get', 'patch' ]
 * ```
 */
export function operatorConditionAccess({
  name,
  namespace,
}: OperatorConditionName): readonly AccessRule[] {
  return [allow(OperatorCondition, 'get', 'patch').named(name).in(namespace)];
}

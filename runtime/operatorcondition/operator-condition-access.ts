import { operatorCondition } from '../../olm/api/operator-condition.ts';
import type { AccessRule } from '../../kube/access.ts';
import { allow } from '../access/grant.ts';
import { kindOf } from '../kinds/kind-of.ts';

/** OLM's kind. */
export const OperatorCondition = kindOf(operatorCondition, 'v2');

/** Which object OLM has made. */
export interface OperatorConditionName {
  /** That of the ClusterServiceVersion. */
  readonly name: string;
  readonly namespace: string;
}

/**
 * What `OperatorConditions` ask of the API server. OLM itself grants it to the ServiceAccounts of the
 * ClusterServiceVersion (and `update`), under the name that it has given to the object: it belongs to no bundle.
 *
 * @example
 * ```ts
 * import { operatorConditionAccess, rolesOf } from 'tenantry/runtime';
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

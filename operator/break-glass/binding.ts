import { formatTime } from '@tenantry/kube/time';
import { RBAC_GROUP } from '../../model/layers/grants.ts';
import { ownerLabels } from '../../model/ownership.ts';
import type { KubeObject } from '@tenantry/kube/object';
import { apiVersionOf, type Live } from '@tenantry/runtime/kinds/kind';
import { AccessRequest } from '../cluster/kinds.ts';
import type { KeptLive } from '../cluster/tenant-objects.ts';
import { expected, isAsExpected } from '../drift/expected.ts';
import { computeExpiry } from './decision.ts';

/** The annotations of a granted RoleBinding: the name of the request, and when the access ends. */
export const REQUEST_ANNOTATION = 'tenantry.dev/access-request';
export const EXPIRES_ANNOTATION = 'tenantry.dev/expires';

/** Returns the name of the RoleBinding of a request. Nobody can know it before the request exists. */
export function bindingName({ metadata: { uid } }: Live<typeof AccessRequest>): string {
  return `break-glass-${uid}`;
}

/**
 * Builds the RoleBinding of a request. The garbage collector deletes it with the request, even while the operator does
 * not run.
 */
export function buildBinding(request: Live<typeof AccessRequest>, tenant: string): KubeObject {
  const { name, namespace, uid } = request.metadata;
  const { user, clusterRole } = request.spec;
  const owner = { apiVersion: apiVersionOf(AccessRequest), kind: AccessRequest.kind, name, uid };
  return {
    apiVersion: `${RBAC_GROUP}/v1`,
    kind: 'RoleBinding',
    metadata: {
      name: bindingName(request),
      namespace,
      labels: ownerLabels(tenant),
      annotations: {
        [REQUEST_ANNOTATION]: name,
        [EXPIRES_ANNOTATION]: formatTime(computeExpiry(request)),
      },
      ownerReferences: [owner],
    } as KubeObject['metadata'],
    roleRef: { apiGroup: RBAC_GROUP, kind: 'ClusterRole', name: clusterRole },
    subjects: [{ apiGroup: RBAC_GROUP, kind: 'User', name: user }],
  };
}

/** Whether a live RoleBinding is exactly the one of a request, and will stay. */
export function isBindingOf(
  request: Live<typeof AccessRequest>,
  tenant: string,
  live: KeptLive | undefined,
): boolean {
  return live !== undefined && isAsExpected(expected(buildBinding(request, tenant)), live);
}

import { roleObjects } from '../../kube/access.ts';
import type { KubeObject } from '../../kube/object.ts';
import { OPERATOR, operatorAccess } from './access.ts';
import { ownObject } from '../ownobject.ts';

/** What the operator needs on a cluster, see `OperatorAccess`; each by its id as a construct. */
export function operatorObjects(
  namespace = 'tenantry-system',
): Readonly<Record<string, KubeObject>> {
  const objects: Record<string, KubeObject> = {
    namespace: {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: {
        name: namespace,
        labels: { 'pod-security.kubernetes.io/enforce': 'restricted' },
        annotations: { 'argocd.argoproj.io/sync-options': 'Prune=confirm,Delete=confirm' },
      },
    },
    'service-account': {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: OPERATOR, namespace },
      // Its pods say that they want the token.
      automountServiceAccountToken: false,
    },
    ...roleObjects({ name: OPERATOR, namespace, access: operatorAccess(namespace) }),
  };
  return Object.fromEntries(Object.entries(objects).map(([id, one]) => [id, ownObject(one)]));
}

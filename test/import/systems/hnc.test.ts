import { expect, test } from '@jest/globals';
import { importSystem, readOutcomes, readTenant } from './import-system.ts';

/** A tree as a GitOps repository has it: the root, and objects of which HNC makes the others. */
const tree = `
apiVersion: v1
kind: Namespace
metadata: { name: acme }
---
apiVersion: v1
kind: Namespace
metadata: { name: shop }
---
apiVersion: hnc.x-k8s.io/v1alpha2
kind: HierarchyConfiguration
metadata: { name: hierarchy, namespace: shop }
spec:
  parent: acme
  allowCascadingDeletion: false
  labels: [{ key: cost-center, value: '42' }]
  annotations: [{ key: example.com/owner, value: shop@example.com }]
---
apiVersion: hnc.x-k8s.io/v1alpha2
kind: SubnamespaceAnchor
metadata: { name: shop-dev, namespace: shop }
spec:
  labels: [{ key: stage, value: dev }]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: { name: reader, namespace: acme }
rules: [{ apiGroups: [''], resources: [pods], verbs: [get] }]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: { name: readers, namespace: acme }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: Role, name: reader }
subjects: [{ apiGroup: rbac.authorization.k8s.io, kind: Group, name: acme }]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: { name: shop-editors, namespace: shop }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: edit }
subjects: [{ apiGroup: rbac.authorization.k8s.io, kind: Group, name: shop }]
`;

test('x', () => {
  const imported = importSystem(tree);
  console.log(JSON.stringify(readTenant(imported, 'acme'), null, 1), JSON.stringify(imported.report, null, 1));
});

import type { KubeObject } from '../../../kube/object.ts';
import { selectHardenedNamespaces } from './labels.ts';
import { buildValidatingPolicy, type ResourceRule } from './policy.ts';

const claims: ResourceRule = {
  apiGroups: [''],
  resources: ['persistentvolumeclaims'],
  operations: ['CREATE', 'UPDATE'],
};

/** The controller that binds claims, with its own credentials or with those of the controller manager. */
const binders = [
  'system:serviceaccount:kube-system:persistent-volume-binder',
  'system:kube-controller-manager',
];

const namespaceSelector = selectHardenedNamespaces('storage', 'Claims');
const created = `request.operation == 'CREATE'`;

/** Whether this request sets or changes a field of the spec. Existing claims stay usable. */
const isNew = (field: string): string =>
  `(${created} || object.spec.?${field} != oldObject.spec.?${field})`;

/**
 * Requires that each claim gets a new volume. A claim can get an existing volume, with its data, in three ways: it
 * names the volume, selects it by label, or sets no StorageClass. The controller that binds a claim writes the name of
 * its volume. Nobody else may, because the name can be set as long as the claim is pending.
 * Source: https://kubernetes.io/docs/concepts/storage/persistent-volumes/#binding
 */
export const newVolumes: readonly KubeObject[] = buildValidatingPolicy({
  name: 'tenant-new-volumes.tenantry.dev',
  namespaceSelector,
  rules: [claims],
  matchConditions: [
    {
      name: 'not-the-binder',
      expression: `${created} || !(request.userInfo.username in ${JSON.stringify(binders)})`,
    },
  ],
  validations: [
    {
      expression: `!${isNew('volumeName')} || object.spec.?volumeName.orValue('') == ''`,
      message: 'spec.volumeName must not be set: a claim gets a new volume',
    },
    {
      expression: `!${isNew('selector')} || !has(object.spec.selector)`,
      message: 'spec.selector must not be set: a claim gets a new volume',
    },
    {
      expression: `!${isNew('storageClassName')} || object.spec.?storageClassName.orValue('') != ''`,
      message: 'spec.storageClassName must name a StorageClass: a claim gets a new volume',
    },
  ],
});

/**
 * Requires that a volume is deleted with its claim, because another claim could bind a retained volume. A volume gets
 * the reclaim policy of its StorageClass, where the policy cannot be changed. Each claim is compared with every
 * StorageClass of the cluster.
 * Source: https://kubernetes.io/docs/concepts/storage/storage-classes/#reclaim-policy
 */
export const reclaimedVolumes: readonly KubeObject[] = buildValidatingPolicy({
  name: 'tenant-reclaim-policy.tenantry.dev',
  namespaceSelector,
  rules: [claims],
  params: { apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass' },
  validations: [
    {
      expression: `!${isNew('storageClassName')} || object.spec.?storageClassName.orValue('') != params.metadata.name || params.?reclaimPolicy.orValue('Delete') == 'Delete'`,
      message: 'spec.storageClassName must name a StorageClass with reclaimPolicy Delete',
    },
  ],
});

import type { KubeObject } from '../../../kube/object.ts';
import { selectHardenedNamespaces } from './labels.ts';
import { buildValidatingPolicy, type ResourceRule } from './policy.ts';

const claims: ResourceRule = {
  apiGroups: [''],
  resources: ['persistentvolumeclaims'],
  operations: ['CREATE', 'UPDATE'],
};

/** The controller that binds claims, with credentials of its own or with those of its manager. */
const binders = [
  'system:serviceaccount:kube-system:persistent-volume-binder',
  'system:kube-controller-manager',
];

const namespaceSelector = selectHardenedNamespaces('storage', 'Claims');
const created = `request.operation == 'CREATE'`;

/** Whether a field of the spec is set anew by this request. A claim that is there stays usable. */
const isNew = (field: string): string =>
  `(${created} || object.spec.?${field} != oldObject.spec.?${field})`;

/**
 * A claim is for a volume that is made for it. Naming one, selecting one by label and asking for no
 * StorageClass are the three ways to be given one that is there, with what is on it. The controller
 * that binds a claim writes the name of its volume; nobody else may, for the name can be put in
 * as long as the claim waits.
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
 * A volume goes with its claim, for what stays behind can be bound by whoever comes next. A volume
 * gets the policy of its StorageClass, where it cannot be changed: the claim is held against each
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

import { FACTS } from '../ownership.ts';
import { celList, factLines } from './cel.ts';
import type { PeoplePolicy } from './policy.ts';

/** What begins the names that are derived, of objects that only the platform's fields give. */
const RESERVED_PREFIX = 'tenant-';

/** Kinds whose every name with the prefix is the platform's, even one to come. */
const reservedKinds = [
  'RoleBinding.rbac.authorization.k8s.io',
  'NetworkPolicy.networking.k8s.io',
  'ResourceQuota',
  'LimitRange',
];

/** The kinds that have a `scale`; its own kind is Scale, whatever it scales. */
const scaled = `{'deployments': 'Deployment.apps', 'statefulsets': 'StatefulSet.apps', 'replicasets': 'ReplicaSet.apps', 'replicationcontrollers': 'ReplicationController'}`;

/**
 * What has a name that the platform uses in the namespace, or may come to use: whoever makes it
 * before the platform does decides over it for good, since a RoleBinding keeps its role. And the
 * ways to change or delete an object of the platform by a subresource, whose own object has no
 * label for the guard to see: its eviction and its scale.
 */
export const names: PeoplePolicy = {
  concern: 'names',
  rules: [
    { apiGroups: ['*'], resources: ['*', 'pods/eviction'], operations: ['CREATE'] },
    {
      apiGroups: ['apps'],
      resources: ['deployments/scale', 'statefulsets/scale', 'replicasets/scale'],
      operations: ['UPDATE'],
    },
    {
      apiGroups: [''],
      resources: ['replicationcontrollers/scale'],
      operations: ['UPDATE'],
    },
  ],
  variables: {
    kind: `request.?subResource.orValue('') == 'eviction' ? 'Pod' : request.?subResource.orValue('') == 'scale' ? ${scaled}[request.resource.resource] : request.kind.kind + (request.kind.group == '' ? '' : '.' + request.kind.group)`,
    name: "request.?subResource.orValue('') == '' ? object.?metadata.?name.orValue('') : request.name",
  },
  validations: [
    {
      expression: `!((variables.kind + ' ' + variables.name) in ${factLines(FACTS.names)})`,
      message:
        "'the name ' + variables.name + ' of a ' + variables.kind + ' is the platform\\'s in this namespace: change the declaration of the tenant in Git, or choose another name'",
    },
    {
      expression: `!(variables.kind in ${celList(reservedKinds)} && variables.name.startsWith('${RESERVED_PREFIX}'))`,
      message: `'the name of a ' + variables.kind + ' must not begin with ${RESERVED_PREFIX}, which is the platform\\'s, got ' + variables.name`,
    },
  ],
};

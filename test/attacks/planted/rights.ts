import { object, type Planted } from './plant.ts';

const rbac = 'rbac.authorization.k8s.io';
const role = (...rules: object[]) => [
  { apiVersion: `${rbac}/v1`, kind: 'Role', metadata: { name: 'planted' }, rules },
];
const rule = (group: string, resource: string, verb: string) =>
  role({ apiGroups: [group], resources: [resource], verbs: [verb] });
const binding = (subject: object, ref: object = { kind: 'ClusterRole', name: 'view' }) => [
  {
    apiVersion: `${rbac}/v1`,
    kind: 'RoleBinding',
    metadata: { name: 'planted' },
    roleRef: { apiGroup: rbac, ...ref },
    subjects: [subject],
  },
];
const user = (name: string) => ({ kind: 'User', apiGroup: rbac, name });
const account = (namespace: string) => ({ kind: 'ServiceAccount', namespace, name: 'x' });

export const rights: Readonly<Record<string, Planted>> = {
  'a role for everybody who is authenticated': {
    objects: binding({ kind: 'Group', apiGroup: rbac, name: 'system:authenticated' }),
    rule: 'rights/subject',
  },
  'a service account by its user name': {
    objects: binding(user('system:serviceaccount:victim-dev:default')),
    rule: 'rights/subject',
  },
  "another's service account": {
    objects: binding(account('victim-dev')),
    rule: 'rights/foreign',
  },
  'cluster-admin': {
    objects: binding(user('alice'), { kind: 'ClusterRole', name: 'cluster-admin' }),
    rule: 'rights/role',
  },
  'a Role that is not there': {
    objects: binding(user('alice'), { kind: 'Role', name: 'later' }),
    rule: 'rights/role',
  },
  'all verbs': { objects: rule('', 'pods', '*'), rule: 'rights/wildcard' },
  'all groups': { objects: rule('*', 'pods', 'get'), rule: 'rights/wildcard' },
  'all subresources': { objects: rule('', '*/status', 'get'), rule: 'rights/wildcard' },
  'the right to escalate': {
    objects: rule(rbac, 'roles', 'escalate'),
    rule: 'rights/escalation',
  },
  'impersonation of own accounts': {
    objects: rule('', 'serviceaccounts', 'impersonate'),
    rule: 'rights/escalation',
  },
  'writing the quota': { objects: rule('', 'resourcequotas', 'patch'), rule: 'rights/guarded' },
  'finalizing the namespace': {
    objects: rule('', 'namespaces/finalize', 'update'),
    rule: 'rights/guarded',
  },
  'policies of the CNI': {
    objects: rule('projectcalico.org', 'networkpolicies', 'create'),
    rule: 'rights/guarded',
  },
  "more than Kubernetes' admin": {
    objects: rule('', 'endpoints', 'update'),
    rule: 'rights/beyond',
  },
  'more than the class gives': {
    klass: 'regulated',
    objects: rule('apps', 'deployments', 'delete'),
    rule: 'rights/beyond',
  },
  'access to a retired namespace': {
    written: (text) => text.replace('"spec":{', '"spec":{"lifecycle":"Retired",'),
    rule: 'rights/lifecycle',
  },
  "more than the ClusterRole that is behind the class' admins": {
    klass: 'edited',
    objects: rule('rbac.authorization.k8s.io', 'roles', 'create'),
    rule: 'rights/beyond',
  },
  'Secrets under a wildcard of the class': {
    klass: 'regulated',
    objects: rule('', 'secrets', 'get'),
    rule: 'rights/beyond',
  },
  'a subresource under a wildcard of the class': {
    klass: 'regulated',
    objects: rule('', 'pods/exec', 'get'),
    rule: 'rights/beyond',
  },
  'an unusual verb under a wildcard of the class': {
    klass: 'neighbourly',
    objects: rule('example.com', 'widgets', 'use'),
    rule: 'rights/beyond',
  },
  'writing in a group that nobody named': {
    klass: 'neighbourly',
    objects: rule('example.org', 'things/scale', 'patch'),
    rule: 'rights/beyond',
  },
  'resources that others add to a cluster': {
    objects: rule('cert-manager.io', 'certificates', 'get'),
    rule: 'rights/beyond',
  },
  'a name that looks like another': {
    objects: binding(user('alice\u3164')),
    rule: 'rights/subject',
  },
  'an address of the cluster': {
    klass: 'neighbourly',
    objects: [{ ...object('v1', 'Service')[0], spec: { externalIPs: ['192.0.2.16'] } }],
    rule: 'rights/self-service',
  },
  'a name of a Service of others': {
    klass: 'neighbourly',
    objects: [
      {
        ...object('v1', 'Service')[0],
        spec: { type: 'ExternalName', externalName: 'Web.Victim.svc.cluster.local.' },
      },
    ],
    rule: 'rights/self-service',
  },
  'a type that the class leaves out': {
    klass: 'neighbourly',
    objects: [{ ...object('v1', 'Service')[0], spec: { type: 'NodePort' } }],
    rule: 'rights/self-service',
  },
  'a load balancer of another class': {
    klass: 'neighbourly',
    objects: [
      {
        ...object('v1', 'Service')[0],
        spec: { type: 'LoadBalancer', loadBalancerClass: 'example.com/public' },
      },
    ],
    rule: 'rights/self-service',
  },
  'a token for ever': {
    objects: [{ ...object('v1', 'Secret')[0], type: 'kubernetes.io/service-account-token' }],
    rule: 'rights/self-service',
  },
  'a node of her choice': {
    objects: [{ ...object('v1', 'Pod')[0], spec: { containers: [], nodeName: 'control-1' } }],
    rule: 'rights/self-service',
  },
};

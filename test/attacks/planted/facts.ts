import { NAMESPACE, object, type Planted } from './plant.ts';

/** Adds a line to the facts for the admission policies on the Namespace. */
const fact = (name: string, line: string): Pick<Planted, 'replace'> => ({
  replace: [
    /( {2}annotations:\n)((?: {4}.*\n)*? {2}labels:)/,
    `$1    policy.tenantry.dev/${name}: ${JSON.stringify(line)}\n$2`,
  ],
});
/** Replaces the text of an existing fact. */
const instead = (name: string, text: string): Pick<Planted, 'replace'> => ({
  replace: [
    new RegExp(`policy.tenantry.dev/${name}: (?:\\|-\\n(?: {6}.*\\n)+|.*\\n)`),
    `policy.tenantry.dev/${name}: ${JSON.stringify(text)}\n`,
  ],
});
const label = (name: string, value: string): Pick<Planted, 'replace'> => ({
  replace: [/ {2}labels:\n/, `  labels:\n    policy.tenantry.dev/${name}: ${value}\n`],
});
const suspended = (text: string) => text.replace('"spec":{', '"spec":{"lifecycle":"Suspended",');

/** Facts that let users do more than the tenant declares and its class allows. */
export const facts: Readonly<Record<string, Planted>> = {
  "another's namespace": { ...instead('namespaces', 'victim-dev'), rule: 'facts/namespaces' },
  'a namespace of the tenant on another cluster': {
    ...instead('namespaces', 'mallory-prod'),
    written: (text) =>
      text.replace('"namespaces":[', '"namespaces":[{"name":"mallory-prod","clusters":["eu2"]},'),
    rule: 'facts/namespaces',
  },
  'an undeclared user': { ...instead('subjects', 'User eve'), rule: 'facts/subjects' },
  'a group of all authenticated users': {
    ...instead('subjects', 'Group system:authenticated'),
    rule: 'facts/subjects',
  },
  'a user name as a group': {
    ...instead('subjects', 'Group alice@example.com'),
    rule: 'facts/subjects',
  },
  "another's service account": {
    ...instead('subjects', 'ServiceAccount victim-dev/default'),
    rule: 'facts/subjects',
  },
  'a user of a suspended tenant': {
    ...instead('subjects', 'User alice@example.com'),
    written: suspended,
    rule: 'facts/subjects',
  },
  'a user of a retired namespace': {
    ...instead('subjects', 'User eve'),
    written: (text) =>
      text.replace(
        '"namespaces":[',
        '"namespaces":[{"name":"mallory-old","lifecycle":"Retired","access":{"viewers":{"users":["eve"]}}},',
      ),
    rule: 'facts/subjects',
  },
  'subjects that the class allows, in a suspended tenant': {
    klass: 'neighbourly',
    ...instead('subjects', 'User oncall'),
    written: suspended,
    rule: 'facts/subjects',
  },
  'a pattern that the tenant invents': {
    ...fact('subject-patterns', 'User *'),
    rule: 'facts/subject-patterns',
  },
  'a pattern that matches more users than it should': {
    klass: 'neighbourly',
    ...instead('subject-patterns', 'Group *@example.com'),
    rule: 'facts/subject-patterns',
  },
  'all accounts of a namespace of which the class allows one': {
    klass: 'standard',
    ...fact('subject-patterns', 'ServiceAccount ci-release/*'),
    rule: 'facts/subject-patterns',
  },
  'a pattern that matches a suspended user': {
    klass: 'neighbourly',
    ...instead('subject-patterns', 'User *@example.com'),
    written: suspended,
    rule: 'facts/subject-patterns',
  },
  'a ClusterRole that the class does not allow': {
    ...instead('cluster-roles', 'cluster-admin'),
    rule: 'facts/cluster-roles',
  },
  "Kubernetes' admin if admins have another role": {
    klass: 'regulated',
    ...instead('cluster-roles', 'admin'),
    rule: 'facts/cluster-roles',
  },
  'traffic from anywhere': { ...fact('ingress-from', 'anywhere'), rule: 'facts/ingress-from' },
  'traffic to anywhere': { ...fact('egress-to', 'anywhere'), rule: 'facts/egress-to' },
  'a namespace that the class allows in the other direction': {
    klass: 'neighbourly',
    ...instead('egress-to', 'namespace metrics'),
    rule: 'facts/egress-to',
  },
  'a block that contains that of the class': {
    klass: 'neighbourly',
    ...instead('ingress-from', 'cidr 10.40.0.0/13'),
    rule: 'facts/ingress-from',
  },
  'every namespace': {
    klass: 'neighbourly',
    ...instead('ingress-from', 'namespace *'),
    rule: 'facts/ingress-from',
  },
  'an address of the cluster': { ...fact('external-ips', '0.0.0.0/0'), rule: 'facts/external-ips' },
  'every name': { ...fact('external-names', '*'), rule: 'facts/external-names' },
  'names below a domain of which the class opens a part': {
    klass: 'neighbourly',
    ...instead('external-names', '*.com'),
    rule: 'facts/external-names',
  },
  'a type that the class leaves out': {
    klass: 'neighbourly',
    ...instead('service-types', 'NodePort'),
    rule: 'facts/service-types',
  },
  'no bound of the types': {
    klass: 'neighbourly',
    replace: [/ {4}policy.tenantry.dev\/service-types: (?:\|-\n(?: {6}.*\n)+|.*\n)/, ''],
    rule: 'facts/service-types',
  },
  'load balancers of every class': {
    klass: 'neighbourly',
    ...instead('load-balancer-classes', '*'),
    rule: 'facts/load-balancer-classes',
  },
  'a token that lives longer': {
    klass: 'neighbourly',
    ...instead('token-seconds', '315360000'),
    rule: 'facts/token-seconds',
  },
  'a taint that the class does not allow': {
    klass: 'neighbourly',
    ...instead('tolerations', 'node-role.kubernetes.io/control-plane'),
    rule: 'facts/tolerations',
  },
  'every value of a taint of which the class opens one': {
    klass: 'neighbourly',
    ...instead('tolerations', 'example.com/gpu'),
    rule: 'facts/tolerations',
  },
  'a pod that takes longer to end': {
    klass: 'neighbourly',
    ...instead('termination-seconds', '86400'),
    rule: 'facts/termination-seconds',
  },
  'a pod with any termination time, because no limit is set': {
    klass: 'neighbourly',
    replace: [/ {4}policy.tenantry.dev\/termination-seconds: .*\n/, ''],
    rule: 'facts/termination-seconds',
  },
  'more pods than the quota has': { ...instead('most-pods', '21'), rule: 'facts/most-pods' },
  'pods that nothing counts': {
    replace: [/ {4}policy.tenantry.dev\/most-pods: .*\n/, ''],
    rule: 'facts/most-pods',
  },
  "pods of the platform's that are left out": {
    objects: [
      {
        ...object('apps/v1', 'Deployment')[0],
        spec: { template: { metadata: { labels: { app: 'planted' } } } },
      },
    ],
    rule: 'facts/pod-labels',
  },
  "a name of the platform's that is left out": {
    ...instead('names', 'ResourceQuota tenant-quota'),
    rule: 'facts/names',
  },
  'an unknown fact': { ...fact('exempt', 'User mallory'), rule: 'facts/exempt' },
  'facts that do not end': {
    ...instead('namespaces', 'mallory-dev\n'),
    rule: 'facts/form',
  },
  'a policy that is off': { ...label('role-bindings', 'Disabled'), rule: 'facts/policies' },
  'hardening that is gone': {
    replace: [/ {4}policy.tenantry.dev\/storage: Claims\n/, ''],
    rule: 'facts/policies',
  },
  'hardening that means nothing': {
    files: (files) => ({ ...files, [NAMESPACE]: files[NAMESPACE]!.replace('Claims', 'Open') }),
    rule: 'facts/policies',
  },
};

import { attempts, type Attempt } from './attempt.ts';

const quota = (key: string, value: string | number = 1): Attempt => ({
  tenant: { quota: { hard: { [key]: value } } },
});
const limit = (item: object): Attempt => ({
  tenant: { limits: { preset: 'none', items: [{ type: 'Container', ...item }] } },
});
const budget = (amount: object, hard: object = {}): Attempt => ({
  tenant: {
    quota: { hard },
    disruptionBudgets: [{ name: 'a', selector: { matchLabels: { app: 'a' } }, ...amount }],
  },
});
const manifest = (apiVersion: string, kind: string, more: object = {}): Attempt => ({
  tenant: { resources: [{ manifest: { apiVersion, kind, metadata: { name: 'x' }, ...more } }] },
});
const configMaps = (count: number, text: string) =>
  Array.from({ length: count }, (_, i) => ({
    manifest: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `m${i}` }, data: { text } },
  }));
const many = (count: number, value: string) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`example.com/k${i}`, value]));
const opening = { allow: { annotations: [{ key: 'example.com/*' }] } };
const names = (prefix: string) => Array.from({ length: 100 }, (_, i) => `${prefix}${i}`);

// The API server rejects one object and the others are applied, for example a namespace with an admin and no quota.
attempts({
  'an invalid quota key: pages without a size': { ...quota('hugepages-!'), refused: 'quota-key' },
  'a quota key for which nothing counts': { ...quota('count/..'), refused: 'quota-key' },
  'a quota key of 200 characters': { ...quota(`count/${'a'.repeat(194)}`), refused: 'quota-key' },
  'a quota key with half a domain': { ...quota('-/gpu'), refused: 'quota-key' },
  'a quota key that Kubernetes does not count': {
    ...quota('nvidia.com/gpu'),
    refused: 'quota-key',
  },
  'a quota key without its API group': { ...quota('count/deployments'), refused: 'quota-key' },
  'the same key with its group': quota('count/deployments.apps'),
  'half a volume of a class': {
    ...quota('gold.storageclass.storage.k8s.io/requests.storage', '500m'),
    refused: 'quota-whole',
  },
  'more pods than can be counted': {
    ...quota('pods', '5000000000000000001'),
    refused: 'quota-whole',
  },
  'more memory than can be held': { ...quota('memory', '9Ei'), refused: 'quantity' },
  'a quota of ephemeral storage in a scope': {
    tenant: {
      quota: { scoped: [{ name: 'x', scopes: ['Terminating'], hard: { 'ephemeral-storage': 1 } }] },
    },
    refused: 'quota-scope',
  },
  'a quota for an invalid priority': {
    tenant: {
      quota: {
        scoped: [
          {
            name: 'x',
            hard: { pods: 1 },
            scopeSelector: [{ scopeName: 'PriorityClass', operator: 'In', values: ['no name'] }],
          },
        ],
      },
    },
    refused: 'quota-scope',
  },
  'a total with less than one thousandth': {
    tenant: { quota: { total: { 'requests.memory': '10.5m' } } },
    refused: 'total',
  },
  'devices in a quota of a scope': {
    tenant: {
      quota: {
        scoped: [{ name: 'x', scopes: ['Terminating'], hard: { 'requests.nvidia.com/gpu': 1 } }],
      },
    },
  },
});

// The API server would count the rendered objects after the quota exists, and reject them.
attempts({
  'a quota without room for the policies of the namespace': {
    ...quota('count/networkpolicies.networking.k8s.io', 2),
    refused: 'quota-room',
  },
  'a quota with room for them': quota('count/networkpolicies.networking.k8s.io', 3),
  'a quota without room for another': {
    tenant: {
      quota: {
        hard: { resourcequotas: 1 },
        scoped: [{ name: 'x', scopes: ['Terminating'], hard: { pods: 1 } }],
      },
    },
    refused: 'quota-room',
  },
  'a quota that ignores the objects that Kubernetes creates in every namespace': {
    ...quota('configmaps', 0),
    refused: 'quota-room',
  },
  'a quota of an unknown resource': quota('secrets', 0),
});

attempts({
  'a limit of pages without a size': {
    ...limit({ max: { 'hugepages-x': 1 } }),
    refused: 'limit-resource',
  },
  'a limit with a request in its name': {
    ...limit({ max: { 'requests.example.com/a': 1 } }),
    refused: 'limit-resource',
  },
  'a limit that OpenShift does not know': {
    ...limit({ type: 'openshift.io/Image', max: { '!': 1 } }),
    refused: 'limit-resource',
  },
  'a ratio that minimum and maximum cannot satisfy': {
    ...limit({ min: { cpu: 1 }, max: { cpu: 2 }, maxLimitRequestRatio: { cpu: 3 } }),
    refused: 'limit-shape',
  },
  'fewer devices by default than requested': {
    ...limit({ max: { 'nvidia.com/gpu': 4 }, defaultRequest: { 'nvidia.com/gpu': 1 } }),
    refused: 'limit-shape',
  },
  'a limit beyond the range of a quantity': {
    ...limit({ max: { memory: '9Ei' } }),
    refused: 'quantity',
  },
  'a port with an invalid name': {
    tenant: {
      network: { allowFrom: [{ name: 'x', namespaces: ['a'], ports: [{ port: 'a--b' }] }] },
    },
    refused: 'schema',
  },
  'an invalid version of Pod Security': {
    tenant: { podSecurity: { version: 'v1.036' } },
    refused: 'schema',
  },
});

attempts({
  'an object that can only be created as a request': {
    ...manifest('authorization.k8s.io/v1', 'LocalSubjectAccessReview'),
    refused: 'resource-kind',
  },
  'a binding of a pod to a node': { ...manifest('v1', 'Binding'), refused: 'resource-kind' },
  'a budget that no number of pods satisfies': {
    ...budget({ minAvailable: 2 ** 31 - 1 }),
    refused: 'disruption-budget-blocks',
  },
  'a budget of the maximum number of pods': {
    ...budget({ minAvailable: 10 }, { pods: 10 }),
    refused: 'disruption-budget-blocks',
  },
  'a budget of a percentage that is rounded up to all of them': {
    ...budget({ minAvailable: '99%' }, { pods: 10 }),
    refused: 'disruption-budget-blocks',
  },
  'a budget that leaves one of them': budget({ minAvailable: 9 }, { pods: 10 }),
  'a group with a line break in its name': {
    tenant: { access: { admins: { groups: ['a\nb'] } } },
    refused: 'schema',
  },
  'a user who looks like another one': {
    tenant: { access: { admins: { users: ['alice\u200b'] } } },
    refused: 'schema',
  },
});

attempts({
  'an object of 64 KiB in characters and more in bytes': {
    ...manifest('v1', 'ConfigMap', { data: { text: 'ä'.repeat(40_000) } }),
    refused: 'resource-size',
  },
  'a Tenant that the cluster cannot store': {
    tenant: { resources: configMaps(40, 'x'.repeat(60_000)) },
    refused: 'object-size',
  },
  'a Tenant that it can store': { tenant: { resources: configMaps(6, 'x'.repeat(60_000)) } },
  'annotations of a namespace beyond 256 KiB': {
    klass: opening,
    tenant: { annotations: many(20, 'x'.repeat(16_000)) },
    refused: 'annotations-size',
  },
  'annotations beyond it in bytes': {
    klass: opening,
    tenant: { annotations: many(10, 'ä'.repeat(15_000)) },
    refused: 'annotations-size',
  },
  'annotations of a service account beyond it': {
    tenant: { serviceAccounts: [{ name: 'a', annotations: many(20, 'x'.repeat(16_000)) }] },
    refused: 'annotations-size',
  },
  'annotations of a policy beyond it': {
    tenant: {
      network: { policies: [{ name: 'a', annotations: many(20, 'x'.repeat(16_000)), spec: {} }] },
    },
    refused: 'annotations-size',
  },
  'annotations of the Tenant beyond it': {
    metadata: { annotations: many(20, 'x'.repeat(16_000)) },
    refused: 'annotations-size',
  },
  'short names that make a long list': {
    klass: { allow: { clusterRoles: ['view'] } },
    tenant: {
      access: {
        clusterRoles: Array.from({ length: 100 }, (_, i) => ({
          name: 'view',
          bindingName: 'all',
          users: names(`u${i}-`),
          groups: names(`g${i}-`),
        })),
      },
    },
    refused: 'object-size',
  },
  'a class that no cluster can store': {
    klass: { defaults: { resources: configMaps(40, 'x'.repeat(60_000)) } },
    refused: 'object-size',
  },
  'a class with an invalid label': {
    files: {
      'tenants/classes/odd.yaml': JSON.stringify({
        apiVersion: 'tenantry.dev/v1alpha1',
        kind: 'TenantClass',
        metadata: { name: 'odd', labels: { 'no key': 'x' } },
      }),
    },
    refused: 'key',
  },
});

import { expect, test } from '@jest/globals';
import { compareBundles, upgradeRules, type UpgradeChange } from '../../upgrade/compare.ts';
import { MAX_RIGHTS } from '@tenantry/kube/rights/rights';
import type { Free } from '../rules/definition.ts';
import { bundleOf, linesOf, pair, comparePair, type Pair } from './pairs.ts';

const NEW = 'redis-operator.v1.3.0';
const ACCOUNT = 'ServiceAccount redis-operator';
const CRD = 'redis.cache.example.com';

type Row = readonly [sentence: string, change: (pair: Pair) => void, expected: readonly string[]];

const rulesIn = (csv: Free): Free[] => csv.spec.install.spec.clusterPermissions[0].rules;
const allow = (verbs: string[], group: string, resources: string[], more: object = {}) => ({
  verbs,
  apiGroups: [group],
  resources,
  ...more,
});
const webhook = (more: object = {}) => ({
  type: 'ValidatingAdmissionWebhook',
  generateName: 'v.redis.example.com',
  deploymentName: 'redis-operator',
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
  rules: [
    { operations: ['CREATE'], apiGroups: ['example.com'], apiVersions: ['v1'], resources: ['a'] },
  ],
  ...more,
});
const converting = (more: object = {}) =>
  webhook({ type: 'ConversionWebhook', conversionCRDs: [CRD], rules: undefined, ...more });
const object = (kind: string, name: string, more: object = {}) => ({
  apiVersion: kind.includes('Role') ? 'rbac.authorization.k8s.io/v1' : 'v1',
  kind,
  metadata: { name },
  ...more,
});
const binding = (kind: string, role: string, subject: object) =>
  object(kind, 'b', {
    roleRef: {
      apiGroup: 'rbac.authorization.k8s.io',
      kind: role.split(' ')[0],
      name: role.split(' ')[1],
    },
    subjects: [subject],
  });
const account = { kind: 'ServiceAccount', name: 'redis-operator', namespace: 'x' };
const deploymentOf = (csv: Free): Free => csv.spec.install.spec.deployments[0];
const podOf = (csv: Free): Free => deploymentOf(csv).spec.template.spec;

/** Adds v2 beside v1, which is deprecated. */
function twoVersions(crd: Free): void {
  const [first] = crd.spec.versions;
  crd.spec.versions = [
    { ...first, storage: false, deprecated: true },
    { ...first, name: 'v2', storage: true },
  ];
}

const graph: readonly Row[] = [
  ['the next version that replaces the last is fine', () => {}, []],
  [
    'a Subscription does not follow another package',
    ({ now }) => (now.annotations['package.v1'] = 'other'),
    [`breaking package-changed ${NEW}`],
  ],
  [
    'a package that OLD does not declare is to be reviewed',
    ({ old }) => delete old.annotations['package.v1'],
    [`review package-unsaid ${NEW}`],
  ],
  [
    'and so is one that only NEW, or neither, declares',
    ({ old, now }) => {
      delete now.annotations['package.v1'];
      delete old.annotations['package.v1'];
    },
    [`review package-unsaid ${NEW}`],
  ],
  [
    'a package that NEW does not declare is not reported as another package',
    ({ now }) => delete now.annotations['package.v1'],
    [`review package-unsaid ${NEW}`],
  ],
  [
    'a bundle without a name is not replaced by one that replaces nothing',
    ({ old, now }) => {
      delete old.csv.metadata.name;
      delete now.csv.spec.replaces;
    },
    [`breaking upgrade-edge ${NEW}`],
  ],
  [
    'a version that OLD replaces cannot come after it',
    ({ old }) => (old.csv.spec.replaces = 'redis-operator.v1.3.0'),
    [`breaking upgrade-cycle ${NEW}`],
  ],
  [
    'a version that OLD skips cannot come after it',
    ({ old }) => (old.csv.spec.skips = ['redis-operator.v1.3.0']),
    [`breaking upgrade-cycle ${NEW}`],
  ],
  [
    'an empty range counts as no range',
    ({ now }) => (now.csv.metadata.annotations['olm.skipRange'] = ''),
    [],
  ],
  [
    'an OLD without channels has no channel that NEW could leave',
    ({ old }) => delete old.annotations['channels.v1'],
    ['fine channel-joined stable'],
  ],
  [
    'a NEW without channels leaves all channels',
    ({ now }) => delete now.annotations['channels.v1'],
    ['review channel-left stable'],
  ],
  [
    'bundles of the same name must have the same contents',
    ({ now }) => {
      now.csv.metadata.name = 'redis-operator.v1.2.3';
      now.csv.spec.version = '1.2.3';
      now.csv.spec.replaces = undefined;
      now.csv.spec.description = 'another';
    },
    [
      'breaking same-name redis-operator.v1.2.3',
      'breaking version-not-higher redis-operator.v1.2.3',
    ],
  ],
  [
    'a lower version is no upgrade',
    ({ now }) => (now.csv.spec.version = '1.2.3-rc.1'),
    [`breaking version-not-higher ${NEW}`],
  ],
  [
    'build metadata does not affect the order',
    ({ now }) => (now.csv.spec.version = '1.2.3+2'),
    [`breaking version-not-higher ${NEW}`],
  ],
  [
    'a version that cannot be read is to be reviewed',
    ({ old }) => (old.csv.spec.version = 'one'),
    [`review version-unread ${NEW}`],
  ],
  [
    'a NEW that replaces another version has no path from OLD',
    ({ now }) => (now.csv.spec.replaces = 'redis-operator.v1.2.9'),
    [`breaking upgrade-edge ${NEW}`],
  ],
  [
    'a skipped version is upgraded',
    ({ now }) => {
      now.csv.spec.replaces = 'redis-operator.v1.2.0';
      now.csv.spec.skips = ['redis-operator.v1.2.3'];
    },
    [],
  ],
  [
    'a version in the range is upgraded',
    ({ now }) => {
      now.csv.spec.replaces = undefined;
      now.csv.metadata.annotations['olm.skipRange'] = '>=1.0.0 <1.3.0';
    },
    [],
  ],
  [
    'a version below the range is not',
    ({ now }) => {
      now.csv.spec.replaces = undefined;
      now.csv.metadata.annotations['olm.skipRange'] = '>1.2.3 <1.3.0';
    },
    [`breaking upgrade-edge ${NEW}`],
  ],
  [
    'an invalid range is reported',
    ({ now }) => (now.csv.metadata.annotations['olm.skipRange'] = 'all'),
    [`breaking skip-range-unread ${NEW}`],
  ],
  [
    'subscribers of a channel that NEW leaves stay',
    ({ old, now }) => {
      old.annotations['channels.v1'] = 'stable,fast';
      now.annotations['channels.v1'] = 'stable, candidate';
    },
    ['review channel-left fast', 'fine channel-joined candidate'],
  ],
  [
    'without a common channel nobody is upgraded',
    ({ now }) => (now.annotations['channels.v1'] = 'fast'),
    [`breaking channels-apart ${NEW}`],
  ],
  [
    'another default channel is to be reviewed',
    ({ now }) => delete now.annotations['channel.default.v1'],
    [`review default-channel ${NEW}`],
  ],
];

const definitions: readonly Row[] = [
  [
    'a removed field breaks, as in crd diff',
    ({ now }) => {
      now.crd.spec.versions[0].schema.openAPIV3Schema.properties.spec.properties = {};
    },
    [`breaking field-removed ${CRD}`],
  ],
  [
    'a removed kind takes its objects along',
    ({ now }) => (now.crd = undefined),
    [`breaking definition-removed ${CRD}`],
  ],
  [
    'a removed version may still be stored',
    ({ old, now }) => {
      twoVersions(old.crd);
      twoVersions(now.crd);
      now.crd.spec.versions.shift();
    },
    [`breaking version-removed ${CRD}`, `review stored-version ${CRD}`],
  ],
  [
    'a new conversion is to be reviewed: the effect of the webhook is unknown',
    ({ old, now }) => {
      twoVersions(old.crd);
      twoVersions(now.crd);
      now.csv.spec.webhookdefinitions = [converting()];
    },
    [`review conversion ${CRD}`],
  ],
  [
    'a removed conversion breaks',
    ({ old, now }) => {
      twoVersions(old.crd);
      twoVersions(now.crd);
      old.csv.spec.webhookdefinitions = [converting()];
    },
    [`breaking conversion ${CRD}`],
  ],
  [
    'an unchanged conversion is no difference',
    ({ old, now }) => {
      for (const { csv, crd } of [old, now]) {
        twoVersions(crd);
        csv.spec.webhookdefinitions = [converting()];
      }
    },
    [],
  ],
  [
    'a definition of v1beta1 is not compared',
    ({ old }) => (old.crd.apiVersion = 'apiextensions.k8s.io/v1beta1'),
    [`review definition-unread ${CRD}`],
  ],
  [
    'but its removal is reported',
    ({ old, now }) => {
      old.crd.apiVersion = 'apiextensions.k8s.io/v1beta1';
      now.crd = undefined;
    },
    [`breaking definition-removed ${CRD}`],
  ],
  [
    'and neither is a new one',
    ({ old, now }) => {
      old.crd = undefined;
      now.crd.apiVersion = 'apiextensions.k8s.io/v1beta1';
    },
    [`review definition-unread ${CRD}`, `fine definition-added ${CRD}`],
  ],
  [
    'a webhook without definitions to convert is not a conversion',
    ({ old, now }) => {
      twoVersions(old.crd);
      twoVersions(now.crd);
      now.csv.spec.webhookdefinitions = [webhook({ conversionCRDs: [CRD] })];
    },
    ['review webhook-added webhook v.redis.example.com'],
  ],
  [
    'an unchanged webhook is no difference',
    ({ old, now }) => {
      for (const { crd } of [old, now]) crd.apiVersion = 'apiextensions.k8s.io/v1beta1';
    },
    [],
  ],
];

const permissions: readonly Row[] = [
  [
    'an additional verb is to be reviewed',
    ({ now }) => rulesIn(now.csv)[0].verbs.push('list'),
    [`review permission-gained ${ACCOUNT}`],
  ],
  [
    'a removed verb is fine',
    ({ now }) => (rulesIn(now.csv)[0].verbs = []),
    [`fine permission-lost ${ACCOUNT}`],
  ],
  [
    'rights to Secrets are powerful',
    ({ now }) => rulesIn(now.csv).push(allow(['get'], '', ['secrets', 'pods'])),
    [`breaking permission-powerful ${ACCOUNT}`, `review permission-gained ${ACCOUNT}`],
  ],
  ...(
    [
      [['escalate'], 'rbac.authorization.k8s.io', ['roles']],
      [['bind'], 'rbac.authorization.k8s.io', ['clusterroles']],
      [['impersonate'], '', ['users']],
      [['impersonate'], 'authentication.k8s.io', ['userextras/scopes']],
      [['*'], '*', ['*']],
      [['*'], '', ['*']],
      [['get'], '', ['*']],
      [['create'], '', ['*/exec']],
      [['create'], '', ['serviceaccounts/token']],
      [['update'], 'admissionregistration.k8s.io', ['mutatingwebhookconfigurations']],
      [['*'], 'certificates.k8s.io', ['signers']],
    ] as const
  ).map(([verbs, group, resources]): Row => [
    `${verbs.join()} on ${resources.join()} of '${group}' is powerful`,
    ({ now }) => rulesIn(now.csv).push(allow([...verbs], group, [...resources])),
    [`breaking permission-powerful ${ACCOUNT}`],
  ]),
  [
    'every verb on kinds of the bundle is not',
    ({ now }) => rulesIn(now.csv).push(allow(['*'], 'cache.example.com', ['*'])),
    [`review permission-gained ${ACCOUNT}`],
  ],
  [
    'the same rights in other rules are no difference',
    ({ old, now }) => {
      rulesIn(old.csv).push(allow(['get', 'list'], '', ['pods', 'services']));
      rulesIn(now.csv).unshift(
        allow(['list'], '', ['services', 'pods', 'pods']),
        allow(['get'], '', ['pods'], { resourceNames: ['a'] }),
        allow(['get'], '', ['services', 'pods']),
      );
    },
    [],
  ],
  [
    'a part of an existing right is no gain',
    ({ old, now }) => {
      rulesIn(old.csv).push(allow(['*'], 'apps', ['*']));
      rulesIn(now.csv).push(allow(['get'], 'apps', ['deployments'], { resourceNames: ['a'] }));
    },
    [`fine permission-lost ${ACCOUNT}`],
  ],
  [
    'a right for one name that becomes a right for all is a gain',
    ({ old, now }) => {
      rulesIn(old.csv).push(allow(['get'], '', ['configmaps'], { resourceNames: ['a'] }));
      rulesIn(now.csv).push(allow(['get'], '', ['configmaps']));
    },
    [`review permission-gained ${ACCOUNT}`],
  ],
  [
    'from the watched namespaces to the whole cluster is a gain',
    ({ old, now }) => {
      const rules = [allow(['get'], '', ['pods'])];
      old.csv.spec.install.spec.permissions = [{ serviceAccountName: 'redis-operator', rules }];
      rulesIn(now.csv).push(...rules);
    },
    [`review permission-gained ${ACCOUNT}`],
  ],
  [
    'a new right in the whole cluster is not reported again for a namespace',
    ({ now }) => {
      const rules = [allow(['get'], '', ['pods'])];
      now.csv.spec.install.spec.permissions = [{ serviceAccountName: 'redis-operator', rules }];
      rulesIn(now.csv).push(...rules);
    },
    [`review permission-gained ${ACCOUNT}`],
  ],
  [
    'from the whole cluster to the watched namespaces is no gain',
    ({ old, now }) => {
      const rules = [allow(['get'], '', ['pods'])];
      now.csv.spec.install.spec.permissions = [{ serviceAccountName: 'redis-operator', rules }];
      rulesIn(old.csv).push(...rules);
    },
    [`fine permission-lost ${ACCOUNT}`],
  ],
  [
    'the new ServiceAccount of an unchanged Deployment is compared with the old one',
    ({ now }) => {
      podOf(now.csv).serviceAccountName = 'redis';
      now.csv.spec.install.spec.clusterPermissions[0].serviceAccountName = 'redis';
      rulesIn(now.csv).push(allow(['get'], '', ['pods']));
    },
    [
      'review service-account-renamed ServiceAccount redis',
      'review permission-gained ServiceAccount redis',
    ],
  ],
  [
    'of two accounts that replace one, the first is compared with it',
    ({ old, now }) => {
      for (const { csv } of [old, now]) {
        const { deployments } = csv.spec.install.spec;
        deployments.push({ ...structuredClone(deployments[0]), name: 'second' });
      }
      const [first, second] = now.csv.spec.install.spec.deployments;
      first.spec.template.spec.serviceAccountName = 'one';
      second.spec.template.spec.serviceAccountName = 'two';
      const { rules } = now.csv.spec.install.spec.clusterPermissions[0];
      now.csv.spec.install.spec.clusterPermissions = ['one', 'two'].map((serviceAccountName) => {
        return { serviceAccountName, rules };
      });
    },
    [
      'review service-account-renamed ServiceAccount one',
      'review permission-gained ServiceAccount two',
    ],
  ],
  [
    'an account that had rights before is compared with itself, whatever runs as it now',
    ({ old, now }) => {
      const other = { serviceAccountName: 'redis', rules: [allow(['get'], '', ['pods'])] };
      old.csv.spec.install.spec.clusterPermissions.push(other);
      podOf(now.csv).serviceAccountName = 'redis';
      const { rules } = now.csv.spec.install.spec.clusterPermissions[0];
      now.csv.spec.install.spec.clusterPermissions = [
        { serviceAccountName: 'redis', rules: [...other.rules, ...rules] },
      ];
    },
    [
      'review permission-gained ServiceAccount redis',
      'fine permission-lost ServiceAccount redis-operator',
    ],
  ],
  [
    'an account that stays, and is joined by another one, has not been renamed',
    ({ old, now }) => {
      for (const { csv } of [old, now]) {
        const { deployments } = csv.spec.install.spec;
        deployments.push({ ...structuredClone(deployments[0]), name: 'second' });
      }
      const { clusterPermissions, deployments } = now.csv.spec.install.spec;
      deployments[1].spec.template.spec.serviceAccountName = 'two';
      clusterPermissions.push({ ...clusterPermissions[0], serviceAccountName: 'two' });
    },
    ['review permission-gained ServiceAccount two'],
  ],
  [
    'rights by roles of the manifests count',
    ({ now }) => {
      const rules = [allow(['get'], '', ['secrets'])];
      now.files['manifests/r.yaml'] = object('ClusterRole', 'r', { rules });
      now.files['manifests/b.yaml'] = binding('ClusterRoleBinding', 'ClusterRole r', account);
    },
    [`breaking permission-powerful ${ACCOUNT}`],
  ],
  [
    'a binding grants to every subject that it names',
    ({ now }) => {
      const rules = [allow(['get'], '', ['pods'])];
      now.files['manifests/r.yaml'] = object('Role', 'r', { rules });
      const everybody = { kind: 'Group', name: 'system:authenticated' };
      now.files['manifests/b.yaml'] = binding('RoleBinding', 'Role r', everybody);
    },
    ['review permission-gained Group system:authenticated'],
  ],
  [
    'cluster-admin grants everything',
    ({ now }) => {
      now.files['manifests/b.yaml'] = binding(
        'ClusterRoleBinding',
        'ClusterRole cluster-admin',
        account,
      );
    },
    [`breaking permission-powerful ${ACCOUNT}`, `review permission-gained ${ACCOUNT}`],
  ],
  [
    'the rules of a role of the cluster are unknown',
    ({ now }) => {
      now.files['manifests/b.yaml'] = binding('RoleBinding', 'ClusterRole auth', account);
    },
    [`breaking role-bound ${ACCOUNT}`],
  ],
  [
    'a removed binding is fine',
    ({ old }) => {
      old.files['manifests/b.yaml'] = binding('RoleBinding', 'ClusterRole auth', account);
    },
    [`fine role-unbound ${ACCOUNT}`],
  ],
  [
    'a binding in the whole cluster grants more than one in a namespace',
    ({ old, now }) => {
      old.files['manifests/b.yaml'] = binding('RoleBinding', 'ClusterRole auth', account);
      now.files['manifests/b.yaml'] = binding('ClusterRoleBinding', 'ClusterRole auth', account);
    },
    [`breaking role-bound ${ACCOUNT}`],
  ],
  [
    'paths that are not objects are rights too',
    ({ now }) => rulesIn(now.csv).push({ verbs: ['get'], nonResourceURLs: ['/metrics'] }),
    [`review permission-gained ${ACCOUNT}`],
  ],
  [
    'too many rights to compare are reported',
    ({ now }) => {
      const resourceNames = Array.from({ length: MAX_RIGHTS + 1 }, (_, i) => `${i}`);
      rulesIn(now.csv).push(allow(['get'], '', ['pods'], { resourceNames }));
    },
    [`breaking permission-count ${ACCOUNT}`],
  ],
];

test('rules of many subjects are not multiplied without a limit', () => {
  const given = pair();
  const subjects = Array.from({ length: 20_000 }, (_, i) => ({ kind: 'User', name: `u${i}` }));
  const rules = Array.from({ length: 20_000 }, (_, i) => allow(['get'], '', [`r${i}`]));
  given.now.files['manifests/r.yaml'] = object('ClusterRole', 'r', { rules });
  const bound = binding('ClusterRoleBinding', 'ClusterRole r', account);
  given.now.files['manifests/b.yaml'] = { ...bound, subjects };
  const started = performance.now();
  const reportedRules = compareBundles(bundleOf(given.old), bundleOf(given.now)).map(
    ({ rule }) => rule,
  );
  expect(reportedRules.filter((rule) => rule === 'permission-count').length).toBeGreaterThan(
    19_000,
  );
  expect(performance.now() - started).toBeLessThan(20_000);
});

const webhooks: readonly Row[] = [
  [
    'a new webhook is to be reviewed',
    ({ now }) => (now.csv.spec.webhookdefinitions = [webhook()]),
    ['review webhook-added webhook v.redis.example.com'],
  ],
  [
    'so is a removed one',
    ({ old }) => (old.csv.spec.webhookdefinitions = [webhook()]),
    ['review webhook-removed webhook v.redis.example.com'],
  ],
  ...(
    [
      [{ failurePolicy: 'Ignore' }, 'review webhook-failure-policy'],
      [{ rules: [] }, 'review webhook-rules'],
      [{ objectSelector: { matchLabels: { a: 'b' } } }, 'review webhook-rules'],
      [{ timeoutSeconds: 5 }, 'fine webhook-changed'],
    ] as const
  ).map(([more, expected]): Row => [
    `a changed webhook has ${expected} for ${JSON.stringify(more)}`,
    ({ old, now }) => {
      old.csv.spec.webhookdefinitions = [webhook()];
      now.csv.spec.webhookdefinitions = [webhook(more)];
    },
    [`${expected} webhook v.redis.example.com`],
  ]),
  [
    'two webhooks of one name are each compared with their counterpart',
    ({ old, now }) => {
      old.csv.spec.webhookdefinitions = [webhook(), webhook({ timeoutSeconds: 5 })];
      now.csv.spec.webhookdefinitions = [webhook({ timeoutSeconds: 5 }), webhook(), webhook()];
    },
    ['review webhook-added webhook v.redis.example.com'],
  ],
  [
    'a webhook of another name, or of another type, is another one',
    ({ old, now }) => {
      const other = { generateName: 'w.redis.example.com' };
      old.csv.spec.webhookdefinitions = [webhook(), webhook(other)];
      const type = 'MutatingAdmissionWebhook';
      now.csv.spec.webhookdefinitions = [webhook(), webhook({ ...other, type })];
    },
    [
      'review webhook-added webhook w.redis.example.com',
      'review webhook-removed webhook w.redis.example.com',
    ],
  ],
];

const requirements: readonly Row[] = [
  [
    'a removed install mode fails where it is used',
    ({ old }) => (old.csv.spec.installModes[1].supported = true),
    ['breaking install-mode-lost OwnNamespace'],
  ],
  [
    'a new one is fine',
    ({ now }) => (now.csv.spec.installModes[1].supported = true),
    ['fine install-mode-gained OwnNamespace'],
  ],
  [
    'a newer Kubernetes is to be reviewed',
    ({ now }) => (now.csv.spec.minKubeVersion = '1.28.0'),
    ['review min-kube-version-raised minKubeVersion'],
  ],
  [
    'a first minimum version is a newer one',
    ({ old }) => delete old.csv.spec.minKubeVersion,
    ['review min-kube-version-raised minKubeVersion'],
  ],
  [
    'an older one is fine',
    ({ now }) => (now.csv.spec.minKubeVersion = '1.9.0'),
    ['fine min-kube-version-lowered minKubeVersion'],
  ],
  [
    'an invalid one fails',
    ({ now }) => (now.csv.spec.minKubeVersion = 'new'),
    ['breaking min-kube-version-unread minKubeVersion'],
  ],
  [
    'the same one in another notation is no difference',
    ({ now }) => (now.csv.spec.minKubeVersion = '1.25'),
    [],
  ],
  [
    'a removed minimum version is an older one',
    ({ now }) => delete now.csv.spec.minKubeVersion,
    ['fine min-kube-version-lowered minKubeVersion'],
  ],
  [
    'a kind that is newly required is to be reviewed',
    ({ now }) => {
      const required = [{ name: 'a.example.com', version: 'v1', kind: 'A' }];
      now.csv.spec.customresourcedefinitions.required = required;
    },
    ['review required-api-added A v1 of a.example.com'],
  ],
  [
    'a kind that is no longer required is fine',
    ({ old }) => (old.csv.spec.nativeAPIs = [{ group: 'apps', version: 'v1', kind: 'A' }]),
    ['fine required-api-removed A of apps/v1'],
  ],
  [
    'so is one of an API server, and an unchanged one is no difference',
    ({ old, now }) => {
      const api = { group: 'g.example.com', version: 'v1', name: 'as' };
      const stays = [{ name: 'a.example.com', version: 'v1', kind: 'A' }];
      for (const { csv } of [old, now]) csv.spec.customresourcedefinitions.required = stays;
      now.csv.spec.apiservicedefinitions = { required: [{ ...api, kind: 'B' }] };
    },
    ['review required-api-added B of g.example.com/v1'],
  ],
  [
    'an API that is no longer served fails its clients',
    ({ old, now }) => {
      const api = { group: 'g.example.com', version: 'v1', name: 'as', deploymentName: 'd' };
      old.csv.spec.apiservicedefinitions = { owned: [{ ...api, kind: 'A' }] };
      now.csv.spec.apiservicedefinitions = { owned: [{ ...api, kind: 'B' }] };
    },
    [
      'breaking served-api-removed A of g.example.com/v1',
      'fine served-api-added B of g.example.com/v1',
    ],
  ],
  [
    'other versions of another operator are to be reviewed',
    ({ old, now }) => {
      const dependencies = (version: string) => ({
        dependencies: [{ type: 'olm.package', value: { packageName: 'etcd', version } }],
      });
      old.files['metadata/dependencies.yaml'] = dependencies('>1.0.0');
      now.files['metadata/dependencies.yaml'] = dependencies('>2.0.0');
    },
    ['review dependency-added package etcd >2.0.0', 'fine dependency-removed package etcd >1.0.0'],
  ],
  [
    'dependencies are compared by their contents, not by their order',
    ({ old, now }) => {
      const gvk = { type: 'olm.gvk', value: { group: 'a.b', version: 'v1', kind: 'C' } };
      const label = { type: 'olm.label', value: { label: 'lts' } };
      const constraint = {
        type: 'olm.constraint',
        value: { failureMessage: 'x', cel: { rule: 'true' } },
      };
      old.files['metadata/dependencies.yaml'] = { dependencies: [label, gvk] };
      now.files['metadata/dependencies.yaml'] = { dependencies: [gvk, label] };
      old.files['metadata/dependencies.yaml'].dependencies.push(constraint);
    },
    ['fine dependency-removed olm.constraint {"cel":{"rule":"true"},"failureMessage":"x"}'],
  ],
];

const contents: readonly Row[] = [
  [
    'a Deployment cannot select other pods',
    ({ now }) => (deploymentOf(now.csv).spec.selector = { matchLabels: { app: 'other' } }),
    ['breaking deployment-selector Deployment redis-operator'],
  ],
  [
    'a Deployment of another name can',
    ({ now }) => {
      deploymentOf(now.csv).name = 'redis-controller';
      deploymentOf(now.csv).spec.selector = { matchLabels: { app: 'other' } };
    },
    [
      'review deployment-removed Deployment redis-operator',
      'fine deployment-added Deployment redis-controller',
    ],
  ],
  [
    'another tag is fine',
    ({ now }) => (podOf(now.csv).containers[0].image = 'quay.io/example/operator:2'),
    ['fine image-changed container manager of redis-operator'],
  ],
  [
    'another repository is to be reviewed',
    ({ now }) => (podOf(now.csv).containers[0].image = 'quay.io/elsewhere/operator:1'),
    ['review image-repository container manager of redis-operator'],
  ],
  [
    'also at the same host and port',
    ({ old, now }) => {
      podOf(old.csv).containers[0].image = 'localhost:5000/operator:1';
      podOf(now.csv).containers[0].image = 'localhost:5000/elsewhere:1';
    },
    ['review image-repository container manager of redis-operator'],
  ],
  [
    'a port is not a tag',
    ({ old, now }) => {
      podOf(old.csv).containers[0].image = 'localhost:5000/operator:10';
      podOf(now.csv).containers[0].image = 'localhost:5000/operator:11';
    },
    ['fine image-changed container manager of redis-operator'],
  ],
  [
    'a further container with an image of the same repository needs no other mirror, and one with the same image nothing',
    ({ now }) => {
      const { containers } = podOf(now.csv);
      containers.push({ ...containers[0], name: 'second', image: 'quay.io/example/operator:2' });
      podOf(now.csv).initContainers = [{ ...containers[0], name: 'first' }];
    },
    ['fine image-changed container second of redis-operator'],
  ],
  [
    'a tag in place of a digest is to be reviewed',
    ({ old }) =>
      (old.csv.spec.relatedImages[0].image = `quay.io/example/redis@sha256:${'a'.repeat(64)}`),
    ['review image-unpinned related image redis'],
  ],
  [
    'an additional image is to be reviewed',
    ({ now }) => now.csv.spec.relatedImages.push({ name: 'a', image: 'quay.io/example/a:1' }),
    ['review image-added related image a'],
  ],
  [
    'a removed image is fine',
    ({ old }) => old.csv.spec.relatedImages.push({ name: 'a', image: 'quay.io/example/a:1' }),
    ['fine image-removed related image a'],
  ],
  [
    'the deletion of objects with the operator is to be reviewed',
    ({ now }) => (now.csv.spec.cleanup = { enabled: true }),
    ['review cleanup-enabled spec.cleanup'],
  ],
  [
    'their preservation is fine',
    ({ old }) => (old.csv.spec.cleanup = { enabled: true }),
    ['fine cleanup-disabled spec.cleanup'],
  ],
  [
    'added, removed and changed objects are reported',
    ({ old, now }) => {
      old.files['manifests/a.yaml'] = object('ConfigMap', 'gone');
      now.files['manifests/a.yaml'] = object('ConfigMap', 'new');
      old.files['manifests/b.yaml'] = object('Service', 'same', { spec: { a: 1 } });
      now.files['manifests/b.yaml'] = object('Service', 'same', { spec: { a: 2 } });
      for (const { files } of [old, now]) files['manifests/c.yaml'] = object('Secret', 'stays');
      old.files['manifests/c.yaml'] = object('Service', 'as-before', { spec: { a: 1, b: null } });
      now.files['manifests/c.yaml'] = object('Service', 'as-before', {
        spec: { a: 1 },
        status: { loadBalancer: {} },
      });
    },
    [
      'review object-removed ConfigMap gone',
      'review object-added ConfigMap new',
      'review object-changed Service same',
    ],
  ],
];

const rows = [graph, definitions, permissions, webhooks, requirements, contents].flat();

/** The changes of each row, compared once. */
const compared = new Map<Row, readonly UpgradeChange[]>();

function changesIn(row: Row): readonly UpgradeChange[] {
  const known = compared.get(row);
  if (known) return known;
  const given = pair();
  row[1](given);
  const changes = compareBundles(bundleOf(given.old), bundleOf(given.now));
  compared.set(row, changes);
  return changes;
}

test.each(rows.map((row) => [row[0], row] as const))('%s', (_, row) => {
  expect(linesOf(changesIn(row))).toEqual(row[2]);
});

test('each rule of upgrades is reported by a row', () => {
  const reportedRules = new Set(rows.flatMap((row) => changesIn(row).map(({ rule }) => rule)));
  const known = upgradeRules.map(({ id }) => id);
  expect(known.filter((rule) => !reportedRules.has(rule))).toEqual([]);
  expect(new Set(known).size).toBe(known.length);
});

test('a change has the values of OLD and NEW, where they exist', () => {
  const sides = new Map<string, Set<string>>();
  for (const { area, rule, before, after } of rows.flatMap(changesIn)) {
    if (area === 'definitions') continue;
    const both = [before !== undefined && 'OLD', after !== undefined && 'NEW'];
    sides.set(rule, (sides.get(rule) ?? new Set()).add(both.filter(Boolean).join(' and ')));
  }
  const rulesWith = (...wanted: string[]) =>
    [...sides]
      .flatMap(([rule, all]) => ([...all].join() === wanted.join() ? [rule] : []))
      .toSorted();
  expect(rulesWith('NEW')).toEqual([
    'channel-joined',
    'dependency-added',
    'deployment-added',
    'image-added',
    'install-mode-gained',
    'object-added',
    'permission-gained',
    'permission-powerful',
    'required-api-added',
    'role-bound',
    'served-api-added',
    'skip-range-unread',
    'webhook-added',
  ]);
  expect(rulesWith('OLD')).toEqual([
    'channel-left',
    'default-channel',
    'dependency-removed',
    'deployment-removed',
    'image-removed',
    'install-mode-lost',
    'object-removed',
    'permission-lost',
    'required-api-removed',
    'role-unbound',
    'served-api-removed',
    'upgrade-cycle',
    'webhook-removed',
  ]);
  expect(rulesWith('')).toEqual([
    'object-changed',
    'package-unsaid',
    'permission-count',
    'same-name',
    'upgrade-way',
  ]);
});

test('a change of a definition has its path and the old value', () => {
  const given = pair();
  given.now.crd.spec.versions[0].schema.openAPIV3Schema.properties.spec.properties.replicas = {
    type: 'integer',
    maximum: 5,
  };
  given.now.crd.spec.names.shortNames = ['rd'];
  const all = compareBundles(bundleOf(given.old), bundleOf(given.now));
  expect(all.find(({ rule }) => rule === 'maximum')).toEqual({
    area: 'definitions',
    verdict: 'breaking',
    rule: 'maximum',
    subject: CRD,
    message: expect.stringMatching(/^v1 \.spec\.replicas: .*5/),
    after: 'at most 5',
  });
});

test.each<readonly [string, (pair: Pair) => void]>([
  [
    "must replace or skip 'redis-operator.v1.2.3': it replaces nothing, and olm.skipRange is '<1.0.0'",
    ({ now }) => {
      delete now.csv.spec.replaces;
      now.csv.metadata.annotations['olm.skipRange'] = '<1.0.0';
    },
  ],
  [
    "must replace or skip 'redis-operator.v1.2.3': it replaces 'redis-operator.v1.0.0'",
    ({ now }) => (now.csv.spec.replaces = 'redis-operator.v1.0.0'),
  ],
  ['NEW does not declare its package', ({ now }) => delete now.annotations['package.v1']],
  [
    "NEW has no version that can be compared, got 'two'",
    ({ now }) => (now.csv.spec.version = 'two'),
  ],
  [
    'the default channel was stable, and is none',
    ({ now }) => delete now.annotations['channel.default.v1'],
  ],
  [
    'must be in one of stable, got candidate, fast',
    ({ now }) => (now.annotations['channels.v1'] = 'fast,candidate'),
  ],
  [
    "was '1.25.0', and is '1.28.0': older clusters cannot run NEW",
    ({ now }) => (now.csv.spec.minKubeVersion = '1.28.0'),
  ],
  ["was '1.25.0', and is not set", ({ now }) => delete now.csv.spec.minKubeVersion],
  [
    'may do anything with the path /debug',
    ({ now }) => rulesIn(now.csv).push({ verbs: ['*'], nonResourceURLs: ['/debug'] }),
  ],
  [
    'may get the path /debug no more',
    ({ old }) => rulesIn(old.csv).push({ verbs: ['get'], nonResourceURLs: ['/debug'] }),
  ],
  [
    'validates CREATE of a (example.com), failurePolicy Fail',
    ({ now }) => (now.csv.spec.webhookdefinitions = [webhook()]),
  ],
  [
    'it is called for UPDATE of pods, services (core, apps) now, and was called for nothing',
    ({ old, now }) => {
      old.csv.spec.webhookdefinitions = [webhook({ rules: [] })];
      const rule = { operations: ['UPDATE'], apiGroups: ['', 'apps'], apiVersions: ['v1'] };
      const rules = [{ ...rule, resources: ['pods', 'services'] }];
      now.csv.spec.webhookdefinitions = [webhook({ rules })];
    },
  ],
  [
    'failurePolicy was Fail, and is Ignore: requests pass unchecked while it does not answer',
    ({ old, now }) => {
      old.csv.spec.webhookdefinitions = [webhook()];
      now.csv.spec.webhookdefinitions = [webhook({ failurePolicy: 'Ignore' })];
    },
  ],
  [
    'another sideEffects, timeoutSeconds',
    ({ old, now }) => {
      old.csv.spec.webhookdefinitions = [webhook()];
      now.csv.spec.webhookdefinitions = [webhook({ timeoutSeconds: 5, sideEffects: 'Some' })];
    },
  ],
])('the message of a change is: %s', (message, change) => {
  const given = pair();
  change(given);
  const all = compareBundles(bundleOf(given.old), bundleOf(given.now));
  expect(all.map((one) => one.message)).toContain(message);
});

test('changes are sorted by area, the worst first, and definitions by name', () => {
  const given = pair();
  const { files } = given.old;
  for (const plural of ['zebras', 'ants']) {
    const other = structuredClone(given.old.crd);
    other.metadata.name = `${plural}.cache.example.com`;
    other.spec.names = { plural, kind: plural === 'ants' ? 'Ant' : 'Zebra' };
    files[`manifests/${plural}.yaml`] = other;
  }
  rulesIn(given.now.csv).push(allow(['get'], '', ['pods', 'secrets']));
  given.now.csv.spec.cleanup = { enabled: true };
  expect(comparePair(given)).toEqual([
    'breaking definition-removed ants.cache.example.com',
    'breaking definition-removed zebras.cache.example.com',
    `breaking permission-powerful ${ACCOUNT}`,
    `review permission-gained ${ACCOUNT}`,
    'review cleanup-enabled spec.cleanup',
  ]);
});

test('in semver mode the replaced version is not checked', () => {
  const given = pair();
  given.now.csv.spec.replaces = 'redis-operator.v0.0.1';
  expect(comparePair(given, { updateGraph: 'semver' })).toEqual([]);
});

test('two bundles with the same contents have no changes, whatever the names of their files', () => {
  const { old } = pair();
  const now = { ...old, crd: undefined, files: { 'manifests/again.yaml': old.crd } };
  expect(compareBundles(bundleOf(old), bundleOf(now))).toEqual([]);
  const dependency = { type: 'olm.label', value: { label: 'lts' } };
  const more = { ...old, files: { 'metadata/dependencies.yaml': { dependencies: [dependency] } } };
  expect(comparePair({ old, now: more })).toContain(
    'review dependency-added olm.label {"label":"lts"}',
  );
});

test('changes of rights are reported with all names and with their scope', () => {
  const given = pair();
  rulesIn(given.now.csv).push(
    allow(['list', 'get'], 'apps', ['deployments', 'statefulsets/scale'], {
      resourceNames: ['b', 'a'],
    }),
  );
  const changes = compareBundles(bundleOf(given.old), bundleOf(given.now));
  const change = changes.find(({ area }) => area === 'permissions');
  expect(change?.message).toBe(
    'may get, list deployments.apps, statefulsets/scale.apps named a, b in the whole cluster',
  );
  expect(change?.after).toEqual({
    scope: 'everywhere',
    group: 'apps',
    resources: ['deployments', 'statefulsets/scale'],
    verbs: ['get', 'list'],
    names: ['a', 'b'],
  });
});

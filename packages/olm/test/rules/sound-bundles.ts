import { bundleKinds } from '../../rules/bundle-contents.ts';
import { noise } from './broken-bundles.ts';
import { betaDefinition } from './broken-definitions.ts';
import { definition } from './definition.ts';
import type { Sample } from './sample.ts';

/** A change that is close to what a rule forbids, but allowed. */
export interface Sound {
  readonly rule: string;
  readonly what: string;
  readonly changes: (sample: Sample) => void;
  /** Other rules that the change breaks. @default - none */
  readonly also?: readonly string[];
}

const object = (apiVersion: string, kind: string, more: object = {}, name = 'other') => ({
  apiVersion,
  kind,
  metadata: { name },
  ...more,
});
const withFile =
  (content: object, path = 'manifests/other.yaml'): Sound['changes'] =>
  ({ files }) =>
    (files[path] = content);
const budget = (spec: object) => withFile(object('policy/v1', 'PodDisruptionBudget', { spec }));
const role = (group: string, resource: string, verbs: readonly string[], names?: string[]) =>
  withFile(
    object('rbac.authorization.k8s.io/v1', 'ClusterRole', {
      rules: [
        {
          apiGroups: [group],
          resources: [resource],
          verbs,
          ...(names && { resourceNames: names }),
        },
      ],
    }),
  );
const granted =
  (group: string, resource: string, verb: string): Sound['changes'] =>
  ({ csv }) =>
    csv.spec.install.spec.clusterPermissions[0].rules.push({
      apiGroups: [group],
      resources: [resource],
      verbs: [verb],
    });
const named =
  (name: string): Sound['changes'] =>
  ({ csv }) =>
    (csv.metadata.name = name);
const annotated =
  (name: string, value: string): Sound['changes'] =>
  ({ csv }) =>
    (csv.metadata.annotations[name] = value);
const spec =
  (more: object): Sound['changes'] =>
  ({ csv }) =>
    Object.assign(csv.spec, more);

/** Adds a kind of an aggregated API server that the operator provides. */
const served: Sound['changes'] = ({ csv }) =>
  (csv.spec.apiservicedefinitions = {
    owned: [
      {
        group: 'metrics.example.com',
        version: 'v1',
        kind: 'Reading',
        name: 'readings',
        deploymentName: 'redis-operator',
      },
    ],
  });

const example = (more: object): Sound['changes'] => {
  return ({ csv }) => {
    const list = JSON.parse(csv.metadata.annotations['alm-examples']);
    csv.metadata.annotations['alm-examples'] = JSON.stringify([...list, { ...list[0], ...more }]);
  };
};

const conversion = {
  type: 'ConversionWebhook',
  generateName: 'redis.example.com',
  deploymentName: 'redis-operator',
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
  conversionCRDs: ['redis.cache.example.com'],
};

const levels = [
  'Basic Install',
  'Seamless Upgrades',
  'Full Lifecycle',
  'Deep Insights',
  'Auto Pilot',
];
const categories = [
  'AI/Machine Learning',
  'Application Runtime',
  'Big Data',
  'Cloud Provider',
  'Database',
  'Developer Tools',
  'Integration & Delivery',
  'Logging & Tracing',
  'Modernization & Migration',
  'Monitoring',
  'Networking',
  'Observability',
  'OpenShift Optional',
  'Security',
  'Storage',
  'Streaming & Messaging',
];

const versions: readonly Sound[] = [
  { rule: 'csv-name', what: '63 characters', changes: named(`${'r'.repeat(56)}.v1.2.3`) },
  { rule: 'csv-replaces', what: 'a name', changes: spec({ replaces: 'redis-operator.v1.2.2' }) },
  {
    rule: 'annotation-case',
    what: 'the case that OLM reads',
    changes: annotated('olm.skipRange', '<1.2.3'),
  },
  {
    rule: 'owned-name',
    what: 'a group of one word behind the dot',
    changes: ({ csv }) => {
      csv.spec.customresourcedefinitions.required = [
        { name: 'pods.metrics', version: 'v1', kind: 'Pods', description: 'x' },
      ];
    },
  },
  {
    rule: 'example-owned',
    what: 'a kind of an API server of its own',
    changes: (sample) => {
      served(sample);
      example({ apiVersion: 'metrics.example.com/v1', kind: 'Reading' })(sample);
    },
  },
  {
    rule: 'install-mode-conversion',
    what: 'AllNamespaces alone',
    changes: spec({ webhookdefinitions: [conversion] }),
  },
  {
    rule: 'install-mode-conversion',
    what: 'a webhook that converts nothing, and further modes',
    changes: ({ csv }) => {
      csv.spec.installModes[1].supported = true;
      const { conversionCRDs: _, ...webhook } = conversion;
      csv.spec.webhookdefinitions = [{ ...webhook, type: 'ValidatingAdmissionWebhook' }];
    },
  },
  ...['OwnNamespace', 'SingleNamespace', 'MultiNamespace', 'AllNamespaces'].map((type): Sound => ({
    rule: 'install-mode-supported',
    what: `${type} alone`,
    changes: spec({ installModes: [{ type, supported: true }] }),
  })),
  {
    rule: 'install-mode-unique',
    what: 'each mode once',
    changes: ({ csv }) =>
      csv.spec.installModes.push(
        { type: 'SingleNamespace', supported: true },
        { type: 'MultiNamespace', supported: false },
      ),
  },
  {
    rule: 'min-kube-version-removed',
    what: 'major and minor, which can be compared',
    changes: spec({ minKubeVersion: '1.25' }),
    also: ['min-kube-version-format'],
  },
  {
    rule: 'min-kube-version-format',
    what: 'a version with all of its parts',
    changes: spec({ minKubeVersion: '1.25.0-rc.1+2' }),
  },
];

const contents: readonly Sound[] = [
  {
    rule: 'definition-owned',
    what: 'a further version of a kind that is owned in one',
    changes: ({ crd }) =>
      crd.spec.versions.push({ ...crd.spec.versions[0], name: 'v2', storage: false }),
  },
  {
    rule: 'definition-unique',
    what: 'the same kind of another group',
    changes: ({ csv, files }) => {
      const other = definition();
      other.metadata.name = 'redis.other.example.com';
      other.spec.group = 'other.example.com';
      files['manifests/other.yaml'] = other;
      const { owned } = csv.spec.customresourcedefinitions;
      owned.push({ ...owned[0], name: other.metadata.name });
      const list = JSON.parse(csv.metadata.annotations['alm-examples']);
      list.push({ ...list[0], apiVersion: 'other.example.com/v1' });
      csv.metadata.annotations['alm-examples'] = JSON.stringify(list);
    },
  },
  {
    rule: 'owned-definition',
    what: 'a definition of v1beta1 with one version, as of old',
    changes: (sample) => {
      const crd = betaDefinition();
      const { versions: _, ...rest } = crd.spec;
      sample.crd = { ...crd, spec: { ...rest, version: 'v1' } };
    },
    also: ['openshift-label-unchecked', 'openshift-maximum', 'removed-api'],
  },
  {
    rule: 'definition-scale-path',
    what: 'a path of the status, which OLM passes over',
    changes: ({ crd }) => {
      const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.ready' };
      crd.spec.versions[0].subresources = { scale };
    },
  },
  {
    rule: 'service-account',
    what: 'an account of another name',
    changes: withFile(object('v1', 'ServiceAccount')),
  },
  {
    rule: 'service-account',
    what: 'another kind of its name',
    changes: withFile(object('v1', 'ConfigMap', {}, 'redis-operator')),
  },
  {
    rule: 'service-account',
    what: 'another group that calls a kind so',
    changes: withFile(object('example.com/v1', 'ServiceAccount', {}, 'redis-operator')),
  },
  {
    rule: 'compressed-size',
    what: 'what can be compressed',
    changes: ({ files }) => (files['tests/noise.txt'] = 'x'.repeat(2_000_000)),
  },
  {
    rule: 'compressed-size-near',
    what: '84% of what OLM takes',
    changes: ({ files }) => (files['tests/noise.txt'] = noise(875_000)),
  },
  {
    rule: 'related-image',
    what: 'a digest, at a registry with a port',
    changes: ({ csv }) =>
      (csv.spec.relatedImages[0].image = `localhost:5000/redis@sha256:${'a'.repeat(64)}`),
  },
  {
    rule: 'release-name',
    what: 'the required name',
    changes: ({ csv }) => {
      csv.spec.release = '2';
      csv.metadata.name = 'redis-operator-v1.2.3-2';
    },
    also: ['csv-name-convention'],
  },
];

const hub: readonly Sound[] = [
  ...['gif', 'jpeg', 'png', 'svg+xml'].map((type): Sound => ({
    rule: 'icon-media-type',
    what: type,
    changes: ({ csv }) => (csv.spec.icon[0].mediatype = `image/${type}`),
  })),
  ...levels.map((level): Sound => ({
    rule: 'capabilities',
    what: level,
    changes: annotated('capabilities', level),
  })),
  { rule: 'categories', what: 'all', changes: annotated('categories', categories.join(' ,')) },
  { rule: 'link-url', what: 'a path', changes: spec({ links: [{ name: 'Home', url: '/docs' }] }) },
  {
    rule: 'maintainer-email',
    what: 'an address with a name',
    changes: spec({ maintainers: [{ name: 'Jo', email: 'Jo <jo@example.com>' }] }),
  },
  { rule: 'version', what: 'a version below 0.0.1', changes: spec({ version: '0.0.0-alpha' }) },
  {
    rule: 'removed-api',
    what: 'the version that took its place',
    changes: budget({ maxUnavailable: 1 }),
  },
  {
    rule: 'removed-api-later',
    what: 'rights to policies of pods that are there',
    changes: granted('policy', 'poddisruptionbudgets', 'get'),
  },
];

const objects: readonly Sound[] = [
  ...[{ maxUnavailable: 1 }, { maxUnavailable: '1%' }, { minAvailable: '99%' }].map(
    (given): Sound => ({
      rule: 'budget-max-unavailable',
      what: JSON.stringify(given),
      changes: budget(given),
    }),
  ),
  {
    rule: 'budget-min-available',
    what: 'another kind with such a field',
    changes: withFile(
      object('v1', 'ConfigMap', { spec: { minAvailable: '100%', maxUnavailable: 0 } }),
    ),
  },
  {
    rule: 'priority-class-default',
    what: 'one class among others',
    changes: withFile(object('scheduling.k8s.io/v1', 'PriorityClass', { globalDefault: false })),
  },
  {
    rule: 'priority-class-default',
    what: 'another kind with such a field',
    changes: withFile(object('v1', 'ConfigMap', { globalDefault: true })),
  },
  {
    rule: 'budget-rights',
    what: 'to read them',
    changes: role('policy', 'poddisruptionbudgets', ['get', 'list', 'watch', 'delete']),
  },
  {
    rule: 'budget-rights',
    what: 'to change what is named so elsewhere',
    changes: role('example.com', 'poddisruptionbudgets', ['update']),
  },
  {
    rule: 'budget-rights',
    what: 'to change what else is of that group',
    changes: role('policy', 'evictions', ['update']),
  },
  {
    rule: 'budget-rights',
    what: 'rules of what is no role',
    changes: withFile(
      object('monitoring.coreos.com/v1', 'PrometheusRule', {
        rules: [{ apiGroups: ['policy'], resources: ['poddisruptionbudgets'], verbs: ['update'] }],
      }),
    ),
  },
  {
    rule: 'security-constraint-rights',
    what: 'to change its own',
    changes: role('security.openshift.io', 'securitycontextconstraints', ['update'], ['redis']),
  },
  {
    rule: 'security-constraint-rights',
    what: 'to use those of OpenShift',
    changes: role('security.openshift.io', 'securitycontextconstraints', ['use'], ['anyuid']),
  },
];

const practices: readonly Sound[] = [
  { rule: 'csv-name-version', what: 'a prerelease', changes: named('redis-operator.v1.2.3-rc.1') },
  ...['candidate', 'fast', 'stable', 'stable-1.2', 'candidate,fast ,stable'].map((name): Sound => ({
    rule: 'channel-name',
    what: name,
    changes: ({ annotations }) => (annotations['channels.v1'] = name),
  })),
  {
    rule: 'definition-rights',
    what: 'to read them',
    changes: granted('apiextensions.k8s.io', 'customresourcedefinitions', 'list'),
  },
  {
    rule: 'definition-rights',
    what: 'to create what is named so elsewhere',
    changes: granted('example.com', 'customresourcedefinitions', 'create'),
  },
  {
    rule: 'status-descriptors',
    what: 'an empty status',
    changes: ({ csv }) => {
      const list = JSON.parse(csv.metadata.annotations['alm-examples']);
      list[0].status = {};
      csv.metadata.annotations['alm-examples'] = JSON.stringify(list);
      csv.spec.customresourcedefinitions.owned[0].statusDescriptors = [];
    },
  },
];

const label = (name: string, value: string) =>
  `LABEL operators.operatorframework.io.bundle.${name}=${value}`;

const gvk = { gvk: { group: 'a.b', version: 'v1', kind: 'C' } };
const range = { package: { packageName: 'etcd', versionRange: '>=1.0.0 <2.0.0' } };
const among = { any: { constraints: [gvk, { not: { constraints: [range] } }] } };

const format: readonly Sound[] = [
  {
    rule: 'annotation-missing',
    what: 'no default channel',
    changes: ({ annotations }) => delete annotations['channel.default.v1'],
  },
  {
    rule: 'kind',
    what: 'each of the 22',
    changes: ({ files }) => {
      const others = bundleKinds.filter((kind) => !/^(Cluster|Custom)[SR]e/.test(kind));
      for (const kind of others) files[`manifests/${kind}.yaml`] = object('v1', kind);
    },
  },
  {
    rule: 'document-unread',
    what: 'an end of a document without anything after it',
    changes: ({ files }) =>
      (files['manifests/map.yaml'] = `${JSON.stringify(object('v1', 'ConfigMap'))}\n---\n`),
  },
  {
    rule: 'dockerfile-label',
    what: 'the same, and further ones',
    changes: ({ annotations, files }) => {
      const labels = Object.entries(annotations).map(([name, value]) => label(name, `${value}`));
      files['bundle.Dockerfile'] = [...labels, 'LABEL com.example.team=caches'].join('\n');
    },
  },
  {
    rule: 'dependency',
    what: 'one of each type',
    changes: ({ files }) =>
      (files['metadata/dependencies.yaml'] = {
        dependencies: [
          { type: 'olm.gvk', value: { group: 'a.b', version: 'v1', kind: 'C' } },
          { type: 'olm.package', value: { packageName: 'etcd', version: '>1.0.0' } },
          { type: 'olm.label', value: { label: 'lts' } },
          { type: 'olm.constraint', value: { failureMessage: 'x', cel: { rule: 'true' } } },
          ...[gvk, range, { all: { constraints: [gvk, range] } }, among].map((value) => ({
            type: 'olm.constraint',
            value,
          })),
        ],
      }),
  },
];

const certified = {
  cel: { rule: 'properties.exists(p, p.type == "certified" && p.value == true)' },
};
const recent = {
  cel: {
    rule: 'properties.exists(p, p.type == "olm.package" && semver_compare(p.value.version, "1.2.0") >= 0)',
  },
};
const conditions: readonly Sound[] = [
  {
    rule: 'constraint-cel',
    what: 'of properties and versions, one in another',
    changes: ({ files }) => {
      const value = { all: { constraints: [certified, { not: { constraints: [recent] } }] } };
      files['metadata/dependencies.yaml'] = { dependencies: [{ type: 'olm.constraint', value }] };
      files['metadata/properties.yaml'] = {
        properties: [
          { type: 'olm.constraint', value: { failureMessage: 'x', ...recent } },
          { type: 'example.com/cel', value: { cel: { rule: '1 <' } } },
        ],
      };
    },
  },
];

export const soundBundles: readonly Sound[] = [
  ...versions,
  ...contents,
  ...hub,
  ...objects,
  ...practices,
  ...format,
  ...conditions,
];

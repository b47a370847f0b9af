import { betaDefinition } from './broken-definitions.ts';
import { definition, type Free } from './definition.ts';
import type { Sample } from './sample.ts';

/** A broken sample, and the expected finding. */
export interface Broken {
  readonly rule: string;
  readonly breaks: (sample: Sample) => void;
  /** The path of the finding, as it is printed. */
  readonly at: string;
  /** Further rules that the same break breaks. @default - none */
  readonly also?: readonly string[];
}

const owned = 'spec.customresourcedefinitions.owned[0]';
const annotation = (name: string): string => `metadata.annotations["${name}"]`;
const examples = 'metadata.annotations.alm-examples';
const bundleAnnotation = (name: string): string =>
  `annotations["operators.operatorframework.io.bundle.${name}"]`;

const old = (apiVersion: string, kind: string) => ({ apiVersion, kind, metadata: { name: 'old' } });

export const brokenVersions: readonly Broken[] = [
  {
    rule: 'csv-schema',
    breaks: ({ csv }) => csv.spec.installModes.push({ type: 'Everywhere', supported: false }),
    at: 'spec.installModes[2].type',
  },
  {
    rule: 'csv-name',
    breaks: ({ csv }) => (csv.metadata.name = 'Redis.v1.2.3'),
    at: 'metadata.name',
  },
  {
    rule: 'csv-name',
    breaks: ({ csv }) => (csv.metadata.name = `${'r'.repeat(60)}.v1.2.3`),
    at: 'metadata.name',
  },
  { rule: 'csv-replaces', breaks: ({ csv }) => (csv.spec.replaces = 'a b'), at: 'spec.replaces' },
  {
    rule: 'csv-api-version',
    breaks: ({ csv }) => (csv.apiVersion = 'operators.coreos.com/'),
    at: 'apiVersion',
  },
  {
    rule: 'csv-annotations',
    breaks: ({ csv }) => delete csv.metadata.annotations,
    at: 'metadata.annotations',
  },
  {
    rule: 'examples',
    breaks: ({ csv }) => delete csv.metadata.annotations['alm-examples'],
    at: examples,
  },
  {
    rule: 'examples-once',
    breaks: ({ csv }) => (csv.metadata.annotations['olm.examples'] = '[]'),
    at: annotation('olm.examples'),
  },
  {
    rule: 'examples-json',
    breaks: ({ csv }) => (csv.metadata.annotations['alm-examples'] = '[{'),
    at: examples,
  },
  {
    rule: 'examples-objects',
    breaks: ({ csv }) => (csv.metadata.annotations['alm-examples'] = '{}'),
    at: examples,
  },
  {
    rule: 'examples-objects',
    breaks: ({ csv }) => (csv.metadata.annotations['alm-examples'] = '[{"apiVersion":"v1"}]'),
    at: examples,
  },
  {
    rule: 'owned-name',
    breaks: ({ csv }) =>
      csv.spec.customresourcedefinitions.owned.push({
        name: 'redis',
        version: 'v1',
        kind: 'R',
        description: 'x',
        resources: [{ kind: 'Pod', name: '', version: 'v1' }],
      }),
    at: 'spec.customresourcedefinitions.owned[1].name',
    also: ['owned-definition'],
  },
  {
    rule: 'example-owned',
    breaks: ({ csv }) => {
      const [example] = JSON.parse(csv.metadata.annotations['alm-examples']);
      const other = { ...example, kind: 'Valkey' };
      csv.metadata.annotations['alm-examples'] = JSON.stringify([example, other]);
    },
    at: examples,
  },
  {
    rule: 'example-missing',
    breaks: ({ csv }) => (csv.metadata.annotations['alm-examples'] = '[]'),
    at: owned,
  },
  {
    rule: 'example-missing',
    breaks: ({ csv }) =>
      (csv.spec.apiservicedefinitions = {
        owned: [
          { group: 'a.example.com', version: 'v1', kind: 'A', name: 'as', deploymentName: 'd' },
        ],
      }),
    at: 'spec.apiservicedefinitions.owned[0]',
  },
  {
    rule: 'install-modes',
    breaks: ({ csv }) => (csv.spec.installModes = []),
    at: 'spec.installModes',
  },
  {
    rule: 'install-mode-supported',
    breaks: ({ csv }) => (csv.spec.installModes[0].supported = false),
    at: 'spec.installModes',
  },
  {
    rule: 'install-mode-unique',
    breaks: ({ csv }) => csv.spec.installModes.push({ type: 'OwnNamespace', supported: false }),
    at: 'spec.installModes[2].type',
  },
  {
    rule: 'install-mode-conversion',
    breaks: ({ csv }) => {
      csv.spec.installModes[1].supported = true;
      csv.spec.webhookdefinitions = [webhook];
    },
    at: 'spec.webhookdefinitions[0].conversionCRDs',
  },
  {
    rule: 'min-kube-version',
    breaks: ({ csv }) => delete csv.spec.minKubeVersion,
    at: 'spec.minKubeVersion',
  },
  {
    rule: 'min-kube-version-format',
    breaks: ({ csv }) => (csv.spec.minKubeVersion = '1.25'),
    at: 'spec.minKubeVersion',
  },
  {
    rule: 'required-field',
    breaks: ({ csv }) => (csv.spec.displayName = ''),
    at: 'spec.displayName',
  },
  {
    rule: 'required-field',
    breaks: ({ csv }) => delete csv.spec.install.strategy,
    at: 'spec.install.strategy',
  },
  {
    rule: 'required-field',
    breaks: ({ csv }) => (csv.spec.install.spec = { permissions: [] }),
    at: 'spec.install.spec.deployments',
    also: ['deployments'],
  },
  {
    rule: 'required-field',
    breaks: ({ csv }) => (csv.spec.install = { strategy: '', spec: {} }),
    at: 'spec.install',
    also: ['csv-schema', 'deployments'],
  },
  {
    rule: 'required-field',
    breaks: ({ csv }) => (csv.spec = { cleanup: { enabled: false } }),
    at: 'spec',
    also: [
      'csv-schema',
      'definition-owned',
      'deployments',
      'example-owned',
      'icon',
      'install-modes',
      'min-kube-version',
      'provider-name',
      'version',
    ],
  },
  {
    rule: 'required-field',
    breaks: ({ csv }) => (csv.metadata = {}),
    at: 'metadata',
    also: ['csv-annotations', 'csv-name', 'csv-name-convention', 'csv-name-version'],
  },
  {
    rule: 'annotation-case',
    breaks: ({ csv }) => (csv.metadata.annotations['olm.skiprange'] = '<1.0.0'),
    at: annotation('olm.skiprange'),
  },
  {
    rule: 'properties-annotation',
    breaks: ({ csv }) => (csv.metadata.annotations['olm.properties'] = '[]'),
    at: annotation('olm.properties'),
  },
  {
    rule: 'replaces-itself',
    breaks: ({ csv }) => (csv.spec.replaces = csv.metadata.name),
    at: 'spec.replaces',
  },
  {
    rule: 'skips-itself',
    breaks: ({ csv }) => (csv.spec.skips = ['redis-operator.v1.0.0', csv.metadata.name]),
    at: 'spec.skips[1]',
  },
  {
    rule: 'skip-range-itself',
    breaks: ({ csv }) => (csv.metadata.annotations['olm.skipRange'] = '>=1.0.0 <=1.2.3'),
    at: annotation('olm.skipRange'),
  },
  {
    rule: 'skip-range-format',
    breaks: ({ csv }) => (csv.metadata.annotations['olm.skipRange'] = 'before 1.2.3'),
    at: annotation('olm.skipRange'),
  },
  {
    rule: 'api-not-served',
    breaks: ({ csv, files }) => {
      csv.spec.minKubeVersion = '1.25.0';
      files['manifests/old.yaml'] = old('scheduling.k8s.io/v1alpha1', 'PriorityClass');
    },
    at: 'apiVersion',
  },
  {
    rule: 'unknown-field',
    breaks: ({ csv }) => (csv.spec.webhookdefinitions = [{ ...webhook, namespaceSelector: {} }]),
    at: 'spec.webhookdefinitions[0].namespaceSelector',
  },
  {
    rule: 'unknown-field',
    breaks: ({ csv }) => (csv.spec.MinKubeVersion = '1.25.0'),
    at: 'spec.MinKubeVersion',
  },
  {
    rule: 'unknown-field',
    breaks: ({ csv }) => (csv.spec.install.spec.deployments[0].spec.replica = 1),
    at: 'spec.install.spec.deployments[0].spec.replica',
  },
];

const webhook = {
  type: 'ConversionWebhook',
  generateName: 'redis.example.com',
  deploymentName: 'redis-operator',
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
  conversionCRDs: ['redis.cache.example.com'],
};

const version = (sample: Sample) => sample.crd.spec.versions[0];

export const brokenContents: readonly Broken[] = [
  { rule: 'owned-definition', breaks: (s) => (s.crd = undefined), at: owned },
  {
    rule: 'owned-definition',
    breaks: ({ csv }) =>
      csv.spec.customresourcedefinitions.owned.push(csv.spec.customresourcedefinitions.owned[0]),
    at: 'spec.customresourcedefinitions.owned[1]',
  },
  {
    rule: 'definition-owned',
    breaks: ({ files }) => {
      const other = definition();
      other.metadata.name = 'keys.cache.example.com';
      other.spec.names = { plural: 'keys', kind: 'Key' };
      files['manifests/keys.yaml'] = other;
    },
    at: 'spec.versions[0]',
  },
  {
    rule: 'definition-unique',
    breaks: ({ files }) => (files['manifests/z.yaml'] = definition()),
    at: 'spec.versions[0]',
  },
  {
    rule: 'service-account',
    breaks: ({ files }) =>
      (files['manifests/account.yaml'] = {
        apiVersion: 'v1',
        kind: 'ServiceAccount',
        metadata: { name: 'redis-operator' },
      }),
    at: 'metadata.name',
  },
  {
    rule: 'compressed-size',
    breaks: ({ files }) => (files['tests/noise.txt'] = noise(1_100_000)),
    at: '',
  },
  {
    rule: 'compressed-size-near',
    breaks: ({ files }) => (files['tests/noise.txt'] = noise(950_000)),
    at: '',
  },
  {
    rule: 'related-image',
    breaks: ({ csv }) => (csv.spec.relatedImages[0].image = 'quay.io/Example/redis'),
    at: 'spec.relatedImages[0].image',
  },
  { rule: 'release-name', breaks: ({ csv }) => (csv.spec.release = '2'), at: 'metadata.name' },
  {
    rule: 'definition-group',
    breaks: ({ csv, crd }) => {
      crd.spec.group = 'example';
      crd.metadata.name = 'redis.example';
      csv.spec.customresourcedefinitions.owned[0].name = 'redis.example';
      const [example] = JSON.parse(csv.metadata.annotations['alm-examples']);
      const moved = [{ ...example, apiVersion: 'example/v1' }];
      csv.metadata.annotations['alm-examples'] = JSON.stringify(moved);
    },
    at: 'spec.group',
  },
  {
    rule: 'definition-name',
    breaks: ({ crd }) => (crd.metadata.name = 'redis'),
    at: 'metadata.name',
  },
  {
    rule: 'definition-namespace',
    breaks: ({ crd }) => (crd.metadata.namespace = 'x'),
    at: 'metadata.namespace',
  },
  { rule: 'definition-scope', breaks: ({ crd }) => (crd.spec.scope = 'Global'), at: 'spec.scope' },
  {
    rule: 'definition-storage-version',
    breaks: (s) => (version(s).storage = false),
    at: 'spec.versions',
  },
  {
    rule: 'definition-preserve-unknown-fields',
    breaks: ({ crd }) => (crd.spec.preserveUnknownFields = true),
    at: 'spec.preserveUnknownFields',
  },
  {
    rule: 'definition-column-type',
    breaks: (s) =>
      (version(s).additionalPrinterColumns = [{ name: 'A', type: 'text', jsonPath: '.a' }]),
    at: 'spec.versions[0].additionalPrinterColumns[0].type',
  },
  {
    rule: 'definition-conversion-client',
    breaks: ({ crd }) =>
      (crd.spec.conversion = {
        strategy: 'Webhook',
        webhook: { conversionReviewVersions: ['v1'] },
      }),
    at: 'spec.conversion.webhook.clientConfig',
  },
];

/** Returns a base64 text of this size that gzip cannot compress. */
export function noise(size: number): string {
  let state = 1;
  let text = '';
  // Six of the eight bits of a character are random: compression saves a quarter, and base64 adds a third.
  while (text.length < size) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    text += 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'[state >>> 26];
  }
  return text;
}

export const brokenHub: readonly Broken[] = [
  {
    rule: 'provider-name',
    breaks: ({ csv }) => (csv.spec.provider.name = ' '),
    at: 'spec.provider.name',
  },
  {
    rule: 'maintainer',
    breaks: ({ csv }) => delete csv.spec.maintainers[0].name,
    at: 'spec.maintainers[0]',
  },
  {
    rule: 'maintainer',
    breaks: ({ csv }) => delete csv.spec.maintainers[0].email,
    at: 'spec.maintainers[0]',
  },
  {
    rule: 'maintainer-email',
    breaks: ({ csv }) => (csv.spec.maintainers[0].email = 'jo at example.com'),
    at: 'spec.maintainers[0].email',
  },
  { rule: 'link', breaks: ({ csv }) => delete csv.spec.links[0].url, at: 'spec.links[0]' },
  { rule: 'link', breaks: ({ csv }) => delete csv.spec.links[0].name, at: 'spec.links[0]' },
  {
    rule: 'link-url',
    breaks: ({ csv }) => (csv.spec.links[0].url = 'example.com'),
    at: 'spec.links[0].url',
  },
  { rule: 'version', breaks: ({ csv }) => delete csv.spec.version, at: 'spec.version' },
  { rule: 'version', breaks: ({ csv }) => (csv.spec.version = '0.0.0+1'), at: 'spec.version' },
  { rule: 'icon', breaks: ({ csv }) => delete csv.spec.icon, at: 'spec.icon' },
  { rule: 'icon-one', breaks: ({ csv }) => csv.spec.icon.push(csv.spec.icon[0]), at: 'spec.icon' },
  { rule: 'icon-one', breaks: ({ csv }) => (csv.spec.icon = []), at: 'spec.icon' },
  {
    rule: 'icon-content',
    breaks: ({ csv }) => (csv.spec.icon[0].base64data = ''),
    at: 'spec.icon[0]',
  },
  {
    rule: 'icon-content',
    breaks: ({ csv }) => delete csv.spec.icon[0].mediatype,
    at: 'spec.icon[0]',
    also: ['csv-schema'],
  },
  {
    rule: 'icon-media-type',
    breaks: ({ csv }) => (csv.spec.icon[0].mediatype = 'image/webp'),
    at: 'spec.icon[0].mediatype',
  },
  {
    rule: 'capabilities',
    breaks: ({ csv }) => (csv.metadata.annotations['capabilities'] = 'Full lifecycle'),
    at: 'metadata.annotations.capabilities',
  },
  {
    rule: 'categories',
    breaks: ({ csv }) => (csv.metadata.annotations['categories'] = 'Database, Cooking'),
    at: 'metadata.annotations.categories',
  },
  {
    rule: 'removed-api',
    breaks: ({ files }) =>
      (files['manifests/old.yaml'] = old('policy/v1beta1', 'PodDisruptionBudget')),
    at: 'apiVersion',
  },
  {
    rule: 'removed-api',
    breaks: ({ csv }) =>
      csv.spec.customresourcedefinitions.owned[0].resources.push({
        kind: 'CronJob',
        name: '',
        version: 'batch/v1beta1',
      }),
    at: `${owned}.resources[1]`,
  },
  {
    rule: 'removed-api',
    breaks: (sample) => (sample.crd = betaDefinition()),
    at: 'apiVersion',
    also: ['openshift-label-unchecked', 'openshift-maximum'],
  },
  {
    rule: 'removed-api-later',
    breaks: ({ files }) =>
      (files['manifests/old.yaml'] = old('autoscaling/v2beta2', 'HorizontalPodAutoscaler')),
    at: 'apiVersion',
    also: ['kind'],
  },
  {
    rule: 'removed-api-later',
    breaks: ({ csv }) =>
      csv.spec.install.spec.clusterPermissions[0].rules.push({
        apiGroups: ['policy'],
        resources: ['podsecuritypolicies'],
        verbs: ['use'],
      }),
    at: 'spec.install.spec.clusterPermissions[0].rules[1]',
  },
  {
    rule: 'min-kube-version-removed',
    breaks: ({ csv }) => (csv.spec.minKubeVersion = 'latest'),
    at: 'spec.minKubeVersion',
    also: ['min-kube-version-format'],
  },
  {
    rule: 'openshift-maximum',
    breaks: ({ files }) =>
      (files['manifests/old.yaml'] = old('rbac.authorization.k8s.io/v1beta1', 'Role')),
    at: annotation('olm.properties'),
    also: ['openshift-label-unchecked', 'removed-api'],
  },
  {
    rule: 'openshift-maximum',
    breaks: ({ csv, files }) => {
      files['manifests/old.yaml'] = old('rbac.authorization.k8s.io/v1beta1', 'Role');
      csv.metadata.annotations['olm.properties'] =
        '[{"type":"olm.other","value":"4.8"},{"type":"olm.maxOpenShiftVersion","value":"4.9"}]';
    },
    at: annotation('olm.properties'),
    also: ['openshift-label-unchecked', 'properties-annotation', 'removed-api'],
  },
  {
    rule: 'openshift-maximum-patch',
    breaks: ({ csv, files }) => {
      files['manifests/old.yaml'] = old('rbac.authorization.k8s.io/v1beta1', 'Role');
      csv.metadata.annotations['olm.properties'] =
        '[{"type":"olm.maxOpenShiftVersion","value":"4.8.1"}]';
    },
    at: annotation('olm.properties'),
    also: ['openshift-label-unchecked', 'properties-annotation', 'removed-api'],
  },
];

export const brokenOthers: readonly Broken[] = [
  {
    rule: 'budget-max-unavailable',
    breaks: ({ files }) => (files['manifests/b.yaml'] = budget({ maxUnavailable: 0 })),
    at: 'spec.maxUnavailable',
  },
  {
    rule: 'budget-max-unavailable',
    breaks: ({ files }) => (files['manifests/b.yaml'] = budget({ maxUnavailable: '0%' })),
    at: 'spec.maxUnavailable',
  },
  {
    rule: 'budget-min-available',
    breaks: ({ files }) => (files['manifests/b.yaml'] = budget({ minAvailable: '100%' })),
    at: 'spec.minAvailable',
  },
  {
    rule: 'priority-class-default',
    breaks: ({ files }) =>
      (files['manifests/p.yaml'] = {
        ...old('scheduling.k8s.io/v1', 'PriorityClass'),
        globalDefault: true,
      }),
    at: 'globalDefault',
  },
  {
    rule: 'budget-rights',
    breaks: ({ files }) => (files['manifests/r.yaml'] = role('policy', 'poddisruptionbudgets', [])),
    at: 'rules[0]',
  },
  ...['create', 'patch', '*'].map((verb) => ({
    rule: 'budget-rights',
    breaks: ({ files }: Sample) =>
      (files['manifests/r.yaml'] = role('policy', 'poddisruptionbudgets', [], {
        kind: 'Role',
        verbs: ['get', verb],
      })),
    at: 'rules[0]',
  })),
  {
    rule: 'security-constraint-rights',
    breaks: ({ files }) =>
      (files['manifests/r.yaml'] = role('security.openshift.io', 'securitycontextconstraints', [
        'anyuid',
      ])),
    at: 'rules[0]',
  },
  {
    rule: 'security-constraint-rights',
    breaks: ({ files }) =>
      (files['manifests/r.yaml'] = role('security.openshift.io', 'securitycontextconstraints', [
        'redis',
        'anyuid',
      ])),
    at: 'rules[0]',
  },
  {
    rule: 'deployments',
    breaks: ({ csv }) => delete csv.spec.install.spec.deployments,
    at: 'spec.install.spec.deployments',
    also: ['required-field'],
  },
  {
    rule: 'resource-requests',
    breaks: ({ csv }) =>
      delete csv.spec.install.spec.deployments[0].spec.template.spec.containers[0].resources
        .requests,
    at: 'spec.install.spec.deployments[0].spec.template.spec.containers[0].resources',
  },
  {
    rule: 'csv-name-version',
    breaks: ({ csv }) => (csv.metadata.name = 'redis-operator.v1.2'),
    at: 'metadata.name',
  },
  {
    rule: 'csv-name-version',
    breaks: ({ csv }) => (csv.metadata.name = 'redis-operator.v1.02.3'),
    at: 'metadata.name',
  },
  {
    rule: 'csv-name-convention',
    breaks: ({ csv }) => (csv.metadata.name = 'redis-operator-1.2.3'),
    at: 'metadata.name',
  },
  {
    rule: 'channel-name',
    breaks: ({ annotations }) => (annotations['channels.v1'] = 'stable,alpha'),
    at: bundleAnnotation('channels.v1'),
  },
  {
    rule: 'channel-name',
    breaks: ({ annotations }) => (annotations['channels.v1'] = 'unstable'),
    at: bundleAnnotation('channels.v1'),
  },
  {
    rule: 'definition-description',
    breaks: ({ csv }) => delete csv.spec.customresourcedefinitions.owned[0].description,
    at: owned,
  },
  {
    rule: 'definition-rights',
    breaks: ({ csv }) =>
      csv.spec.install.spec.clusterPermissions[0].rules.push({
        apiGroups: ['apiextensions.k8s.io'],
        resources: ['customresourcedefinitions'],
        verbs: ['create'],
      }),
    at: 'spec.install.spec.clusterPermissions[0].rules[1]',
  },
  {
    rule: 'permissions-everywhere',
    breaks: ({ csv }) => {
      const rules = [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }];
      csv.spec.install.spec.permissions = [{ serviceAccountName: 'redis-operator', rules }];
    },
    at: 'spec.install.spec.permissions[0].rules[0]',
  },
  {
    rule: 'resource-names',
    breaks: ({ csv }) =>
      csv.spec.install.spec.clusterPermissions[0].rules.push({
        apiGroups: [''],
        resources: ['configmaps'],
        verbs: ['get', 'create'],
        resourceNames: ['redis-settings'],
      }),
    at: 'spec.install.spec.clusterPermissions[0].rules[1]',
  },
  { rule: 'example-spec', breaks: changeExample((one) => delete one.spec), at: examples },
  { rule: 'example-schema', breaks: changeExample((one) => (one.status.old = 1)), at: examples },
  {
    rule: 'owned-resources',
    breaks: ({ csv }) => (csv.spec.customresourcedefinitions.owned[0].resources = []),
    at: owned,
  },
  {
    rule: 'spec-descriptors',
    breaks: ({ csv }) => delete csv.spec.customresourcedefinitions.owned[0].specDescriptors,
    at: owned,
  },
  {
    rule: 'spec-descriptors',
    breaks: (sample) => {
      const [{ schema }] = sample.crd.spec.versions;
      schema.openAPIV3Schema.properties.spec.properties.size = { type: 'integer' };
      changeExample((one) => (one.spec.size = 1))(sample);
    },
    at: owned,
  },
  {
    rule: 'spec-descriptors',
    breaks: (sample) => {
      const second = ({ versions: [first], ...rest }: Free): Free => ({
        ...rest,
        versions: [first, { ...first, name: 'v2', storage: false }],
      });
      sample.crd.spec = second(sample.crd.spec);
      const { owned: all } = sample.csv.spec.customresourcedefinitions;
      all.push({ ...all[0], version: 'v2', specDescriptors: [] });
      const list = JSON.parse(sample.csv.metadata.annotations['alm-examples']);
      list.push({ ...list[0], apiVersion: 'cache.example.com/v2' });
      sample.csv.metadata.annotations['alm-examples'] = JSON.stringify(list);
    },
    at: 'spec.customresourcedefinitions.owned[1]',
  },
  {
    rule: 'example-schema',
    breaks: (sample) => {
      const [first] = sample.crd.spec.versions;
      sample.crd.spec.versions.push({ ...structuredClone(first), name: 'v2', storage: false });
      first.schema.openAPIV3Schema.properties.spec.properties = {};
    },
    at: examples,
  },
  {
    rule: 'status-descriptors',
    breaks: ({ csv }) => delete csv.spec.customresourcedefinitions.owned[0].statusDescriptors,
    at: owned,
  },
  ...['mediatype.v1', 'manifests.v1', 'metadata.v1', 'package.v1', 'channels.v1'].map((name) => ({
    rule: 'annotation-missing',
    breaks: ({ annotations }: Sample) => delete annotations[name],
    at: 'annotations',
  })),
  {
    rule: 'annotation-media-type',
    breaks: ({ annotations }) => (annotations['mediatype.v1'] = 'plain+v0'),
    at: bundleAnnotation('mediatype.v1'),
  },
  {
    rule: 'annotation-missing',
    breaks: ({ files }) => (files['metadata/annotations.yaml'] = undefined),
    at: '',
  },
  ...['manifests.v1', 'metadata.v1'].map((name) => ({
    rule: 'annotation-folders',
    breaks: ({ annotations }: Sample) => (annotations[name] = 'meta/'),
    at: bundleAnnotation(name),
  })),
  ...['package.v1', 'channels.v1', 'channel.default.v1'].map((name) => ({
    rule: 'annotation-empty',
    breaks: ({ annotations }: Sample) => (annotations[name] = ''),
    at: bundleAnnotation(name),
  })),
  {
    rule: 'dockerfile-label',
    breaks: ({ files }) => (files['bundle.Dockerfile'] = dockerfile),
    at: '',
  },
  dependency('olm.gvk', { group: 'a.b', kind: 'C' }),
  dependency('olm.crd', { group: 'a.b', kind: 'C' }),
  dependency('olm.label', 'lts'),
  dependency('olm.package', { packageName: 'etcd', version: '' }),
  dependency('olm.package', { packageName: 'etcd', version: 'latest' }),
  dependency('olm.constraint', 'x'),
  dependency('olm.constraint', { failureMesage: 'x', cel: { rule: 'true' } }),
  dependency('olm.constraint', { cel: { rule: '' } }),
  dependency('olm.constraint', { cel: 'true' }),
  dependency('olm.constraint', { gvk: { group: 'a.b', kind: 'C' } }),
  dependency('olm.constraint', { package: { packageName: 'etcd', versionRange: '1.x.y' } }),
  dependency('olm.constraint', { any: { constraints: [] } }),
  dependency('olm.constraint', {
    any: { constraints: [{ cel: { rule: 'true' } }, { cel: { rule: '' } }] },
  }),
  dependency('olm.constraint', {
    all: { constraints: [{ not: { constraints: [{ package: { packageName: 'etcd' } }] } }] },
  }),
  dependency('olm.constraint', { failureMessage: 'x' }),
  dependency('olm.constraint', { failureMessage: 'x', cel: {}, all: {} }),
  dependency('olm.constraint', {
    cel: { rule: 'true' },
    package: { packageName: 'etcd', versionRange: '>=1.0.0' },
  }),
  condition('dependencies', { cel: { rule: 'properties' } }, 'cel.rule'),
  condition('dependencies', { cel: { rule: '"a".lowerAscii() == "a"' } }, 'cel.rule'),
  condition('properties', { failureMessage: 'x', cel: { rule: 'self == 1' } }, 'cel.rule'),
  ...['all', 'any', 'not'].map((kind) =>
    condition(
      'dependencies',
      { [kind]: { constraints: [{ cel: { rule: 'true' } }, { cel: { rule: '1 <' } }] } },
      `${kind}.constraints[1].cel.rule`,
    ),
  ),
  {
    rule: 'kind',
    breaks: ({ files }) => (files['manifests/d.yaml'] = old('apps/v1', 'Deployment')),
    at: 'kind',
  },
  {
    rule: 'document-unread',
    breaks: ({ files }) => {
      const [one, two] = [old('v1', 'ConfigMap'), old('v1', 'Secret')].map((o) =>
        JSON.stringify(o),
      );
      files['manifests/two.yaml'] = `${one}\n---\n${two}\n`;
    },
    at: '',
  },
];

const dockerfile = [
  'mediatype.v1=registry+v1',
  'manifests.v1=manifests/',
  'metadata.v1=metadata/',
  'package.v1=redis-operator',
  'channels.v1=stable',
  'channel.default.v1=alpha',
]
  .map((label) => `LABEL operators.operatorframework.io.bundle.${label}`)
  .join('\n');

function budget(spec: Record<string, unknown>) {
  return { ...old('policy/v1', 'PodDisruptionBudget'), spec };
}

function role(
  group: string,
  resource: string,
  resourceNames: readonly string[],
  { kind = 'ClusterRole', verbs = ['update'] } = {},
) {
  const rule = { apiGroups: [group], resources: [resource], resourceNames, verbs };
  return { ...old('rbac.authorization.k8s.io/v1', kind), rules: [rule] };
}

function dependency(type: string, value: unknown): Broken {
  return {
    rule: 'dependency',
    breaks: ({ files }) =>
      (files['metadata/dependencies.yaml'] = { dependencies: [{ type, value }] }),
    at: 'dependencies[0]',
  };
}

function condition(field: 'dependencies' | 'properties', value: unknown, at: string): Broken {
  return {
    rule: 'constraint-cel',
    breaks: ({ files }) =>
      (files[`metadata/${field}.yaml`] = { [field]: [{ type: 'olm.constraint', value }] }),
    at: `${field}[0].value.${at}`,
  };
}

// oxlint-disable-next-line typescript/no-explicit-any
function changeExample(change: (example: any) => void): Broken['breaks'] {
  return ({ csv }) => {
    const list = JSON.parse(csv.metadata.annotations['alm-examples']);
    change(list[0]);
    csv.metadata.annotations['alm-examples'] = JSON.stringify(list);
  };
}

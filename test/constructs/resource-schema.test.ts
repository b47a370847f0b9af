import { expect, test } from '@jest/globals';
import { readDefinition } from '@tenantry/crd/read-definition';
import type { PlatformSpec } from '../../crds/platform.ts';
import type { ResourcePreset } from '../../crds/resources.ts';
import type { TenantClassSpec } from '../../crds/tenant-class.ts';
import { Fleet } from '../../model/fleet.ts';
import { applyPlatformDefaults } from '../../model/platform.ts';
import { formatPath } from '@tenantry/kube/problem';
import { desiredOf, collectFindings, type Given } from './given.ts';

type Fields = Readonly<Record<string, unknown>>;

const definition = readDefinition({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'feeds.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { kind: 'Feed', plural: 'feeds', singular: 'feed', listKind: 'FeedList' },
    versions: ['v1', 'v1beta1', 'v1alpha1'].map((name) => ({
      name,
      served: name !== 'v1alpha1',
      storage: name === 'v1',
      schema: {
        openAPIV3Schema: {
          type: 'object',
          properties: {
            spec: {
              type: 'object',
              required: ['region'],
              properties: {
                region: { type: 'string', enum: ['eu', 'us'] },
                least: { type: 'integer', default: 1 },
                most: { type: 'integer' },
                many: { type: 'integer' },
                note: { type: 'string', nullable: true },
              },
              'x-kubernetes-validations': [
                { rule: '!has(self.most) || self.least <= self.most', message: 'must be in order' },
                { rule: '!has(self.many) || lists.range(self.many).size() > 0' },
              ],
            },
          },
        },
      },
    })),
  },
});
const feed = { group: 'example.com', kind: 'Feed', digest: '', read: () => definition };

const platform: PlatformSpec = {
  kinds: [
    { group: 'example.com', kind: 'Feed', scope: 'Namespaced' },
    { group: 'example.com', kind: 'Widget', scope: 'Namespaced' },
  ],
};

const object = (type: string, fields: Fields = {}, metadata: Fields = {}) => {
  const [kind = '', ...version] = type.split('/').toReversed();
  const apiVersion = version.toReversed().join('/');
  return { apiVersion, kind, metadata: { name: 'x', ...metadata }, ...fields };
};

const given = (manifest: unknown, more: PlatformSpec = {}, klass: TenantClassSpec = {}): Given => ({
  platform: { ...platform, ...more },
  definitions: [feed],
  klass,
  tenant: { resources: [{ manifest: manifest as never }] },
});

/** Returns the findings of an object, without the path of the object in the tenant. */
const validateManifest = (...of: Parameters<typeof given>): string[] =>
  collectFindings(given(...of)).map((text) => text.replace('spec.resources[0].manifest.', ''));

test('an unknown field of a built-in kind is refused with a suggestion', () => {
  expect(validateManifest(object('v1/ConfigMap', { dta: { a: 'b' } }))).toEqual([
    "dta must be a known field, got 'dta'; did you mean 'data'?",
  ]);
  const spec = { template: { spec: { containers: [{ name: 'a', imag: 'b' }] } } };
  expect(validateManifest(object('apps/v1/Deployment', { spec }))).toEqual([
    "spec.template.spec.containers[0].imag must be a known field, got 'imag'; did you mean 'image'?",
  ]);
});

test('of many unknown fields, the first are reported with the number of the others', () => {
  expect(validateManifest(object('v1/Pod', { spec: { x: 1 } }))).toEqual([
    expect.stringMatching(/^spec\.x must be a known field, got 'x'; known: active.* and \d+ more$/),
  ]);
});

test('the position of an unknown field is that of its key', () => {
  const [finding] = desiredOf(given(object('v1/ConfigMap', { dta: {} }))).findings;
  expect(finding).toMatchObject({ atKey: true, rule: 'resource-schema', severity: 'error' });
});

test('a value of a wrong type is refused, and null is accepted', () => {
  expect(
    validateManifest(object('v1/ConfigMap', { data: { a: 1, b: null }, immutable: null })),
  ).toEqual(['data.a must be a string, got 1']);
  const spec = { ports: [{ port: '80', targetPort: 'web' }], selector: null };
  expect(validateManifest(object('v1/Service', { spec }))).toEqual([
    "spec.ports[0].port must be a whole number, got '80'",
  ]);
});

test('undefined fields are absent', () => {
  const fields = { data: { a: undefined }, immutable: undefined, binaryData: undefined };
  expect(validateManifest(object('v1/ConfigMap', { ...fields, dta: undefined }))).toEqual([]);
});

test('required fields and ranges of values are left to the API server', () => {
  expect(validateManifest(object('apps/v1/Deployment', { spec: { replicas: -1 } }))).toEqual([]);
  expect(
    validateManifest(object('v1/Service', { spec: { ports: [{ port: 99_999, protocol: 'X' }] } })),
  ).toEqual([]);
});

const twice = { containers: [{ name: 'a', env: [{ name: 'A' }, { name: 'A' }] }] };

test('a list that server-side apply would refuse is refused, and so is what cannot be parsed', () => {
  const spec = { template: { spec: twice }, replicas: 'x' };
  expect(validateManifest(object('apps/v1/Deployment', { spec }))).toEqual([
    "spec.replicas must be a whole number, got 'x'",
    "spec.template.spec.containers[0].env[1].name must be unique in the list, got 'A' again (first at [0])",
  ]);
  const ports = [{ port: 80, name: 'a' }, { port: 80, name: 'b', protocol: 'TCP' }, null];
  expect(validateManifest(object('v1/Service', { spec: { ports } }))).toEqual([
    "spec.ports[1].port must be unique in the list, got port 80 and protocol 'TCP' again (first at [0])",
    'spec.ports[2] must be a mapping with port or protocol, got null',
  ]);
});

test('an unknown apiVersion of a built-in group is refused with the known versions', () => {
  expect(validateManifest(object('apps/v1alpha1/Deployment', { spec: { x: 1 } }))).toEqual([
    "apiVersion must be apps/v1, as Kubernetes 1.36 has Deployment, got 'apps/v1alpha1'",
  ]);
  expect(validateManifest(object('autoscaling/v3/HorizontalPodAutoscaler'))).toEqual([
    "apiVersion must be autoscaling/v2 or autoscaling/v1, as Kubernetes 1.36 has HorizontalPodAutoscaler, got 'autoscaling/v3'",
  ]);
  const declared = { clusters: [{ name: 'eu', kubernetesVersion: '1.36' }] };
  for (const clusters of [declared, {}]) {
    expect(
      validateManifest(object('apps/v1beta1/Deployment', { spec: { x: 1 } }), clusters),
    ).toEqual([
      "apiVersion must be apps/v1, got 'apps/v1beta1', which Kubernetes 1.36 no longer serves",
    ]);
    expect(validateManifest(object('extensions/v1beta1/Ingress'), clusters)).toEqual([
      "apiVersion must be networking.k8s.io/v1, got 'extensions/v1beta1', which Kubernetes 1.36 no longer serves",
    ]);
    expect(validateManifest(object('policy/v1beta1/PodDisruptionBudget'), clusters)).toEqual([
      expect.stringMatching(/^kind must not be a PodDisruptionBudget: declare it in /),
    ]);
  }
  const old = { clusters: [{ name: 'eu', kubernetesVersion: '1.21' }] };
  expect(validateManifest(object('extensions/v1beta1/Ingress'), old)).toEqual([
    expect.stringMatching(/^kind must be a kind whose scope is known, got 'Ingress\.extensions'/),
  ]);
});

test('an apiVersion that only older clusters serve is accepted with a warning, without schema validation', () => {
  const scaler = object('autoscaling/v2beta2/HorizontalPodAutoscaler', { x: 1 });
  const cluster = (name: string, kubernetesVersion?: string) => ({
    name,
    ...(kubernetesVersion !== undefined && { kubernetesVersion }),
  });
  expect(validateManifest(scaler, { clusters: [cluster('old', '1.25')] })).toEqual([
    "warning apiVersion must be autoscaling/v2 or autoscaling/v1 to be validated against a schema, got 'autoscaling/v2beta2', which Kubernetes 1.36 no longer serves",
  ]);
  const both = { clusters: [cluster('old', '1.25'), cluster('other')] };
  const everywhere = { ...given(scaler, both).tenant, clusters: ['old', 'other'] };
  expect(collectFindings({ ...given(scaler, both), tenant: everywhere })).toEqual([
    expect.stringMatching(/^warning .* to be validated against a schema/),
    expect.stringMatching(/^spec\..*, which Kubernetes 1\.36 no longer serves$/),
  ]);
});

test('for a newer cluster, an unknown field is a warning, and so is an unknown version; a wrong type is an error', () => {
  const on = (manifest: unknown, ...minors: string[]) => {
    const clusters = minors.map((kubernetesVersion, i) => ({ name: `c${i}`, kubernetesVersion }));
    const world = given(manifest, { clusters });
    const names = clusters.map(({ name }) => name);
    return collectFindings({ ...world, tenant: { ...world.tenant, clusters: names } });
  };
  const unknown = object('v1/ConfigMap', { dta: {}, immutable: 'x' });
  const refused = expect.stringMatching(/^spec\S+ must be a known field, got 'dta'; did .*'\?$/);
  const mistyped = expect.stringMatching(/^spec\S+ must be true or false, got 'x'$/);
  const warned = expect.stringMatching(
    /^warning .*; Kubernetes 1\.36 does not know it, 1\.37 may$/,
  );
  expect(on(unknown, '1.36')).toEqual([refused, mistyped]);
  expect(on(unknown, '1.37')).toEqual([warned, mistyped]);
  expect(on(unknown, '1.37', '1.35')).toEqual([warned, mistyped, refused]);
  expect(on(object('apps/v2/Deployment'), '1.37')).toEqual([warned]);
  expect(on(object('apps/v2/Deployment'), '1.9')).toEqual([expect.stringMatching(/^spec/)]);
});

test('an object of a defined kind is validated by the definition, with its rules and its defaults', () => {
  const refusals: [Fields, string[]][] = [
    [{ region: 'eu', note: null }, []],
    [{ regon: 'eu' }, ["regon must be a known field, got 'regon'; did you mean 'region'?"]],
    [
      { colour: 'eu' },
      [
        'region must be one of eu, us, got nothing',
        "colour must be a known field, got 'colour'; known: region, least, most, many, note",
      ],
    ],
    [{ region: 'eu', most: '3' }, ["most must be a whole number, got '3'"]],
    [{ region: 'x' }, ["region must be one of eu, us, got 'x'"]],
  ];
  for (const [spec, words] of refusals) {
    expect(validateManifest(object('example.com/v1/Feed', { spec }))).toEqual(
      words.map((word) => `spec.${word}`),
    );
  }
  expect(
    validateManifest(object('example.com/v1beta1/Feed', { spec: { region: 'eu', most: 0 } })),
  ).toEqual(['spec must be in order']);
});

test('what only the API server can validate is a warning', () => {
  const spec = { region: 'eu', many: 950_000 };
  expect(validateManifest(object('example.com/v1/Feed', { spec }))).toEqual([
    expect.stringMatching(/^warning spec the rule .* was not evaluated: it makes a list /),
  ]);
});

test('an object whose rules cost more than the API server allows is refused', () => {
  for (const [many, reason] of [
    [2_000_000, 'call cost exceeds limit for rule: '],
    [100_000_000, 'validation failed due to running out of cost budget'],
  ] as const) {
    expect(
      validateManifest(object('example.com/v1/Feed', { spec: { region: 'eu', many } })),
    ).toEqual([expect.stringContaining(`spec ${many < 1e7 ? "'operation cancelled" : reason}`)]);
  }
});

test('a version that the definition does not serve is refused with the served versions', () => {
  for (const version of ['v9', 'v1alpha1']) {
    expect(validateManifest(object(`example.com/${version}/Feed`, { spec: {} }))).toEqual([
      `apiVersion must be example.com/v1 or example.com/v1beta1, got 'example.com/${version}'`,
    ]);
  }
});

test('a kind without a definition is not validated', () => {
  expect(validateManifest(object('example.com/v9/Widget', { spec: { regon: 1 } }))).toEqual([]);
});

test('what another rule refuses is not reported again', () => {
  expect(
    validateManifest(object('v1/ConfigMap', {}, { labels: { a: 1 }, finalizers: 'x' })),
  ).toEqual([
    'metadata.finalizers must be left out: only name, namespace, labels, annotations may be declared',
    'metadata.labels.a must be a string, got 1',
  ]);
  expect(validateManifest(object('v1/Secret', { data: 5, typ: 'x' }))).toEqual([
    'data must not hold Secret data: Git keeps it forever; use an external secret',
    "typ must be a known field, got 'typ'; did you mean 'type'?",
  ]);
  expect(validateManifest(object('policy/v1beta1/PodDisruptionBudget', { x: 1 }))).toHaveLength(1);
  expect(validateManifest(object('v1/Namespace', { x: 1 }))).toHaveLength(1);
});

test('with resourceSchemas Warn, violations are warnings', () => {
  const manifest = object('v1/ConfigMap', { dta: {}, data: [] });
  const lenient = { resourceSchemas: 'Warn' } as const;
  expect(validateManifest(manifest, lenient)).toEqual([
    "warning dta must be a known field, got 'dta'; did you mean 'data'?",
    'warning data must be a mapping, got an empty list',
  ]);
  expect(validateManifest(object('v1/Pod', { spec: twice }), lenient)).toEqual([
    "warning spec.containers[0].env[1].name must be unique in the list, got 'A' again (first at [0])",
  ]);
  expect(validateManifest(object('example.com/v9/Feed'), lenient)).toEqual([
    expect.stringMatching(/^warning apiVersion must be /),
  ]);
  expect(desiredOf(given(manifest, lenient)).namespaces).toHaveLength(1);
});

const site = (more: Fields, ...manifests: Fields[]): ResourcePreset => ({
  name: 'site',
  parameters: {
    type: 'object',
    required: ['name'],
    properties: {
      name: { type: 'string' },
      text: { type: 'string' },
      least: { type: 'integer' },
      most: { type: 'integer' },
      key: { type: 'string', default: 'region' },
      any: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    },
  },
  manifests: [object('v1/ConfigMap', more, { name: '{name}' }), ...manifests],
});

/** Returns the findings of a class with a preset, and those of a tenant that uses it. */
function ofPreset(preset: ResourcePreset, values: Fields, more: PlatformSpec = {}) {
  const fleet = new Fleet(applyPlatformDefaults({ ...platform, ...more }, [feed]));
  const klass = { name: 'standard', spec: { presets: { resources: [preset] } } };
  const words = ({
    path,
    message,
    severity,
  }: {
    path: readonly (string | number)[];
    message: string;
    severity: string;
  }) => `${severity === 'error' ? '' : 'warning '}${formatPath(path)} ${message}`;
  const ofClass = fleet.classes
    .add(klass, { isReported: true })
    .filter(({ rule }) => rule !== 'unused-parameter')
    .map(words)
    .map((text) => text.replace('spec.presets.resources[0].manifests', ''));
  const resources = [{ preset: 'site', values: { name: 'x', ...values } }];
  const tenant = { name: 'acme', spec: { className: 'standard', resources } };
  const ofTenant = fleet
    .add(tenant, 'a.yaml')
    .findings.filter((one) => !fleet.classes.isReported(tenant, one))
    .map(words)
    .map((text) => text.replace('spec.resources[0].', ''));
  return { ofClass, ofTenant };
}

test('an error that does not depend on values is reported once, at the class', () => {
  expect(ofPreset(site({ dta: { a: '{text}' } }), { text: 'x' })).toEqual({
    ofClass: ["[0].dta must be a known field, got 'dta'; did you mean 'data'?"],
    ofTenant: [],
  });
  expect(ofPreset(site({ dta: '{text}' }), { text: 'x' })).toEqual({
    ofClass: ["[0].dta must be a known field, got 'dta'; did you mean 'data'?"],
    ofTenant: [],
  });
  expect(ofPreset(site({ data: { a: 1, b: '{text}' } }), { text: 'x' })).toEqual({
    ofClass: ['[0].data.a must be a string, got 1'],
    ofTenant: [],
  });
  expect(ofPreset(site({ immutable: 'is {name}' }), {})).toEqual({
    ofClass: ["[0].immutable must be true or false, got 'is {name}'"],
    ofTenant: [],
  });
  expect(ofPreset(site({}, object('example.com/v9/Feed', { spec: '{any}' })), {})).toEqual({
    ofClass: ["[1].apiVersion must be example.com/v1 or example.com/v1beta1, got 'example.com/v9'"],
    ofTenant: [],
  });
});

test('an error that depends on a value is reported at the value', () => {
  const { ofClass, ofTenant } = ofPreset(site({ immutable: '{text}', data: '{any}' }), {
    text: 'x',
    any: { a: 1 },
  });
  expect(ofClass).toEqual([]);
  expect(ofTenant).toEqual([
    "values.text must be true or false, got 'x' (immutable of the ConfigMap of preset site)",
    'values.any.a must be a string, got 1 (data.a of the ConfigMap of preset site)',
  ]);
});

test('an error that depends on several values, or on an absent one, is reported at the use', () => {
  const order = (spec: Fields) => site({}, object('example.com/v1/Feed', { spec }));
  const both = order({ region: 'eu', least: '{least}', most: '{most}' });
  expect(ofPreset(both, { least: 3, most: 2 })).toEqual({
    ofClass: [],
    ofTenant: ['values must be in order (spec of the Feed of preset site)'],
  });
  expect(ofPreset(both, { least: 2, most: 2 })).toEqual({ ofClass: [], ofTenant: [] });
  expect(ofPreset(order({ region: 'eu', least: 3, most: '{most}' }), { most: 2 }).ofTenant).toEqual(
    ['values.most must be in order (spec of the Feed of preset site)'],
  );
  expect(ofPreset(order({ region: '{text}' }), {})).toEqual({
    ofClass: [],
    ofTenant: [
      'values.text must be one of eu, us, got nothing (spec.region of the Feed of preset site)',
    ],
  });
  expect(ofPreset(order({ region: 'eu', least: 3, most: 2 }), {})).toEqual({
    ofClass: ['[1].spec must be in order'],
    ofTenant: [],
  });
});

test('a duplicate key is reported at the value that causes it', () => {
  const ofEnv = (...names: string[]) => {
    const env = names.map((name) => ({ name }));
    return site({}, object('v1/Pod', { spec: { containers: [{ name: 'a', env }] } }));
  };
  const words = (at: string, item: number, first: number) =>
    `${at} must be unique in the list, got 'A' again (first at [${first}]) (spec.containers[0].env[${item}].name of the Pod of preset site)`;
  expect(ofPreset(ofEnv('A', '{text}'), { text: 'A' })).toEqual({
    ofClass: [],
    ofTenant: [words('values.text', 1, 0)],
  });
  expect(ofPreset(ofEnv('{text}', 'A'), { text: 'A' })).toEqual({
    ofClass: [],
    ofTenant: [words('values.text', 1, 0)],
  });
  expect(ofPreset(ofEnv('A', '{text}'), { text: 'B' })).toEqual({ ofClass: [], ofTenant: [] });
  // With resourceSchemas Warn, an error of the preset itself is a warning.
  expect(ofPreset(ofEnv('{tenant}', 'acme'), {}, { resourceSchemas: 'Warn' })).toEqual({
    ofClass: [],
    ofTenant: [`warning ${words('preset', 1, 0).replace("'A'", "'acme'")}`],
  });
  expect(ofPreset(ofEnv('{text}', 'A', 'A'), { text: 'B' })).toEqual({
    ofClass: [
      "[1].spec.containers[0].env[2].name must be unique in the list, got 'A' again (first at [1])",
    ],
    ofTenant: [],
  });
});

test('an item whose key may come from a placeholder is not reported at the class', () => {
  const env = [{ '{key}': 'x' }, { name: 'y' }];
  const filled = site({}, object('v1/Pod', { spec: { containers: [{ name: 'a', env }] } }));
  expect(ofPreset(filled, { key: 'name' })).toEqual({ ofClass: [], ofTenant: [] });
  expect(ofPreset(filled, { key: 'value' }).ofTenant).toEqual([
    expect.stringMatching(
      /^values\.key must not be empty: .*, got nothing \(.*env\[0\]\.name of the Pod/,
    ),
  ]);
});

test('a placeholder as a key is accepted, and validated when it has a value', () => {
  const keyed = (spec: Fields) => site({}, object('example.com/v1/Feed', { spec }));
  expect(ofPreset(keyed({ '{key}': 'eu' }), {})).toEqual({ ofClass: [], ofTenant: [] });
  expect(ofPreset(keyed({ '{key}': 'eu', region: 'eu' }), { key: 'regon' })).toEqual({
    ofClass: [],
    ofTenant: [
      "values.key must be a known field, got 'regon'; did you mean 'region'? (spec.regon of the Feed of preset site)",
    ],
  });
  expect(ofPreset(keyed({ least: 1 }), {}).ofClass).toEqual([
    '[1].spec.region must be one of eu, us, got nothing',
  ]);
});

test('escaped text is not reported at the class', () => {
  const { ofClass, ofTenant } = ofPreset(site({ binaryData: { a: '\\{text}' } }), {});
  expect(ofClass).toEqual([]);
  expect(ofTenant).toEqual([
    "preset must be base64, got '{text}' (binaryData.a of the ConfigMap of preset site)",
  ]);
});

test('with resourceSchemas Warn, a preset is reported only at the class', () => {
  expect(
    ofPreset(site({ dta: {}, immutable: '{text}' }), { text: 'x' }, { resourceSchemas: 'Warn' }),
  ).toEqual({
    ofClass: ["warning [0].dta must be a known field, got 'dta'; did you mean 'data'?"],
    ofTenant: [
      "warning values.text must be true or false, got 'x' (immutable of the ConfigMap of preset site)",
    ],
  });
});

test('a written-out object of a class is reported at the class', () => {
  const fleet = new Fleet(applyPlatformDefaults(platform, [feed]));
  const manifest = object('v1/ConfigMap', { dta: {} });
  const klass = {
    name: 'standard',
    spec: { defaults: { resources: [{ manifest: manifest as never }] } },
  };
  expect(fleet.classes.add(klass)).toEqual([]);
  expect(fleet.classes.check(klass.name).findings).toMatchObject([
    {
      path: ['spec', 'defaults', 'resources', 0, 'manifest', 'dta'],
      rule: 'resource-schema',
      atKey: true,
    },
  ]);
});

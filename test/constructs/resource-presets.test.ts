import { expect, test } from '@jest/globals';
import type { PlatformSpec } from '../../crds/platform.ts';
import type { ParameterSchema, ResourcePreset } from '../../crds/resources.ts';
import type { TenantSpec } from '../../crds/tenant.ts';
import type { TenantClassSpec } from '../../crds/tenant-class.ts';
import { Fleet } from '../../model/fleet.ts';
import { resolvePlatform } from '../../model/platform.ts';
import type { Finding } from '@tenantry/kube/finding';
import { formatPath } from '@tenantry/kube/problem';
import { desiredOf, objectsOf, ofKind, collectFindings, type Given } from './given.ts';

const text = { type: 'string', maxLength: 253 };
const hosts = { type: 'array', minItems: 1, maxItems: 20, items: text };

const certificate: ResourcePreset = {
  name: 'certificate',
  parameters: {
    type: 'object',
    required: ['hosts'],
    properties: { name: { ...text, default: 'tls' }, hosts, duration: text },
  },
  manifests: [
    {
      apiVersion: 'cert-manager.io/v1',
      kind: 'Certificate',
      metadata: { name: '{name}', labels: { 'app.kubernetes.io/part-of': '{tenant}' } },
      spec: {
        secretName: '{namespace}-{name}',
        dnsNames: '{hosts}',
        duration: '{duration}',
        issuerRef: { name: 'public-ca', kind: 'ClusterIssuer' },
      },
    },
  ],
};

const platform: PlatformSpec = {
  clusters: [{ name: 'eu', kubernetesVersion: '1.36' }, { name: 'us' }],
  kinds: [
    { group: 'cert-manager.io', kind: 'Certificate', scope: 'Namespaced' },
    { group: 'cert-manager.io', kind: 'ClusterIssuer', scope: 'Cluster' },
  ],
};

const given = (tenant: TenantSpec, preset = certificate, klass: TenantClassSpec = {}): Given => ({
  tenant,
  klass: { ...klass, presets: { resources: [preset] } },
  platform,
});

const use = (values?: Readonly<Record<string, unknown>>, preset = 'certificate') => ({
  resources: [{ preset, ...(values && { values }) }],
});

const map = (
  data: unknown,
  properties: ParameterSchema['properties'] = {},
  name: unknown = 'x',
): ResourcePreset => ({
  name: 'settings',
  parameters: { type: 'object', properties },
  manifests: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data }],
});

/** Returns the findings of a class with a preset. */
const ofClass = (preset: unknown, more: TenantClassSpec = {}): string[] =>
  new Fleet(resolvePlatform(platform)).classes
    .add({
      name: 'standard',
      spec: { ...more, presets: { resources: [preset as ResourcePreset] } },
    })
    .map(({ path, message, severity }: Finding) =>
      `${severity === 'error' ? '' : 'warning '}${formatPath(path)} ${message}`.replace(
        'spec.presets.resources[0].',
        '',
      ),
    );

test('a preset creates an object from the values, with defaults for absent ones', () => {
  const world = given(use({ hosts: ['shop.example.com'] }));
  expect(ofClass(certificate)).toEqual([]);
  expect(ofKind(world, 'Certificate')).toEqual([
    {
      apiVersion: 'cert-manager.io/v1',
      kind: 'Certificate',
      metadata: {
        name: 'tls',
        namespace: 'acme',
        annotations: { 'argocd.argoproj.io/sync-options': 'Delete=false' },
        labels: {
          'app.kubernetes.io/part-of': 'acme',
          'app.kubernetes.io/managed-by': 'tenantry',
          'tenantry.dev/tenant': 'acme',
        },
      },
      spec: {
        secretName: 'acme-tls',
        dnsNames: ['shop.example.com'],
        issuerRef: { name: 'public-ca', kind: 'ClusterIssuer' },
      },
    },
  ]);
  expect(desiredOf(world).tenant['spec']).toEqual(world.tenant);
});

test('placeholders are replaced by the tenant, the namespace, its environment and the cluster', () => {
  const preset = map({ at: '{tenant}/{namespace}/{environment}/{cluster}' });
  const namespaces = [
    { name: 'a', environment: 'dev' },
    { name: 'b', environment: 'prod' },
  ];
  const tenant = { ...use(undefined, 'settings'), namespaces, clusters: ['eu', 'us'] };
  const made = desiredOf(given(tenant, preset)).namespaces.map(
    ({ objects }) => objects.find(({ kind }) => kind === 'ConfigMap')?.['data'],
  );
  expect(made).toEqual([
    { at: 'acme/a/dev/eu' },
    { at: 'acme/b/prod/eu' },
    { at: 'acme/a/dev/us' },
    { at: 'acme/b/prod/us' },
  ]);
});

test('all layers use presets: the class, its environments, the tenant and a namespace', () => {
  const preset = map({ by: '{by}' }, { by: text }, '{by}');
  const named = { ...preset, parameters: { ...preset.parameters, required: ['by'] } };
  const by = (name: string) => use({ by: name }, 'settings');
  const klass = { defaults: by('class'), environments: [{ name: 'prod', ...by('environment') }] };
  const namespaces = [{ name: 'a', environment: 'prod', ...by('namespace') }, { name: 'b' }];
  const world = given({ ...by('tenant'), namespaces }, named, klass);
  const names = (namespace: string) =>
    ofKind(world, 'ConfigMap', namespace).map(({ metadata }) => metadata.name);
  expect(ofClass(named, klass)).toEqual([]);
  expect(names('a')).toEqual(['class', 'environment', 'tenant', 'namespace']);
  expect(names('b')).toEqual(['class', 'tenant']);
});

test('a preset can be used several times, and can create several objects', () => {
  const [one] = certificate.manifests;
  const config = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: '{name}' } };
  const preset = { ...certificate, manifests: [one!, config] };
  const resources = ['a', 'b'].map((name) => ({
    preset: 'certificate',
    values: { name, hosts: [`${name}.example.com`] },
  }));
  const kinds = objectsOf(given({ resources }, preset)).map(
    ({ kind, metadata }) => `${kind} ${metadata.name}`,
  );
  expect(kinds).toEqual(
    expect.arrayContaining(['Certificate a', 'ConfigMap a', 'Certificate b', 'ConfigMap b']),
  );
});

test('two uses that give the same name are reported at the value that sets it', () => {
  const twice = ['a', 'a'].map((name) => ({
    preset: 'certificate',
    values: { name, hosts: ['a.example.com'] },
  }));
  const words =
    "must have a name of its own, got Certificate.cert-manager.io 'a', which another entry of resources already gives";
  expect(collectFindings(given({ resources: twice }))).toEqual([
    `spec.resources[1].values.name ${words}`,
  ]);
  const fixed = map({}, {});
  const uses = { resources: [{ preset: 'settings' }, { preset: 'settings' }] };
  expect(collectFindings(given(uses, fixed))).toEqual([
    "spec.resources[1].preset must have a name of its own, got ConfigMap 'x', which another entry of resources already gives",
  ]);
});

test('a preset named by the namespace gives one object in each', () => {
  const preset = map({}, {}, '{namespace}');
  const world = given(
    { ...use(undefined, 'settings'), namespaces: [{ name: 'a' }, { name: 'b' }] },
    preset,
  );
  expect(ofKind(world, 'ConfigMap', 'b').map(({ metadata }) => metadata)).toMatchObject([
    { name: 'b', namespace: 'b' },
  ]);
});

test('an optional parameter without a value removes its key or its item', () => {
  const preset = map({ a: '{note}', b: 'x' }, { note: text });
  expect(ofKind(given(use({}, 'settings'), preset), 'ConfigMap')[0]?.['data']).toEqual({ b: 'x' });
  expect(ofKind(given(use({ note: 'n' }, 'settings'), preset), 'ConfigMap')[0]?.['data']).toEqual({
    a: 'n',
    b: 'x',
  });
});

test('values must match the parameters, and are reported at their own path', () => {
  const refused = (values?: Readonly<Record<string, unknown>>) =>
    collectFindings(given(use(values)));
  expect(refused()).toEqual(['spec.resources[0].values.hosts must be a list, got nothing']);
  expect(refused({ hosts: ['a', 7] })).toEqual([
    expect.stringMatching(/^spec\.resources\[0\]\.values\.hosts\[1\] must be .*, got 7$/),
  ]);
  expect(refused({ hosts: ['a'], host: 'b' })).toEqual([
    "spec.resources[0].values.host must be a known field, got 'host'; did you mean 'hosts'?",
  ]);
  expect(refused({ host: ['b'] })).toEqual([
    "spec.resources[0].values.host must be a known field, got 'host'; did you mean 'hosts'?",
  ]);
  expect(refused({ hosts: ['a'], name: null })).toEqual([]);
  expect(refused({ hosts: ['a'], duration: null })).toHaveLength(1);
});

test('CEL rules of the parameters apply to the values', () => {
  const parameters = {
    ...certificate.parameters,
    'x-kubernetes-validations': [
      { rule: 'self.hosts.all(h, h.endsWith(".example.com"))', message: 'must be ours' },
    ],
  };
  const preset = { ...certificate, parameters };
  expect(ofClass(preset)).toEqual([]);
  expect(collectFindings(given(use({ hosts: ['a.example.com'] }), preset))).toEqual([]);
  expect(collectFindings(given(use({ hosts: ['a.example.org'] }), preset))).toEqual([
    expect.stringContaining('spec.resources[0].values must be ours'),
  ]);
});

test('an unknown preset is refused with the list of presets', () => {
  expect(collectFindings(given(use({}, 'certificat')))).toEqual([
    "spec.resources[0].preset must be a preset of class standard (one of certificate), got 'certificat'; did you mean 'certificate'?",
  ]);
  expect(collectFindings({ tenant: use({}, 'x') })).toEqual([
    "spec.resources[0].preset must be a preset of class standard (left out: it has none), got 'x'",
  ]);
});

test('an object from a preset follows the usual rules, and violations are reported at the value', () => {
  expect(collectFindings(given(use({ hosts: ['a'], name: 'A b' })))).toEqual([
    "spec.resources[0].values.name must be a DNS subdomain, got 'A b' (metadata.name of the Certificate of preset certificate)",
  ]);
  const labelled = {
    ...map({}, { labels: { type: 'object', additionalProperties: text } }),
  };
  const preset = {
    ...labelled,
    manifests: [
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x', labels: '{labels}' } },
    ],
  };
  expect(ofClass(preset)).toEqual([]);
  const withLabel = (key: string, value = 'b') =>
    collectFindings(given(use({ labels: { a: 'b', [key]: value } }, 'settings'), preset));
  expect(withLabel('c')).toEqual([]);
  expect(withLabel('tenantry.dev/tenant')).toEqual([
    `spec.resources[0].values.labels["tenantry.dev/tenant"] must not be set: the key 'tenantry.dev/tenant' is reserved for Tenantry (metadata.labels["tenantry.dev/tenant"] of the ConfigMap of preset settings)`,
  ]);
  expect(withLabel('c', 'no value')).toHaveLength(1);
  const service = {
    name: 'settings',
    parameters: { type: 'object', properties: { address: text } },
    manifests: [
      {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: 'x' },
        spec: { externalIPs: ['{address}'] },
      },
    ],
  };
  expect(ofClass(service)).toEqual([]);
  expect(collectFindings(given(use({ address: '10.0.0.1' }, 'settings'), service))).toEqual([
    expect.stringMatching(/^spec\.resources\[0\]\.values\.address must be addresses /),
  ]);
});

test('an object that values make too large is reported at the values', () => {
  const preset = map({ a: '{a}' }, { a: { type: 'string' } });
  const world = (length: number) => given(use({ a: 'x'.repeat(length) }, 'settings'), preset);
  expect(collectFindings(world(65_000))).toEqual([]);
  expect(collectFindings(world(65_536))).toEqual([
    expect.stringMatching(
      /^spec\.resources\[0\]\.values must be at most 65536 bytes, got \d+ \(in /,
    ),
  ]);
});

test('a name that becomes too long only by the namespace is reported at the use', () => {
  const preset = {
    ...map({}),
    manifests: [
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'x', labels: { at: '{namespace}.{namespace}' } },
      },
    ],
  };
  expect(ofClass(preset)).toEqual([]);
  const name = 'a'.repeat(40);
  const { findings } = desiredOf({ ...given(use({}, 'settings'), preset), name });
  expect(findings).toMatchObject([
    { path: ['spec', 'resources', 0, 'preset'], rule: 'key', severity: 'error' },
  ]);
});

test('a namespace without an environment cannot use a preset that needs one', () => {
  const preset = map({ at: '{environment}' });
  expect(collectFindings(given(use({}, 'settings'), preset))).toEqual([
    'spec.resources[0].preset must hold no {environment} here: namespace acme has no environment (data.at of the ConfigMap of preset settings)',
  ]);
});

test('values that make two keys equal are reported', () => {
  const preset = map(
    { '{a}': 1, '{b}': 2 },
    { a: { ...text, default: 'x' }, b: { ...text, default: 'y' } },
  );
  expect(ofClass(preset)).toEqual([]);
  expect(collectFindings(given(use({ a: 'y' }, 'settings'), preset))).toEqual([
    'spec.resources[0].values must be a key of its own, got \'y\', which another key of the mapping becomes too (data["{b}"] of the ConfigMap of preset settings)',
  ]);
});

test('an error in the preset itself is reported at the class, whether or not it is used', () => {
  const kind = (apiVersion: string, kind: string, more: object = {}) => ({
    name: 'settings',
    manifests: [{ apiVersion, kind, metadata: { name: '{namespace}' }, ...more }],
  });
  expect(ofClass(kind('cert-manager.io/v1', 'ClusterIssuer'))).toEqual([
    expect.stringMatching(/^manifests\[0\]\.kind must be a namespaced kind/),
  ]);
  expect(ofClass(kind('example.com/v1', 'Widget'))).toEqual([
    expect.stringMatching(/^manifests\[0\]\.kind must be a kind whose scope is known/),
  ]);
  expect(ofClass(kind('v1', 'Secret', { data: { a: '{tenant}' } }))).toEqual([
    expect.stringMatching(/^manifests\[0\]\.data must not hold Secret data/),
  ]);
  expect(ofClass(kind('rbac.authorization.k8s.io/v1', 'RoleBinding'))).toHaveLength(1);
  expect(ofClass(kind('batch/v1beta1', 'CronJob'))).toEqual([
    expect.stringMatching(/^manifests\[0\]\.apiVersion must be batch\/v1, /),
  ]);
  expect(ofClass(kind('batch/v1beta1', 'CronJob'), { allow: { clusters: ['us'] } })).toEqual([
    "manifests[0].apiVersion must be batch/v1, got 'batch/v1beta1', which Kubernetes 1.36 no longer serves",
  ]);
  expect(ofClass({ name: 'settings', manifests: [{ kind: 'ConfigMap' }] })).toEqual([
    expect.stringMatching(/^manifests\[0\] must be a Kubernetes object/),
  ]);
  expect(ofClass(certificate, { allow: { resources: [{ group: '', kind: '*' }] } })).toEqual([
    "manifests[0].kind must be a kind that class standard allows in allow.resources, got 'Certificate.cert-manager.io'",
  ]);
});

test('a tenant that uses an invalid preset has no objects, and gets a finding of a single rule', () => {
  const broken = map({ a: '{b}' });
  const shape = {
    ...map({}),
    manifests: [{ apiVersion: 'v1', kind: 'Node', metadata: { name: 'x' } }],
  };
  for (const preset of [broken, shape]) {
    const { findings, namespaces } = desiredOf(given(use({}, 'settings'), preset));
    expect(namespaces).toEqual([]);
    expect(findings).toMatchObject([
      { path: ['spec', 'resources', 0, 'preset'], rule: 'class-preset', severity: 'error' },
    ]);
    expect(collectFindings(given({}, preset))).toEqual([]);
  }
});

test('a wrong use by the class itself is reported at the class', () => {
  const validateDefaults = (layer: object) => ofClass(certificate, { defaults: layer });
  expect(validateDefaults(use({ hosts: ['a'] }))).toEqual([]);
  expect(validateDefaults(use({ hosts: 7 }))).toEqual([
    'spec.defaults.resources[0].values.hosts must be a list, got 7',
  ]);
  expect(validateDefaults(use({}, 'x'))).toHaveLength(1);
  expect(ofClass(certificate, { environments: [{ name: 'dev', ...use() }] })).toEqual([
    'spec.environments[0].resources[0].values.hosts must be a list, got nothing',
  ]);
  const { findings } = desiredOf(given({}, certificate, { defaults: use({ hosts: 7 }) }));
  expect(findings).toMatchObject([{ path: ['spec', 'className'], rule: 'class-preset' }]);
});

test('an unknown placeholder is reported with the known names', () => {
  expect(ofClass(map({ a: ['{nmae}'], '{b}': '\\{c} {{d}} ${e}' }, {}))).toEqual([
    'manifests[0].data.a[0] must be one of {tenant}, {namespace}, {environment}, {cluster}, or written as \\{nmae} to stay as it is, got {nmae}',
    'manifests[0].data["{b}"] must be one of {tenant}, {namespace}, {environment}, {cluster}, or written as \\{b} to stay as it is, got {b}',
  ]);
});

test('a parameter that no manifest uses causes a warning', () => {
  expect(ofClass(map({ a: '{a}' }, { a: text, b: text }))).toEqual([
    'warning parameters.properties.b must be used in a manifest, as {b}: otherwise its value has no effect',
  ]);
});

test('within a longer text and in keys, only scalars that always have a value are accepted', () => {
  const needed = { ...text, default: 'x' };
  for (const fit of [needed, { type: 'integer', default: 1 }, { type: 'boolean', default: true }]) {
    expect(ofClass(map({ a: 'x-{a}', '{a}': 1 }, { a: fit }))).toEqual([]);
  }
  const mixed = { 'x-kubernetes-int-or-string': true, default: 1 };
  expect(ofClass(map({ a: 'x-{a}' }, { a: mixed }))).toEqual([]);
  expect(ofClass(map({ a: 'x-{a}' }, { a: text }))).toEqual([
    'manifests[0].data.a must hold parameters that always have a value within a longer text, got {a}: require it, give it a default, or use it as the whole text',
  ]);
  expect(ofClass(map({ 'a-{a}': 1 }, { a: text }))).toHaveLength(1);
  expect(ofClass(map({ '{a}': 1 }, { a: text }))).toEqual([]);
  const list = { ...hosts, default: ['x'] };
  for (const [data, where] of [
    [{ a: 'x-{a}' }, 'within a longer text'],
    [{ '{a}': 1 }, 'in a key'],
  ] as const) {
    expect(ofClass(map(data, { a: list }))).toEqual([
      expect.stringContaining(
        `must hold only parameters of type string, number, integer or boolean ${where}, got {a}`,
      ),
    ]);
  }
  expect(ofClass(map({ a: 'x-{a}' }, { a: { ...needed, nullable: true } }))).toHaveLength(1);
});

test('the identity of an object must be written out in the preset', () => {
  const preset = (manifest: object) => ({
    name: 'settings',
    parameters: { type: 'object', properties: { a: { ...text, default: 'x' } } },
    manifests: [
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'x' },
        data: { a: '{a}' },
        ...manifest,
      },
    ],
  });
  const words = 'must be written out without placeholders, got {a}';
  expect(ofClass(preset({ kind: '{a}' }))).toEqual([`manifests[0].kind ${words}`]);
  expect(ofClass(preset({ apiVersion: 'v{a}' }))).toEqual([`manifests[0].apiVersion ${words}`]);
  expect(ofClass(preset({ '{a}': 1 }))).toEqual([`manifests[0]["{a}"] ${words}`]);
  expect(ofClass(preset({ metadata: '{a}' }))).toEqual([`manifests[0].metadata ${words}`]);
  expect(ofClass(preset({ metadata: { name: 'x', '{a}': 'y' } }))).toEqual([
    `manifests[0].metadata["{a}"] ${words}`,
  ]);
  expect(ofClass(preset({ metadata: { name: '{a}', namespace: '{a}' } }))).toEqual([
    "manifests[0].metadata.namespace must be left out: the object lies in the namespace that uses the preset, got '{a}'",
  ]);
  const optional = map({}, { a: text }, '{a}');
  expect(ofClass(optional)).toEqual([
    'manifests[0].metadata.name must hold parameters that always have a value, got {a}: require it, or give it a default',
  ]);
});

const schema = (parameters: unknown) => ofClass({ ...map({}), parameters });

test('the parameters must be a schema that the API server accepts, and each error is reported', () => {
  expect(schema({ type: 'object', properties: { a: { type: 'strin' } } })).toEqual([
    "parameters.properties.a.type must be one of array, boolean, integer, number, object, string, got 'strin'",
  ]);
  expect(schema({ type: 'object', properties: { a: {} } })).toHaveLength(1);
  expect(
    schema({ type: 'object', properties: { a: { type: 'string', pattern: '(' } } }),
  ).toHaveLength(1);
  expect(
    schema({ type: 'object', properties: { a: { type: 'string', default: 7 } } }),
  ).toHaveLength(1);
  expect(schema({ type: 'object', properties: 7 })).toHaveLength(1);
  expect(schema({ properties: { a: text } })).toEqual([
    'parameters.type must be object, got nothing',
  ]);
  expect(schema({ type: 'array', items: text })).toEqual([
    "parameters.type must be object, got 'array'",
  ]);
});

test('rules of parameters that cannot be evaluated are refused', () => {
  const ruled = (rule: string) =>
    schema({
      type: 'object',
      properties: { a: text },
      'x-kubernetes-validations': [{ rule }],
    });
  expect(ruled('self.b == 1')).toHaveLength(1);
  expect(ruled('google.protobuf.Int64Value{value: 1} == 1')).toEqual([
    expect.stringMatching(/^parameters\.x-kubernetes-validations\[0\]\.rule /),
  ]);
  expect(ruled('self == oldSelf')).toEqual([
    'parameters.x-kubernetes-validations[0].rule must not use oldSelf: a value is validated alone, without an old value',
  ]);
});

test("a parameter's name must be valid in a placeholder, and not be a built-in one", () => {
  for (const name of ['tenant', 'namespace', 'environment', 'cluster', 'Host', 'a-b', '1', 'a_b']) {
    expect(schema({ type: 'object', properties: { [name]: text } })).toEqual([
      expect.stringMatching(/^parameters\.properties\S* must be a name /),
    ]);
  }
  expect(schema({ type: 'object', required: ['b'], properties: { a: text } })).toEqual([
    "parameters.required[0] must be one of the properties (a), got 'b'",
  ]);
  for (const more of [
    { 'x-kubernetes-preserve-unknown-fields': true },
    { additionalProperties: text },
    { nullable: true },
    { default: {} },
  ]) {
    expect(schema({ type: 'object', ...more })).toEqual([
      expect.stringMatching(/^parameters\S* must be left out: a preset has the parameters in /),
    ]);
  }
});

test('a value that only an API server can validate is refused', () => {
  const parameters = {
    type: 'object',
    required: ['n'],
    properties: { n: { type: 'integer' } },
    'x-kubernetes-validations': [{ rule: 'lists.range(self.n).size() > 0' }],
  };
  const preset = { ...map({ a: 'n is {n}' }), parameters };
  expect(ofClass(preset)).toEqual([]);
  expect(collectFindings(given(use({ n: 3 }, 'settings'), preset))).toEqual([]);
  expect(collectFindings(given(use({ n: 950_000 }, 'settings'), preset))).toEqual([
    expect.stringMatching(/^spec\.resources\[0\]\.values .*it makes a list that may cost too much/),
  ]);
  expect(collectFindings(given(use({ n: 100_000_000 }, 'settings'), preset))).toEqual([
    expect.stringMatching(/^spec\.resources\[0\]\.values .*running out of cost budget/),
  ]);
});

test("an error in an item after a removed one is reported at the item's own value", () => {
  const preset = {
    name: 'settings',
    parameters: { type: 'object', properties: { note: text, address: text } },
    manifests: [
      {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: 'x' },
        spec: { externalIPs: ['{note}', '{address}'] },
      },
    ],
  };
  const { findings } = desiredOf(given(use({ address: '10.0.0.1' }, 'settings'), preset));
  expect(findings).toMatchObject([
    { path: ['spec', 'resources', 0, 'values', 'address'], rule: 'self-service' },
  ]);
});

test('the value of a placeholder key is checked when the key has a value', () => {
  const labels = { '{key}': 'x' };
  const preset = {
    name: 'settings',
    parameters: { type: 'object', properties: { key: { ...text, default: 'a' } } },
    manifests: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x', labels } }],
  };
  expect(ofClass(preset)).toEqual([]);
  expect(collectFindings(given(use({ key: 'no key' }, 'settings'), preset))).toEqual([
    expect.stringMatching(/^spec\.resources\[0\]\.values\.key must be a key such as /),
  ]);
});

test('an error is reported once, at the class or at the tenant', () => {
  const both = {
    ...map({ a: '{b}' }),
    manifests: [{ ...map({ a: '{b}' }).manifests[0], kind: 'Node' }],
  };
  expect(ofClass(both)).toEqual([expect.stringContaining('manifests[0].data.a must be one of ')]);
  const named = map({}, {}, '{environment}');
  expect(collectFindings(given(use({}, 'settings'), named))).toEqual([
    expect.stringMatching(/^spec\.resources\[0\]\.preset must hold no \{environment\} here/),
  ]);
  const { findings } = desiredOf(given({}, certificate, { defaults: use({}, 'x') }));
  expect(findings).toMatchObject([{ path: ['spec', 'className'], rule: 'class-preset' }]);
});

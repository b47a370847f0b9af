import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { App as Cdk8sApp } from 'cdk8s';
import { WARNING } from '@tenantry/kube/construct-metadata';
import { InvalidInput } from '@tenantry/kube/problem';
import { readDocuments } from '@tenantry/kube/yaml/read';
import { Bundle } from '@tenantry/olm/constructs/bundle';
import type { BundleProps } from '@tenantry/olm/constructs/bundle/props';
import type {
  ClusterServiceVersion,
  DeploymentStrategySpec,
} from '@tenantry/olm/bundle/cluster-service-version';
import { readBundle } from '@tenantry/olm/folder/read-bundle';
import { validateBundle } from '@tenantry/olm/rules/validate-bundle';
import { App } from '../../../synth/app.ts';
import { filesOf, inFolder } from '../../synth/output/folders.ts';
import { cache, operator, props } from '@tenantry/olm/test/constructs/operators';

const filesIn = (given: BundleProps = props): Record<string, string> =>
  Object.fromEntries(new Bundle(new App(), 'b', given).files.map(({ path, text }) => [path, text]));

const valueOf = (text: string | undefined): unknown =>
  readDocuments(text ?? '').documents[0]?.value;

const csvOf = (given: BundleProps = props): ClusterServiceVersion =>
  valueOf(
    filesIn(given)['manifests/redis-operator.clusterserviceversion.yaml'],
  ) as ClusterServiceVersion;

/** Returns the messages of its synthesis, in a temporary folder. */
function messagesOf(given: BundleProps): string[] {
  const messages: string[] = [];
  inFolder((folder) => {
    const app = new App({ outdir: join(folder, 'dist') });
    new Bundle(app, 'b', given);
    try {
      app.synth();
    } catch (error) {
      if (!(error instanceof InvalidInput)) throw error;
      messages.push(...error.problems.map((one) => `${one.path} ${one.message}`));
    }
  })();
  return messages;
}

test(
  'a bundle is written to a folder of its version, and reads back unchanged',
  inFolder((folder) => {
    const app = new App({ outdir: join(folder, 'dist') });
    const bundle = new Bundle(app, 'bundle', props);
    app.synth();
    const root = join(folder, 'dist', bundle.folder);
    expect(bundle.folder).toBe('olm/bundle/1.2.3');
    expect(Object.keys(filesOf(root)).toSorted()).toEqual([
      'bundle.Dockerfile',
      'manifests/caches.example.com_rediscaches.yaml',
      'manifests/redis-operator.clusterserviceversion.yaml',
      'manifests/redis-operator_networking.k8s.io_v1_networkpolicy.yaml',
      'manifests/redis-operator_policy_v1_poddisruptionbudget.yaml',
      'manifests/redis-operator_v1_service.yaml',
      'metadata/annotations.yaml',
      'tests/scorecard/config.yaml',
    ]);
    const read = readBundle(root);
    expect(read.faults).toEqual([]);
    expect(validateBundle(read, { suite: 'operatorhub' })).toEqual([]);
    expect(read.csv?.name).toBe(bundle.bundleName);
  }),
);

test('the same props give the same bytes, without reading a clock', () => {
  expect(filesIn()).toEqual(filesIn());
  expect(csvOf().metadata.annotations).not.toHaveProperty('createdAt');
  expect(
    csvOf({ ...props, createdAt: '2026-01-02T03:04:05Z' }).metadata.annotations,
  ).toHaveProperty('createdAt', '2026-01-02T03:04:05Z');
});

test('owned kinds have examples and descriptors from their schemas', () => {
  const { metadata, spec } = csvOf();
  expect(JSON.parse(metadata.annotations!['alm-examples']!)).toEqual([
    {
      apiVersion: 'caches.example.com/v1',
      kind: 'RedisCache',
      metadata: { name: 'rediscache-sample' },
      spec: { image: 'redis:8' },
    },
  ]);
  const [owned] = spec.customresourcedefinitions!.owned!;
  expect(owned).toMatchObject({
    name: 'rediscaches.caches.example.com',
    version: 'v1',
    kind: 'RedisCache',
    displayName: 'Redis Cache',
    description: 'A cache in memory.',
    resources: [{ name: '', kind: 'Pod', version: 'v1' }],
  });
  expect(owned!.specDescriptors!.map(({ path }) => path)).toEqual(['image', 'replicas']);
  expect(owned!.specDescriptors![1]!['x-descriptors']).toEqual([
    'urn:alm:descriptor:com.tectonic.ui:podCount',
  ]);
  expect(owned!.statusDescriptors!.map(({ path }) => path)).toEqual(['conditions', 'replicas']);
});

test('explicit settings of a kind replace derived ones', () => {
  const example = {
    apiVersion: 'caches.example.com/v1',
    kind: 'RedisCache',
    metadata: { name: 'mine' },
    spec: { image: 'valkey' },
  };
  const { metadata, spec } = csvOf({
    ...props,
    kinds: {
      'rediscaches.caches.example.com': {
        displayName: 'Cache',
        description: 'One.',
        resources: [{ name: '', kind: 'StatefulSet', version: 'v1' }],
        spec: { image: false },
        actions: [{ path: 'spec.flush', displayName: 'Flush' }],
        examples: { v1: example },
      },
    },
  });
  const [owned] = spec.customresourcedefinitions!.owned!;
  expect(owned).toMatchObject({
    displayName: 'Cache',
    description: 'One.',
    resources: [{ kind: 'StatefulSet' }],
    actionDescriptors: [{ path: 'spec.flush' }],
  });
  expect(owned!.specDescriptors!.map(({ path }) => path)).toEqual(['replicas']);
  expect(JSON.parse(metadata.annotations!['alm-examples']!)).toEqual([example]);
});

test('the rights are those that the operator declares, cluster-wide or in its own namespace', () => {
  const { permissions, clusterPermissions } = csvOf().spec.install.spec!;
  expect(clusterPermissions).toEqual([
    {
      serviceAccountName: 'redis-operator',
      rules: [
        {
          apiGroups: [''],
          resources: ['pods'],
          verbs: ['get', 'list', 'watch', 'create', 'delete'],
        },
        {
          apiGroups: ['caches.example.com'],
          resources: ['rediscaches'],
          verbs: ['get', 'list', 'watch'],
        },
      ],
    },
  ]);
  const resources = permissions!.flatMap(({ rules }) =>
    rules.flatMap((rule) => rule.resources ?? []),
  );
  expect(resources).toContain('secrets');
  expect(resources).toContain('leases');
  expect(permissions![0]!.serviceAccountName).toBe('redis-operator');
});

test('an operator of one namespace has its rights there, and gets the namespace from OLM', () => {
  const { installModes, install } = csvOf({
    ...props,
    operator: { ...operator, watch: { mode: 'SingleNamespace', namespace: 'shop' } },
  }).spec;
  expect(installModes!.filter(({ supported }) => supported)).toEqual([
    { type: 'SingleNamespace', supported: true },
  ]);
  expect(install.spec!.clusterPermissions).toBeUndefined();
  expect(JSON.stringify(install.spec!.deployments)).toContain(
    "metadata.annotations['olm.targetNamespaces']",
  );
});

test('sidecars and variables with object values are installed, and related images are listed', () => {
  const sidecar = {
    name: 'proxy',
    image: 'quay.io/example/proxy:0.20.0',
    environmentFrom: [{ secret: 'proxy' }],
    files: [{ name: 'cache', path: '/cache', from: { emptyDir: {} } }],
  } as const;
  const webhooks = { certificates: 'cert-manager', conversion: [{ kind: cache }] } as const;
  const environmentFrom = [{ configMap: 'redis', isOptional: true }] as const;
  const given = { ...operator, webhooks, environmentFrom, sidecars: [sidecar] };
  const { install, relatedImages } = csvOf({ ...props, operator: given }).spec;
  const pod = install.spec!.deployments![0]!.spec!.template.spec!;
  expect(pod.containers).toMatchObject([
    { name: 'operator', envFrom: [{ configMapRef: { name: 'redis', optional: true } }] },
    {
      name: 'proxy',
      envFrom: [{ secretRef: { name: 'proxy' } }],
      volumeMounts: [{ name: 'cache', mountPath: '/cache' }],
    },
  ]);
  expect(pod.volumes).toEqual([{ name: 'cache', emptyDir: {} }]);
  expect(relatedImages).toEqual([
    { name: 'redis-operator', image: operator.image },
    { name: 'proxy', image: sidecar.image },
  ]);
  expect(messagesOf({ ...props, operator: given })).toEqual([]);
  const images = [
    { name: 'proxy', image: 'quay.io/example/another:1.0.0' },
    { name: 'redis', image: 'quay.io/example/redis:8.0.0' },
  ];
  expect(csvOf({ ...props, images, operator: given }).spec.relatedImages).toEqual([
    ...relatedImages!,
    images[1],
  ]);
});

test('all install modes are listed, and an operator with conversion supports only AllNamespaces', () => {
  const webhooks = { certificates: 'cert-manager', conversion: [{ kind: cache }] } as const;
  const { installModes } = csvOf({ ...props, operator: { ...operator, webhooks } }).spec;
  expect(installModes).toEqual([
    { type: 'OwnNamespace', supported: false },
    { type: 'SingleNamespace', supported: false },
    { type: 'MultiNamespace', supported: false },
    { type: 'AllNamespaces', supported: true },
  ]);
});

describe('webhooks', () => {
  const rules = [
    {
      groups: ['caches.example.com'],
      versions: ['v1'],
      resources: ['rediscaches'],
      operations: ['CREATE', 'UPDATE'],
    },
  ] as const;
  const given: BundleProps = {
    ...props,
    operator: {
      ...operator,
      webhooks: {
        certificates: 'cert-manager',
        conversion: [{ kind: cache }],
        validating: [{ name: 'v.caches.example.com', rules }],
        mutating: [{ name: 'm.caches.example.com', rules, reinvocationPolicy: 'IfNeeded' }],
      },
    },
  };

  test('are those of the operator, served at its port', () => {
    const { webhookdefinitions } = csvOf(given).spec;
    expect(webhookdefinitions).toEqual([
      expect.objectContaining({
        type: 'ConversionWebhook',
        conversionCRDs: ['rediscaches.caches.example.com'],
        webhookPath: '/convert/rediscaches.caches.example.com',
        targetPort: 9443,
        deploymentName: 'redis-operator',
      }),
      expect.objectContaining({
        type: 'ValidatingAdmissionWebhook',
        generateName: 'v.caches.example.com',
        webhookPath: '/validate/rediscaches.caches.example.com',
        failurePolicy: 'Fail',
      }),
      expect.objectContaining({
        type: 'MutatingAdmissionWebhook',
        reinvocationPolicy: 'IfNeeded',
      }),
    ]);
  });

  test('leave the certificate and the conversion of the definition to OLM', () => {
    const files = filesIn(given);
    const text = Object.values(files).join('');
    expect(text).not.toContain('caBundle');
    expect(text).not.toContain('cert-manager');
    expect(text).not.toContain('serving-certs');
    expect(text).not.toContain('sync-options');
    expect(files['manifests/caches.example.com_rediscaches.yaml']).not.toContain('conversion');
  });

  test('with certificates of the operator itself are refused in a bundle', () => {
    const webhooks = { ...given.operator.webhooks!, certificates: 'operator' } as const;
    expect(messagesOf({ ...props, operator: { ...operator, webhooks } })).toEqual([
      expect.stringContaining(
        "operator.webhooks.certificates must be 'cert-manager', got 'operator'",
      ),
    ]);
  });

  test('have no selector of namespaces', () => {
    const webhooks = {
      certificates: 'cert-manager',
      validating: [{ name: 'v.caches.example.com', rules, namespaceSelector: {} }],
    } as const;
    expect(messagesOf({ ...props, operator: { ...operator, webhooks } })).toEqual([
      'operator.webhooks.validating[0].namespaceSelector must be left out: a webhook of OLM has none',
    ]);
  });
});

test('annotations of the bundle and labels of the image are equal, and name all folders', () => {
  const files = filesIn();
  const { annotations } = valueOf(files['metadata/annotations.yaml']) as {
    annotations: Record<string, string>;
  };
  const labels = [...files['bundle.Dockerfile']!.matchAll(/^LABEL (\S+)=(\S+)$/gm)];
  expect(Object.fromEntries(labels.map(([, key, value]) => [key!, value!]))).toEqual(annotations);
  expect(annotations['operators.operatorframework.io.bundle.channels.v1']).toBe('candidate,stable');
  expect([...files['bundle.Dockerfile']!.matchAll(/^COPY (\S+) /gm)].map(([, one]) => one)).toEqual(
    ['manifests', 'metadata', 'tests/scorecard'],
  );
});

test('dependencies, constraints and properties have their files', () => {
  const gvk = { group: 'a.example.com', version: 'v1', kind: 'A' };
  const files = filesIn({
    ...props,
    dependencies: [
      { gvk },
      { package: { name: 'a', versions: '>=1.0.0' } },
      { constraint: { failureMessage: 'No a.', cel: { rule: 'true' } } },
    ],
    properties: [{ type: 'olm.maxOpenShiftVersion', value: '4.20' }],
    scorecard: false,
  });
  expect(valueOf(files['metadata/dependencies.yaml'])).toEqual({
    dependencies: [
      { type: 'olm.gvk', value: gvk },
      { type: 'olm.package', value: { packageName: 'a', version: '>=1.0.0' } },
      { type: 'olm.constraint', value: { failureMessage: 'No a.', cel: { rule: 'true' } } },
    ],
  });
  expect(valueOf(files['metadata/properties.yaml'])).toEqual({
    properties: [{ type: 'olm.maxOpenShiftVersion', value: '4.20' }],
  });
  expect(files).not.toHaveProperty('tests/scorecard/config.yaml');
  expect(files['bundle.Dockerfile']).not.toContain('scorecard');
});

test("a release is part of the bundle's name, and build metadata of a version is escaped", () => {
  const name = (given: BundleProps): string => new Bundle(new App(), 'b', given).bundleName;
  expect(name(props)).toBe('redis-operator.v1.2.3');
  expect(name({ ...props, release: '2' })).toBe('redis-operator-v1.2.3-2');
  expect(name({ ...props, operator: { ...operator, version: '1.2.3+4' } })).toBe(
    'redis-operator.v1.2.3-4',
  );
});

test('all errors of the operator are also reported at synthesis', () => {
  const given = { ...props, operator: { ...operator, name: 'Redis', image: 'redis' } };
  const messages = messagesOf(given);
  expect(messages.some((one) => one.startsWith('operator.name must be '))).toBe(true);
  expect(messages.some((one) => one.startsWith('operator.image must be '))).toBe(true);
});

describe('an invalid bundle is reported with the path:', () => {
  test('an operator without a version', () => {
    const { version: _, ...unversioned } = operator;
    expect(messagesOf({ ...props, operator: unversioned })).toEqual([
      "operator.version must be a version such as '1.2.3', got nothing",
    ]);
  });

  test.each<readonly [string, BundleProps, string]>([
    [
      'no version',
      { ...props, operator: { ...operator, version: 'v1' } },
      "operator.version must be a version such as '1.2.3', got 'v1'",
    ],
    [
      'no channel',
      { ...props, channels: [] },
      "channels must name a channel, such as 'stable', got none",
    ],
    [
      'rights elsewhere',
      {
        ...props,
        operator: {
          ...operator,
          access: [{ group: '', resource: 'secrets', verbs: ['get'], namespaces: ['kube-system'] }],
        },
      },
      "operator.access[0].namespaces must be the operator's own namespace, or those that it watches, got kube-system: OLM grants no rights in other namespaces",
    ],
  ])('%s', (_, given, message) => {
    expect(messagesOf(given)).toEqual([message]);
  });
});

test(
  'a plain cdk8s app, which writes only manifests, refuses it',
  inFolder((folder) => {
    const app = new Cdk8sApp({ outdir: folder });
    new Bundle(app, 'b', props);
    expect(() => app.synth()).toThrow("must be in an App of 'tenantry'");
  }),
);

describe('an operator with an explicit install strategy', () => {
  const install: DeploymentStrategySpec = {
    deployments: [deployment('one'), deployment('two')],
    permissions: [
      {
        serviceAccountName: 'one',
        rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
      },
    ],
  };
  const written: BundleProps = {
    ...props,
    operator: { name: 'redis-operator', version: '1.2.3', owned: [cache], install },
  };

  test('is installed exactly as written, and nothing is added', () => {
    const { metadata, spec } = csvOf(written);
    expect(spec.install.spec).toEqual(install);
    expect(spec).not.toHaveProperty('relatedImages');
    expect(metadata.annotations).not.toHaveProperty('containerImage');
    expect(Object.keys(filesIn(written)).filter((path) => path.startsWith('manifests/'))).toEqual([
      'manifests/caches.example.com_rediscaches.yaml',
      'manifests/redis-operator.clusterserviceversion.yaml',
    ]);
    expect(spec.customresourcedefinitions?.owned?.map(({ kind }) => kind)).toEqual(['RedisCache']);
  });

  test('follows the same rules, and an accepted violation is only a warning', () => {
    const broken = { ...written, installModes: [] };
    expect(messagesOf(broken)).toEqual([expect.stringContaining('spec.installModes')]);
    expect(messagesOf({ ...broken, accepts: ['install-mode-supported'] })).toEqual([]);
    expect(messagesOf({ ...broken, accepts: ['service-account'] })).toHaveLength(1);
  });

  test('additional objects have a file each, whatever their names', () => {
    const object = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
    const manifests = [object('a'), object('a'), object('b:c/d')];
    const added = Object.keys(filesIn({ ...written, manifests })).filter((path) =>
      path.includes('configmap'),
    );
    expect(added).toEqual([
      'manifests/a_v1_configmap.yaml',
      'manifests/a_v1_configmap_2.yaml',
      'manifests/b-c-d_v1_configmap.yaml',
    ]);
  });

  test('annotations can be removed, and labels are quoted where necessary', () => {
    const files = filesIn({
      ...written,
      bundleAnnotations: {
        'operators.operatorframework.io.bundle.channel.default.v1': false,
        'com.example.versions': 'v1',
      },
      imageLabels: { plain: 'a', 'with space': 'say "$x"' },
    });
    const annotationsFile = valueOf(files['metadata/annotations.yaml']) as { annotations: object };
    expect(annotationsFile.annotations).not.toHaveProperty([
      'operators.operatorframework.io.bundle.channel.default.v1',
    ]);
    expect(annotationsFile.annotations).toHaveProperty(['com.example.versions'], 'v1');
    expect(files['bundle.Dockerfile']).toContain(
      'LABEL plain=a\nLABEL "with space"="say \\"\\$x\\""\n',
    );
  });
});

function deployment(name: string): DeploymentStrategySpec['deployments'][number] {
  const labels = { app: name };
  const containers = [{ name, image: `quay.io/example/${name}:1` }];
  return {
    name,
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers } },
    },
  };
}

describe('a right in its own namespace, which OLM grants in all of them', () => {
  const warned = (given: Partial<BundleProps>): unknown[] =>
    new Bundle(new App(), 'b', { ...props, ...given }).node.metadata
      .filter(({ type }) => type === WARNING)
      .map(({ data }) => data);
  const namespaces = ['redis-operator'];
  const secrets = { group: '', resource: 'secrets', verbs: ['get'], namespaces } as const;
  const reading = { ...operator, access: [...operator.access, secrets] };

  test('causes a warning where the bundle is for all namespaces, with any suite', () => {
    for (const suite of ['default', 'operatorhub', 'community', 'good-practices'] as const) {
      expect(warned({ operator: reading, suite })).toEqual([
        expect.stringMatching(
          /permissions\[0\]\.rules\[\d\] must have resourceNames.*got get secrets$/,
        ),
      ]);
    }
  });

  test('causes none where it is for its own namespace only, or names the objects that it reads', () => {
    expect(warned({ operator: reading, installModes: ['OwnNamespace'] })).toEqual([]);
    expect(warned({})).toEqual([]);
  });
});

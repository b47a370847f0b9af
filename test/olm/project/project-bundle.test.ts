import { describe, expect, test as plain } from '@jest/globals';
import { join } from 'node:path';
import type { Bundle } from '@tenantry/olm/bundle/bundle';
import { validateBundle } from '@tenantry/olm/rules/validate-bundle';
import type { Texts } from '@tenantry/olm/test/sample';
import { importFolder, importProject, lackOfKustomize } from './kustomized.ts';
import { kubebuilderProject, sdkProject } from '@tenantry/olm/test/project/shops';

const lacks = await lackOfKustomize();
if (lacks !== undefined) console.log(`no project is imported: ${lacks}`);
const test = lacks === undefined ? plain : plain.skip;

const bundleOf = (texts: Texts): Bundle => importProject(texts).bundle;

const lostOf = (texts: Texts): string[] =>
  importProject(texts)
    .findings.filter(({ severity }) => severity === 'error')
    .map(({ file, message }) => `${file} ${message}`);

const specOf = (texts: Texts) => bundleOf(texts).csv!.value.spec!;
const podOf = (texts: Texts) => specOf(texts).install!.spec!.deployments![0]!.spec!.template!.spec!;

test.each([
  ['kubebuilder', kubebuilderProject],
  ['operator-sdk', sdkProject],
])('the project of %s becomes a bundle that OLM accepts, and nothing is lost', (_, texts) => {
  const errors = validateBundle(bundleOf(texts)).filter(({ severity }) => severity === 'error');
  expect(errors.map(({ message }) => message)).toEqual([]);
  expect(lostOf(texts)).toEqual([]);
});

test('a missing or unreadable Deployment is reported, without its consequences', () => {
  const path = 'config/default/kustomization.yaml';
  const without = sdkProject[path]!.replace('- ../manager\n', '');
  expect(without).not.toBe(sdkProject[path]);
  expect(lostOf({ ...sdkProject, [path]: without })).toEqual([
    'config/manifests must contain a Deployment that OLM can run, got none: is ../manager among its resources?',
  ]);
  const manager = 'config/manager/manager.yaml';
  const broken = { ...sdkProject, [manager]: `${sdkProject[manager]}kind: [\n` };
  expect(lostOf(broken)[0]).toContain('config/manifests must be a kustomization that');
});

test('the Deployment is that of kustomize: named, patched, with the image', () => {
  const [deployment] = specOf(sdkProject).install!.spec!.deployments!;
  expect(deployment).toMatchObject({
    name: 'shops-controller-manager',
    label: { 'control-plane': 'controller-manager' },
  });
  expect(podOf(sdkProject)).toMatchObject({
    serviceAccountName: 'shops-controller-manager',
    volumes: [],
    containers: [
      {
        image: 'quay.io/example/shops:v1.2.0',
        args: [
          '--metrics-bind-address=:8443',
          '--leader-elect',
          '--health-probe-bind-address=:8081',
          '--webhook-cert-path=/tmp/k8s-webhook-server/serving-certs',
        ],
        volumeMounts: [],
      },
    ],
  });
});

test('the rights of the operator are those of its bindings, in their scope, and other roles stay objects', () => {
  const { permissions, clusterPermissions } = specOf(sdkProject).install!.spec!;
  const account = 'shops-controller-manager';
  expect(permissions).toEqual([
    {
      serviceAccountName: account,
      rules: [
        {
          apiGroups: ['coordination.k8s.io'],
          resources: ['leases'],
          verbs: ['get', 'create', 'update'],
        },
      ],
    },
  ]);
  expect(clusterPermissions).toEqual([
    {
      serviceAccountName: account,
      rules: [
        {
          apiGroups: ['example.com'],
          resources: ['shops', 'shops/status'],
          verbs: ['get', 'list', 'watch', 'patch'],
        },
      ],
    },
  ]);
  expect(
    bundleOf(sdkProject)
      .manifests.map(({ kind, name }) => `${kind} ${name}`)
      .toSorted(),
  ).toEqual([
    'ClusterRole shops-shop-viewer-role',
    'ClusterServiceVersion shops.v1.2.0',
    'CustomResourceDefinition shops.example.com',
    'Service shops-controller-manager-metrics-service',
    'Service shops-webhook-service',
  ]);
});

test('webhooks call the Deployment behind their Service', () => {
  const served = {
    deploymentName: 'shops-controller-manager',
    containerPort: 443,
    targetPort: 9443,
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
  };
  expect(specOf(sdkProject).webhookdefinitions).toEqual([
    {
      type: 'ConversionWebhook',
      generateName: 'cshop.kb.io',
      webhookPath: '/convert',
      conversionCRDs: ['shops.example.com'],
      ...served,
    },
    {
      type: 'ValidatingAdmissionWebhook',
      generateName: 'vshop-v1.kb.io',
      webhookPath: '/validate-example-com-v1-shop',
      failurePolicy: 'Fail',
      rules: [
        {
          apiGroups: ['example.com'],
          apiVersions: ['v1'],
          operations: ['CREATE', 'UPDATE'],
          resources: ['shops'],
        },
      ],
      ...served,
    },
  ]);
});

test('the bundle contains what the base, the Makefile and the samples declare, and kinds that they do not mention', () => {
  const { csv, annotations, scorecard } = bundleOf(sdkProject);
  expect(csv!.value.metadata!.annotations).toMatchObject({ capabilities: 'Seamless Upgrades' });
  expect(JSON.parse(csv!.value.metadata!.annotations!['alm-examples']!)).toEqual([
    {
      apiVersion: 'example.com/v1',
      kind: 'Shop',
      metadata: { name: 'shop-sample' },
      spec: { owner: 'ann' },
    },
  ]);
  expect(csv!.value.spec).toMatchObject({
    displayName: 'Shops',
    version: '1.2.0',
    maturity: 'alpha',
  });
  expect(csv!.value.spec).not.toHaveProperty('icon');
  expect(csv!.value.spec!.customresourcedefinitions!.owned).toEqual([
    {
      name: 'shops.example.com',
      version: 'v1alpha1',
      kind: 'Shop',
      displayName: 'Shop',
      description: 'Shop is where things are sold.',
    },
    expect.objectContaining({ version: 'v1', description: 'Where things are sold.' }),
  ]);
  expect(annotations.values).toMatchObject({
    'operators.operatorframework.io.bundle.package.v1': 'shops',
    'operators.operatorframework.io.bundle.channels.v1': 'candidate,stable',
    'operators.operatorframework.io.bundle.channel.default.v1': 'stable',
  });
  expect(scorecard!.value).toHaveProperty('stages.0.tests.0.entrypoint', [
    'scorecard-test',
    'basic-check-spec',
  ]);
});

describe('an unsupported part is reported:', () => {
  const added = (file: string, text: string): Texts => ({
    ...sdkProject,
    [file]: `${sdkProject[file]!.trimEnd()}\n${text}`,
  });

  test.each<readonly [string, Texts, string]>([
    [
      'a folder that includes itself',
      added('config/rbac/kustomization.yaml', '- ../default\n'),
      'config/manifests must be a kustomization that',
    ],
    [
      'a patch without a target',
      added('config/default/manager_metrics_patch.yaml', '- { op: remove, path: /spec/nothing }\n'),
      'config/manifests must be a kustomization that',
    ],
    [
      'a kind that bundles do not support',
      {
        ...added('config/rbac/kustomization.yaml', '- job.yaml\n'),
        'config/rbac/job.yaml':
          'apiVersion: batch/v1\nkind: Job\nmetadata: { name: a, namespace: system }\n',
      },
      'config/manifests is not carried over: Job shops-a: no bundle has this kind',
    ],
    [
      'a field that webhooks of OLM do not have',
      {
        ...sdkProject,
        'config/webhook/manifests.yaml': sdkProject['config/webhook/manifests.yaml']!.replace(
          '  sideEffects: None\n',
          '  sideEffects: None\n  matchConditions: []\n',
        ),
      },
      'config/manifests is not carried over: matchConditions of vshop-v1.kb.io: a webhook of OLM has none',
    ],
  ])('%s', (_, texts, message) => {
    expect(lostOf(texts)).toContainEqual(expect.stringContaining(message));
  });
});

test("rights in another namespace do not become rights in the operator's namespace", () => {
  const binding = `apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: { name: far, namespace: kube-system }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: Role, name: far }
subjects: [{ kind: ServiceAccount, name: shops-controller-manager, namespace: shops-system }]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: { name: far, namespace: kube-system }
rules: [{ apiGroups: [''], resources: [secrets], verbs: [get] }]
`;
  const texts = {
    ...sdkProject,
    'config/manifests/far.yaml': binding,
    'config/manifests/kustomization.yaml': sdkProject[
      'config/manifests/kustomization.yaml'
    ]!.replace('- ../default\n', '- ../default\n- far.yaml\n'),
  };
  expect(JSON.stringify(specOf(texts).install)).not.toContain('secrets');
  expect(lostOf(texts)).toEqual([
    expect.stringContaining('Role far: it is in kube-system'),
    expect.stringContaining('RoleBinding far: it is in kube-system'),
  ]);
});

const BASE = 'config/manifests/bases/shops.clusterserviceversion.yaml';

test('the base of the project is used, also if no kustomization includes it', () => {
  const path = 'config/manifests/kustomization.yaml';
  const text = sdkProject[path]!;
  const without = { ...sdkProject, [path]: text.replace(/^.*clusterserviceversion.*\n/m, '') };
  expect(without[path]).not.toBe(text);
  expect(specOf(without).provider).toEqual(specOf(sdkProject).provider);
  expect(specOf(without).provider?.name).toEqual(expect.any(String));
});

test('descriptions of versions without a definition are left out and reported', () => {
  const text = sdkProject[BASE]!;
  const texts = {
    ...sdkProject,
    [BASE]: text.replace(
      /^( +)owned:\n/m,
      '$&$1- { name: shops.example.com, kind: Shop, version: v9 }\n$1- { name: gone.example.com, kind: Gone }\n',
    ),
  };
  expect(texts[BASE]).not.toBe(text);
  const owned = specOf(texts).customresourcedefinitions!.owned!;
  expect(owned).toEqual(specOf(sdkProject).customresourcedefinitions!.owned);
  expect(importProject(texts).findings.map(({ message }) => message)).toEqual(
    expect.arrayContaining([
      'is left out: owned Shop v9: no definition has such a version',
      'is left out: owned Gone: no definition has such a version',
    ]),
  );
});

test('an invalid VERSION is reported, and the default is used', () => {
  const texts = { ...sdkProject, Makefile: 'VERSION ?= main\nCHANNELS ?= alpha\n' };
  expect(specOf(texts).version).toBe('0.0.1');
  expect(importProject(texts).findings).toContainEqual(
    expect.objectContaining({
      file: 'Makefile',
      message: "must set VERSION, such as '1.2.3', got 'main': '0.0.1' is used",
    }),
  );
});

test('a cluster-scoped role with a namespace stays cluster-scoped, as for an API server', () => {
  const role = `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: viewer, namespace: elsewhere }
rules: [{ apiGroups: [example.com], resources: [shops], verbs: [get] }]
`;
  const path = 'config/rbac/kustomization.yaml';
  const texts = {
    ...sdkProject,
    [path]: `${sdkProject[path]!.trimEnd()}\n- viewer.yaml\n`,
    'config/rbac/viewer.yaml': role,
  };
  expect(lostOf(texts)).toEqual([]);
  expect(bundleOf(texts).manifests.map(({ name }) => name)).toContain('shops-viewer');
});

test('images in the environment of the operator are related images, as in operator-sdk', () => {
  const path = 'config/manager/manager.yaml';
  const variables = [
    '{ name: RELATED_IMAGE_MY_DB, value: quay.io/example/db:1 }',
    '{ name: RELATED_IMAGE_CACHE, value: quay.io/example/cache:1 }',
    '{ name: RELATED_IMAGE_CACHE_2, value: quay.io/example/cache:1 }',
    '{ name: OTHER_IMAGE, value: quay.io/example/other:1 }',
  ];
  const texts = {
    ...sdkProject,
    [path]: sdkProject[path]!.replace(
      'command:',
      `env: [${variables.join(', ')}]\n        command:`,
    ),
  };
  expect(texts[path]).not.toBe(sdkProject[path]);
  expect(specOf(texts).relatedImages).toEqual([
    { name: 'my-db', image: 'quay.io/example/db:1' },
    { name: '', image: 'quay.io/example/cache:1' },
  ]);
});

test('a given overlay is built, with the base in it', () => {
  const base = sdkProject[BASE]!;
  const texts = {
    ...kubebuilderProject,
    'config/mine/kustomization.yaml': 'resources: [../default, base.yaml]\nnameSuffix: -mine\n',
    'config/mine/base.yaml': base,
  };
  const { bundle } = importProject(texts, 'config/mine');
  expect(bundle.csv!.value.spec!.provider).toEqual(specOf(sdkProject).provider);
  const [deployment] = bundle.csv!.value.spec!.install!.spec!.deployments!;
  expect(deployment!.name).toBe('shops-controller-manager-mine');
});

test('a second ClusterServiceVersion is reported', () => {
  const texts = {
    ...sdkProject,
    'config/samples/kustomization.yaml': `${sdkProject['config/samples/kustomization.yaml']!.trimEnd()}\n- csv.yaml\n`,
    'config/samples/csv.yaml': sdkProject[BASE]!.replace(/^ {2}name: .*$/m, '  name: other.v1.0.0'),
  };
  expect(lostOf(texts)).toContainEqual(
    expect.stringContaining('is not carried over: ClusterServiceVersion'),
  );
});

const trials = process.env['TENANTRY_TRIALS'];

(trials && lacks === undefined ? plain : plain.skip)(
  'patches reach the container that they reach in kustomize [skipped where TENANTRY_TRIALS names no folder]',
  () => {
    const { bundle, findings } = importFolder(join(trials!, 'import-container-order'));
    expect(findings).toEqual([]);
    const pod = bundle.csv!.value.spec!.install!.spec!.deployments![0]!.spec!.template!.spec!;
    expect(pod.containers!.map(({ name, args }) => [name, args])).toEqual([
      ['manager', ['--x', '--metrics-bind-address=:8443']],
      ['kube-rbac-proxy', ['--upstream=http://127.0.0.1:8080/']],
    ]);
    const { bundle: other } = importFolder(join(trials!, 'import-related-images'));
    expect(other.csv!.value.spec!.relatedImages).toEqual([{ name: 'db', image: 'quay.io/e/db:1' }]);
  },
);

test('two strategic merge patches are merged in the order of kustomize', () => {
  const deployment = (containers: string): string =>
    `apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: a }\nspec: { template: { spec: { containers: [${containers}] } } }\n`;
  const texts = {
    'config/default/kustomization.yaml':
      'resources: [a.yaml]\npatches:\n- path: proxy.yaml\n- path: manager.yaml\n- target: { kind: Deployment }\n  path: second.yaml\n',
    'config/default/a.yaml': deployment('{ name: manager, image: a, args: [--first] }'),
    'config/default/proxy.yaml': deployment('{ name: proxy, image: b, args: [--only] }'),
    'config/default/manager.yaml': deployment('{ name: manager, ports: [{ containerPort: 1 }] }'),
    'config/default/second.yaml':
      '- { op: add, path: /spec/template/spec/containers/0/args/-, value: --second }\n',
    PROJECT: 'projectName: a\n',
    Makefile: 'VERSION ?= 1.0.0\nCHANNELS ?= stable\n',
  };
  const containers = podOf(texts).containers!;
  expect(containers.map(({ name, args }) => [name, args])).toEqual([
    ['manager', ['--first', '--second']],
    ['proxy', ['--only']],
  ]);
});

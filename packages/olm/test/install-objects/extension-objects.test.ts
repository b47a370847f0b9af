import { expect, test } from '@jest/globals';
import {
  buildExtensionObjects,
  computeInstallerRights,
} from '../../install-objects/extension-objects.ts';
import { checkExtensionSupport } from '../../install-objects/extension-findings.ts';
import { buildInstalledObjects } from '../../install-objects/installed-objects.ts';
import { bundleOf, spec } from './given.ts';

type Rule = {
  readonly resources?: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
};

/** Formats rules as `verbs resource names`, a line each. */
const linesOf = (rules: readonly object[]): string[] =>
  (rules as Rule[]).flatMap(({ resources = [], verbs, resourceNames = [] }) =>
    resources.map((one) => [verbs.join(','), one, ...resourceNames].join(' ')),
  );

const rights = (bundle = bundleOf(), older: Parameters<typeof computeInstallerRights>[3] = []) =>
  computeInstallerRights('redis', 'redis', buildInstalledObjects(bundle, 'redis'), older);

test('the account manages objects by name, creates and watches only their kinds', () => {
  const { manages } = rights();
  const names = buildInstalledObjects(bundleOf(), 'redis')
    .filter(({ kind }) => kind === 'ClusterRoleBinding')
    .map(({ metadata }) => metadata.name)
    .toSorted();
  const [, ...granted] = names;
  expect(granted).toHaveLength(2);
  expect(linesOf(manages.namespace).toSorted()).toEqual([
    'create configmaps',
    'create deployments',
    'create roles',
    'create serviceaccounts',
    'get,update,patch,delete configmaps redis-config',
    'get,update,patch,delete deployments redis-operator',
    'get,update,patch,delete roles redis-secrets',
    'get,update,patch,delete serviceaccounts redis-operator',
  ]);
  expect(linesOf(manages.cluster)).toEqual([
    'list,watch configmaps',
    'list,watch serviceaccounts',
    'list,watch,create customresourcedefinitions',
    'get,update,patch,delete customresourcedefinitions redises.example.com',
    'list,watch deployments',
    'update clusterextensions/finalizers redis',
    'list,watch,create clusterrolebindings',
    'list,watch,create clusterroles',
    `get,update,patch,delete clusterrolebindings ${names.join(' ')}`,
    `get,update,patch,delete clusterroles redis-metrics-reader ${granted.join(' ')}`,
    'bind clusterroles system:auth-delegator',
    'list,watch roles',
  ]);
});

test('objects of existing bundles can be removed, but not created', () => {
  const old = { ...spec, version: '1.0.0' };
  const older = buildInstalledObjects(bundleOf(old, []), 'redis');
  const now = linesOf(rights(bundleOf(spec, []), older).manages.cluster).join('\n');
  for (const { kind, metadata } of older) {
    if (kind.startsWith('ClusterRole')) expect(now).toContain(metadata.name);
  }
  const alone = rights(bundleOf(spec, []), []);
  expect(rights(bundleOf(spec, []), older).grants).toEqual(alone.grants);
});

test('the rights of the account are bound only to it, in the namespace or in the cluster', () => {
  const { objects } = buildExtensionObjects(bundleOf(), { name: 'caches', namespace: 'redis' });
  const named = { apiGroup: 'rbac.authorization.k8s.io' };
  const subjects = [{ kind: 'ServiceAccount', name: 'caches-installer', namespace: 'redis' }];
  const roleOf = (kind: string, name: string) => ({ roleRef: { ...named, kind, name }, subjects });
  const bindings = objects.filter(({ kind }) => kind.endsWith('RoleBinding'));
  expect(bindings).toEqual(
    ['caches-installer', 'caches-installer-grants'].flatMap((name) => [
      {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRoleBinding',
        metadata: { name },
        ...roleOf('ClusterRole', name),
      },
      {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'RoleBinding',
        metadata: { name, namespace: 'redis' },
        ...roleOf('Role', name),
      },
    ]),
  );
  const roles = objects.filter(({ kind }) => kind.endsWith('Role'));
  expect(roles.map(({ kind, metadata }) => [kind, metadata])).toEqual(
    bindings.map(({ kind, metadata }) => [kind.replace('Binding', ''), metadata]),
  );
});

test('the account may bind only the roles that the bundle does not contain, where they are bound', () => {
  const rbac = 'rbac.authorization.k8s.io';
  const binding = (kind: string, name: string, roleRef?: object) => ({
    apiVersion: `${rbac}/v1`,
    kind,
    metadata: { name },
    roleRef,
    subjects: [],
  });
  const to = (kind: string, name: unknown) => ({ apiGroup: rbac, kind, name });
  const { manages } = rights(
    bundleOf(spec, [
      { apiVersion: `${rbac}/v1`, kind: 'Role', metadata: { name: 'own' }, rules: [] },
      binding('RoleBinding', 'a', to('Role', 'own')),
      binding('RoleBinding', 'b', to('Role', 'theirs')),
      binding('RoleBinding', 'c', to('ClusterRole', 'view')),
      binding('ClusterRoleBinding', 'd', to('ClusterRole', 'edit')),
      binding('RoleBinding', 'e', to('Role', '')),
      binding('RoleBinding', 'f', to('Role', 7)),
      binding('RoleBinding', 'g'),
    ]),
  );
  const binds = (rules: readonly object[]) =>
    linesOf(rules).filter((line) => line.startsWith('bind '));
  expect(binds(manages.cluster)).toEqual(['bind clusterroles edit']);
  expect(binds(manages.namespace).toSorted()).toEqual([
    'bind clusterroles view',
    'bind roles theirs',
  ]);
});

test('the account has the rights that it grants to the operator, and may bind roles that the bundle does not contain', () => {
  const { grants, manages } = rights();
  expect(grants.cluster).toContainEqual({ apiGroups: [''], resources: ['pods'], verbs: ['*'] });
  expect(grants.cluster).toContainEqual({ nonResourceURLs: ['/metrics'], verbs: ['get'] });
  expect(linesOf(grants.cluster)).toContain('get,list,watch namespaces');
  expect(linesOf(grants.namespace)).toEqual(['get secrets redis']);
  expect(linesOf(manages.cluster)).toContain('bind clusterroles system:auth-delegator');
  expect(JSON.stringify([manages, grants])).not.toContain('escalate');
});

const faults = (changed: object, objects: readonly object[] = [], files = {}): string[] =>
  checkExtensionSupport(
    bundleOf({ ...spec, ...changed }, objects as Parameters<typeof bundleOf>[1], files),
  ).map(
    ({ severity, file = '', path, message }) => `${severity} ${file} ${path.join('.')} ${message}`,
  );

test('a bundle that OLM v1 supports has no findings', () => {
  expect(faults({})).toEqual([]);
});

test.each([
  [
    'a bundle that cannot watch all namespaces',
    faults({ installModes: [{ type: 'OwnNamespace', supported: true }] }),
    /^error .*clusterserviceversion.yaml spec.installModes must support AllNamespaces.*got OwnNamespace$/,
  ],
  [
    'a required API',
    faults({
      customresourcedefinitions: {
        required: [{ name: 'issuers.cert-manager.io', version: 'v1', kind: 'Issuer' }],
      },
    }),
    /^error .*required must be absent: OLM v1 installs no dependencies.*got Issuer.v1.cert-manager.io$/,
  ],
  [
    'a required package',
    faults({}, [], {
      'metadata/dependencies.yaml':
        'dependencies:\n  - type: olm.package\n    value: { packageName: other, version: ">1.0.0" }\n',
    }),
    /^error metadata\/dependencies.yaml dependencies.0.* must be absent: OLM v1 installs no dependencies.*got 'olm.package'$/,
  ],
  [
    'a constraint among properties',
    faults({}, [], {
      'metadata/properties.yaml':
        'properties:\n  - type: olm.gvk.required\n    value: { group: a.b, version: v1, kind: C }\n',
    }),
    /^error metadata\/properties.yaml .*'olm.gvk.required'$/,
  ],
  [
    'an aggregated API server',
    faults({
      apiservicedefinitions: { owned: [{ name: 'x', group: 'a.b', version: 'v1', kind: 'X' }] },
    }),
    /^error .*apiservicedefinitions.owned must be left out.*got 1$/,
  ],
  [
    'a role of roles',
    faults({}, [
      {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRole',
        metadata: { name: 'all' },
        aggregationRule: { clusterRoleSelectors: [] },
      },
    ]),
    /^error manifests\/0.yaml aggregationRule must be left out/,
  ],
  [
    'a kind that OLM does not install',
    faults({}, [{ apiVersion: 'batch.example.com/v1', kind: 'Sum', metadata: { name: 'a' } }]),
    /^error manifests\/0.yaml kind must be a kind that OLM installs, got 'Sum'$/,
  ],
  [
    'a name with a meaning in RBAC',
    faults({}, [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: '*' } }]),
    /^error {2} must name its ConfigMap as Kubernetes does, got '\*'$/,
  ],
  [
    'a Secret, whose kind is watched everywhere',
    faults({}, [{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' } }]),
    /^warning manifests\/0.yaml kind lets the installer read all Secrets/,
  ],
])('%s is reported', (_, found, expected) => {
  expect(found).toEqual([expect.stringMatching(expected)]);
});

test('webhooks need an issuer of certificates, and may not apply to everything', () => {
  const webhook = {
    type: 'ValidatingAdmissionWebhook',
    generateName: 'redises.example.com',
    deploymentName: 'redis-operator',
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
  };
  const asking = (apiGroups: string[], resources = ['*']): string[] =>
    faults({ webhookdefinitions: [{ ...webhook, rules: [{ apiGroups, resources }] }] });
  expect(asking(['example.com'])).toEqual([expect.stringContaining('need cert-manager')]);
  for (const groups of [['*'], ['olm.operatorframework.io'], ['admissionregistration.k8s.io']]) {
    expect(asking(groups)[0]).toMatch(/webhookdefinitions.0.rules.0 must not apply to OLM's own/);
  }
  const policies = ['validatingadmissionpolicies'];
  expect(asking(['admissionregistration.k8s.io'], policies)).toHaveLength(1);
  const rules = [{ apiGroups: ['*'], resources: ['*'] }];
  const converting = { ...webhook, type: 'ConversionWebhook', rules };
  expect(faults({ webhookdefinitions: [converting] })).toEqual([
    expect.stringContaining('need cert-manager'),
  ]);
  const made = buildInstalledObjects(
    bundleOf({ ...spec, webhookdefinitions: [webhook] }, []),
    'redis',
  );
  expect(made.slice(-4).map(({ kind, metadata: { name } }) => `${kind} ${name}`)).toEqual([
    'ValidatingWebhookConfiguration redises.example.com',
    'Service redis-operator-service',
    'Issuer redis-operator-service-cert-selfsigned-issuer',
    'Certificate redis-operator-service-cert',
  ]);
});

test('a ClusterExtension has this version and an account of its own', () => {
  const { objects, findings } = buildExtensionObjects(bundleOf(spec, []), {
    catalogs: { example: 'yes' },
  });
  expect(findings).toEqual([]);
  expect(objects.map(({ kind, metadata: { name } }) => `${kind} ${name}`)).toEqual([
    'Namespace redis-operator',
    'ServiceAccount redis-operator-installer',
    'ClusterRole redis-operator-installer',
    'ClusterRoleBinding redis-operator-installer',
    'Role redis-operator-installer',
    'RoleBinding redis-operator-installer',
    'ClusterRole redis-operator-installer-grants',
    'ClusterRoleBinding redis-operator-installer-grants',
    'ClusterExtension redis-operator',
  ]);
  expect(objects.at(-1)?.['spec']).toEqual({
    namespace: 'redis-operator',
    serviceAccount: { name: 'redis-operator-installer' },
    source: {
      sourceType: 'Catalog',
      catalog: {
        packageName: 'redis-operator',
        version: '1.2.3',
        selector: { matchLabels: { example: 'yes' } },
      },
    },
  });
});

test('the given channels are used, and the namespace that the bundle suggests', () => {
  const annotations = { 'operatorframework.io/suggested-namespace': 'caches' };
  const { objects } = buildExtensionObjects(bundleOf(spec, [], {}, annotations), {
    channels: ['fast', 'stable'],
  });
  expect(objects[0]).toMatchObject({ kind: 'Namespace', metadata: { name: 'caches' } });
  expect(objects.at(-1)).toMatchObject({
    spec: { namespace: 'caches', source: { catalog: { channels: ['fast', 'stable'] } } },
  });
});

test('for existing bundles, rights to remove objects are rendered, and only obstacles to that are reported', () => {
  const old = bundleOf({ ...spec, version: '1.0.0' }, [
    { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'left' } },
  ]);
  const { objects, findings } = buildExtensionObjects(bundleOf(spec, []), {}, [old]);
  expect(findings).toEqual([]);
  const role = objects.find(({ kind }) => kind === 'Role');
  expect(linesOf(role?.['rules'] as object[])).toContain('get,update,patch,delete secrets left');
  const broken = bundleOf({ ...spec, installModes: [], version: '1.0.0' }, []);
  expect(buildExtensionObjects(bundleOf(spec, []), {}, [broken]).findings).toHaveLength(1);
});

test('if OLM installs with its own rights, there is no account and no role', () => {
  const { objects } = buildExtensionObjects(bundleOf(), { account: 'None', makesNamespace: false });
  expect(objects.map(({ kind }) => kind)).toEqual(['ClusterExtension']);
  expect(JSON.stringify(objects)).not.toContain('serviceAccount');
});

test('invalid options are reported with their path, and no rights are rendered', () => {
  const paths = (...[props, bundle = bundleOf()]: [object, ReturnType<typeof bundleOf>?]) =>
    buildExtensionObjects(bundle, props).findings.map(({ path }) => path.join('.'));
  expect(paths({ namespace: 'Redis' })).toContain('namespace');
  expect(paths({ version: 'newest' })).toEqual(['ClusterExtension.spec.source.catalog.version']);
  expect(paths({ name: 'R' })).toContain('ClusterExtension.metadata.name');
  const refused = buildExtensionObjects(bundleOf({ ...spec, installModes: [] }));
  expect(refused.objects.map(({ kind }) => kind)).toEqual(['Namespace', 'ClusterExtension']);
  const other = bundleOf(spec, [], {
    'metadata/annotations.yaml':
      'annotations: { operators.operatorframework.io.bundle.package.v1: other }\n',
  });
  const { findings } = buildExtensionObjects(bundleOf(), {}, [other]);
  expect(findings.map(({ message }) => message)).toEqual([
    "must be of the package 'redis-operator', got 'other'",
  ]);
  const nameless = bundleOf(spec, [], { 'metadata/annotations.yaml': 'annotations: {}\n' });
  expect(buildExtensionObjects(nameless).findings[0]?.message).toMatch(/^must declare its package/);
});

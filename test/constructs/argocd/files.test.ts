import { globSync, readFileSync } from 'node:fs';
import { dirname, join, matchesGlob } from 'node:path';
import { expect, test } from '@jest/globals';
import { appProject, application, applicationSet } from '../../../model/argocd/api/definitions.ts';
import type {
  ApplicationSetSpec,
  ApplicationSpec,
  AppProjectSpec,
} from '../../../model/argocd/api/types.ts';
import { renderArgoCDFiles } from '../../../model/argocd/platform/files.ts';
import { permitsDestination } from '../../../model/argocd/patterns/allow-lists.ts';
import { PARTS } from '../../../model/layout.ts';
import { names } from '../../../model/argocd/platform/objects.ts';
import { resolvePlatform } from '../../../model/platform.ts';
import { admitObject } from '@tenantry/crd/admit-object';
import { builtinScope } from '@tenantry/kube/builtin-kinds';
import { groupOf, type KubeObject } from '@tenantry/kube/object';
import { readDocuments } from '@tenantry/kube/yaml/read';
import { platform, tenant, tenantClass, withFleet } from '../../apps/fleet.ts';
import { ofOneVersion } from '../../cluster/crds.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const repoURL = 'https://git.example.com/platform/tenants.git';
const clusters = [
  { name: 'eu1', server: 'https://eu1.example.com', targetRevision: 'env/eu1' },
  { name: 'in-cluster' },
];
const source = { repoURL, targetRevision: 'main' };

type Files = Readonly<Record<string, string>>;

const objectsIn = (text = ''): KubeObject[] =>
  readDocuments(text).documents.map(({ value }) => value as KubeObject);

/** Objects of Argo CD without its settings, which no Application syncs. */
const isOfArgoCD = ({ apiVersion }: KubeObject): boolean => groupOf(apiVersion) === 'argoproj.io';

/** Collects the objects of Argo CD by kind and name. */
function collectArgoCDObjects(files: Files): Map<string, KubeObject> {
  const paths = Object.keys(files).filter((path) => path.startsWith('argocd/'));
  const objects = paths.flatMap((path) => objectsIn(files[path])).filter(isOfArgoCD);
  return new Map(objects.map((one) => [`${one.kind} ${one.metadata.name}`, one]));
}

const specOf = <S>(argocdObjects: Map<string, KubeObject>, key: string): S =>
  argocdObjects.get(key)!['spec'] as S;

const annotationsOf = (argocdObjects: Map<string, KubeObject>, key: string) =>
  argocdObjects.get(key)!.metadata.annotations ?? {};

/** @param body receives the output of an app with two tenants on two clusters */
const rendered = (
  spec: object,
  body: (files: Files, warnings: readonly unknown[]) => void,
  more: Files = {},
): void =>
  withFleet(
    {
      'tenantry.yaml': platform({ clusters, defaultClass: 'gold', ...spec }),
      'tenants/classes/gold.yaml': tenantClass('gold', {
        defaults: { network: { isolation: 'SameTenant' } },
      }),
      'tenants/a.yaml': tenant('a', { clusters: ['eu1', 'in-cluster'] }),
      'tenants/b.yaml': tenant('b'),
      ...more,
    },
    (fleet) => body(fleet.rendered(), fleet.render().summary?.warnings ?? []),
  );

test('a platform without argocd.source renders no files for Argo CD', () => {
  rendered({ clusters: [{ name: 'eu1' }, { name: 'in-cluster' }] }, (files) => {
    expect(Object.keys(files).filter((path) => path.includes('argocd'))).toEqual([]);
  });
  expect(renderArgoCDFiles(resolvePlatform())).toEqual(new Map());
});

test('every Application has an existing folder of the output, and every folder has one Application', () => {
  rendered({ argocd: { source } }, (files) => {
    const argocdObjects = collectArgoCDObjects(files);
    const pointed = [...argocdObjects.values()]
      .filter(({ kind }) => kind === 'Application')
      .map(({ spec }) => (spec as ApplicationSpec).source!.path!.replace(/^dist\//, ''));
    const tenantsOf = (cluster: string) => {
      const { generators } = specOf<ApplicationSetSpec>(
        argocdObjects,
        `ApplicationSet ${names.tenants('rbac', cluster)}`,
      );
      return generators[0]!.git!.directories![0]!.path.replace(/^dist\//, '');
    };
    const patterns = ['eu1', 'in-cluster'].map(tenantsOf);
    const folders = [...new Set(Object.keys(files).map(dirname))].filter(
      (folder) => !/^[.]$|^argocd[/]settings$|[/](rbac|resources)$/.test(folder),
    );
    const tenants = folders.filter((one) => patterns.some((pattern) => matchesGlob(one, pattern)));
    expect(tenants.toSorted()).toEqual([
      'clusters/eu1/tenants/a',
      'clusters/eu1/tenants/b',
      'clusters/in-cluster/tenants/a',
    ]);
    expect([...pointed, ...tenants].toSorted()).toEqual(folders.toSorted());
  });
});

const feedFile = (apiVersion: string): string =>
  JSON.stringify({
    ...ofOneVersion(
      { apiVersion: 'example.com/v1', kind: 'Feed', plural: 'feeds' },
      { type: 'object' },
      'Namespaced',
    ),
    apiVersion,
  });
const crdFiles = ['crds'];
const kindOf = (kind: string, scope = 'Namespaced') => ({ group: 'example.com', kind, scope });

const warned = (lacking: string): unknown => [
  expect.objectContaining({
    rule: 'server-side-diff',
    path: 'spec.kinds',
    message: expect.stringContaining(`got no definition of ${lacking}:`),
  }),
];

test.each<[string, object, 'true' | 'false', unknown]>([
  ['a platform without kinds of others', {}, 'false', []],
  ['one that has the definitions of all', { crdFiles, kinds: [kindOf('Feed')] }, 'false', []],
  ['a kind outside of namespaces', { kinds: [kindOf('Planet', 'Cluster')] }, 'false', []],
  [
    'kinds without a definition',
    { crdFiles, kinds: [kindOf('Widget'), kindOf('Feed'), kindOf('Gadget')] },
    'true',
    warned('Widget, Gadget'),
  ],
  ['a definition that cannot be used', { crdFiles: ['old'] }, 'true', warned('Feed')],
  [
    'kinds without a definition, with server-side diff disabled in the platform',
    { kinds: [kindOf('Widget')], argocd: { source, serverSideDiff: 'Disabled' } },
    'false',
    [],
  ],
  ['a platform that wants it', { argocd: { source, serverSideDiff: 'Enabled' } }, 'true', []],
])('%s: the server-side diff of a tenant is on or off', (_, spec, isOn, warnings) => {
  const files = {
    'crds/feed.yaml': feedFile('apiextensions.k8s.io/v1'),
    'old/feed.yaml': feedFile('apiextensions.k8s.io/v1beta1'),
  };
  rendered(
    { argocd: { source }, ...spec },
    (output, found) => {
      const argocdObjects = collectArgoCDObjects(output);
      for (const cluster of ['eu1', 'in-cluster']) {
        for (const part of PARTS) {
          const set = specOf<ApplicationSetSpec>(
            argocdObjects,
            `ApplicationSet ${names.tenants(part, cluster)}`,
          );
          expect(set.template.metadata.annotations).toMatchObject({
            'argocd.argoproj.io/compare-options': `ServerSideDiff=${part === 'resources' ? isOn : 'false'}`,
          });
        }
        expect(
          annotationsOf(argocdObjects, `Application ${names.part('crds', cluster)}`),
        ).toMatchObject({
          'argocd.argoproj.io/compare-options': 'ServerSideDiff=true',
        });
      }
      expect(found).toEqual(warnings);
    },
    files,
  );
});

test('a cluster is synced at its own revision, and the objects of Argo CD at the revision of the source', () => {
  rendered({ argocd: { source: { ...source, path: 'out' } } }, (files) => {
    const argocdObjects = collectArgoCDObjects(files);
    const revision = (name: string) =>
      specOf<ApplicationSpec>(argocdObjects, `Application ${name}`).source!.targetRevision;
    expect(revision('tenantry-crds-eu1')).toBe('env/eu1');
    expect(revision('tenantry-crds-in-cluster')).toBe('main');
    expect(revision('tenantry-cluster-eu1')).toBe('main');
    expect(revision('tenantry')).toBe('main');
    const { generators, template } = specOf<ApplicationSetSpec>(
      argocdObjects,
      'ApplicationSet tenantry-rbac-eu1',
    );
    expect(generators[0]!.git).toMatchObject({
      revision: 'env/eu1',
      directories: [{ path: 'out/clusters/eu1/tenants/*' }],
    });
    expect(template.spec.source!.targetRevision).toBe('env/eu1');
    expect(template.metadata.name).toBe('eu1.{{ .path.basename }}.tenantry.rbac');
    expect(template.spec.project).toBe('eu1.{{ .path.basename }}');
    expect(revision('tenantry-projects-eu1')).toBe('env/eu1');
  });
});

test('the revision defaults to the default branch, and a path of "." adds no folder', () => {
  const files = renderArgoCDFiles(resolvePlatform({ argocd: { source: { repoURL, path: '.' } } }));
  const objects = [...files.values()].flat().filter(isOfArgoCD);
  const sources = objects.flatMap(({ spec }) => (spec as ApplicationSpec).source ?? []);
  expect(sources.every((one) => !('targetRevision' in one))).toBe(true);
  expect(sources.map(({ path }) => path)).toContain('clusters/in-cluster/crds');
  const set = objects.find(({ kind }) => kind === 'ApplicationSet')!['spec'] as ApplicationSetSpec;
  expect(set.generators[0]!.git!.revision).toBe('HEAD');
});

test('the projects of a cluster permit that cluster as destination, whatever its address', () => {
  const server = 'https://[fd00::1]:6443';
  const spec = { argocd: { source }, clusters: [{ name: 'eu1', server }, { name: 'in-cluster' }] };
  rendered(spec, (files) => {
    const argocdObjects = collectArgoCDObjects(files);
    const lets = (project: string, to: object): boolean =>
      permitsDestination(
        specOf<AppProjectSpec>(
          argocdObjects,
          `AppProject ${project.replace('{{ .path.basename }}', 'a')}`,
        ).destinations!,
        to,
      );
    const crds = specOf<ApplicationSpec>(argocdObjects, 'Application tenantry-crds-eu1');
    expect(crds.destination).toEqual({ server });
    expect(lets(crds.project, { server })).toBe(true);
    const { template } = specOf<ApplicationSetSpec>(
      argocdObjects,
      'ApplicationSet tenantry-rbac-eu1',
    );
    expect(template.spec.destination).toEqual({ server });
    expect(lets(template.spec.project, { server })).toBe(true);
    expect(lets(template.spec.project, { server, namespace: 'a' })).toBe(true);
    expect(lets(template.spec.project, { server, namespace: 'b' })).toBe(false);
    expect(lets(template.spec.project, { server: 'https://f:6443', namespace: 'a' })).toBe(false);
  });
});

test('CRDs are synced before policies and classes, these before tenants, and projects before all of them', () => {
  rendered({ argocd: { source } }, (files) => {
    const argocdObjects = collectArgoCDObjects(files);
    const wave = (key: string) =>
      Number(annotationsOf(argocdObjects, key)['argocd.argoproj.io/sync-wave'] ?? 0);
    const order = [
      ['AppProject tenantry-platform-eu1', 'Application tenantry-projects-eu1'],
      ['Application tenantry-crds-eu1'],
      ['Application tenantry-policies-eu1', 'Application tenantry-tenantclasses-eu1'],
      [
        'Application tenantry-operator-eu1',
        'ApplicationSet tenantry-namespaces-eu1',
        'ApplicationSet tenantry-rbac-eu1',
        'ApplicationSet tenantry-resources-eu1',
      ],
    ].map((keys) => [...new Set(keys.map(wave))]);
    expect(order).toEqual([[-3], [-2], [-1], [0]]);
  });
});

test('deletion of an Application cascades only where that revokes access', () => {
  rendered({ argocd: { source } }, (files) => {
    const argocdObjects = collectArgoCDObjects(files);
    const cascading = [...argocdObjects].flatMap(([key, { metadata }]) =>
      key.startsWith('Application ') && 'finalizers' in metadata ? [key] : [],
    );
    expect(cascading.toSorted()).toEqual([
      'Application tenantry-cluster-eu1',
      'Application tenantry-cluster-in-cluster',
      // Argo CD deletes these projects when no Application refers to them any more.
      'Application tenantry-projects-eu1',
      'Application tenantry-projects-in-cluster',
    ]);
    const { template } = specOf<ApplicationSetSpec>(
      argocdObjects,
      'ApplicationSet tenantry-rbac-eu1',
    );
    expect(template.metadata.finalizers).toEqual([
      'resources-finalizer.argocd.argoproj.io/background',
    ]);
  });
});

test('access is pruned in the background, without waiting for the garbage collector', () => {
  rendered({ argocd: { source } }, (files) => {
    const argocdObjects = collectArgoCDObjects(files);
    const sets = specOf<ApplicationSetSpec>(argocdObjects, 'ApplicationSet tenantry-rbac-eu1');
    const applications = [...argocdObjects].filter(([key]) => key.startsWith('Application '));
    const specs = applications.map(([key]) => specOf<ApplicationSpec>(argocdObjects, key));
    expect(specs.length).toBeGreaterThan(0);
    for (const { syncPolicy } of [sets.template.spec, ...specs]) {
      expect(syncPolicy!.syncOptions).toContain('PrunePropagationPolicy=background');
    }
  });
});

test('removal of a cluster requires confirmation, and does not block other clusters', () => {
  rendered({ argocd: { source } }, (files) => {
    const argocdObjects = collectArgoCDObjects(files);
    const options = (key: string) =>
      annotationsOf(argocdObjects, key)['argocd.argoproj.io/sync-options'];
    expect(options('Application tenantry-cluster-eu1')).toBe('Prune=false');
    expect(options('ApplicationSet tenantry-rbac-eu1')).toBe('Prune=confirm,Delete=confirm');
  });
});

test("no Application syncs the settings of Argo CD, and they contain only Tenantry's keys", () => {
  rendered({ argocd: { source } }, (files) => {
    const path = 'argocd/settings/argocd-cm.yaml';
    const [settings, ...more] = objectsIn(files[path]);
    expect(more).toEqual([]);
    expect(settings).toMatchObject({ kind: 'ConfigMap', metadata: { name: 'argocd-cm' } });
    expect(Object.keys(settings!.metadata)).toEqual(['name', 'namespace']);
    expect(Object.keys(settings!['data'] as object)).toEqual([
      'resource.customizations.health.argoproj.io_Application',
      'resource.customizations.health.tenantry.dev_Tenant',
      'resource.customizations.ignoreResourceUpdates.tenantry.dev_Tenant',
    ]);
    const synced = [...collectArgoCDObjects(files).values()].flatMap(
      ({ spec }) => (spec as ApplicationSpec).source?.path ?? [],
    );
    expect(synced.length).toBeGreaterThan(5);
    expect(synced.filter((one) => matchesGlob(`dist/${path}`, `${one}/**`))).toEqual([]);
  });
});

test('applications of tenants get an Application for each tenant where impersonation is configured', () => {
  const asked = (argocd: object) => {
    const files = renderArgoCDFiles(resolvePlatform({ argocd: { source, ...argocd } }));
    return files.get('argocd/bootstrap/repositories.yaml') ?? [];
  };
  expect(asked({})).toEqual([]);
  const settings = (impersonation: 'Enabled' | 'Disabled') => {
    const files = renderArgoCDFiles(resolvePlatform({ argocd: { source, impersonation } }));
    return JSON.stringify(files.get('argocd/settings/argocd-cm.yaml'));
  };
  expect(settings('Enabled')).toContain('"application.sync.impersonation.enabled":"true"');
  expect(settings('Enabled')).toContain('"application.sync.impersonation.enforced":"false"');
  expect(settings('Disabled')).not.toContain('impersonation');
  const [set, ...others] = asked({ impersonation: 'Enabled' });
  expect(others).toEqual([]);
  expect(set!.metadata).toMatchObject({ name: 'tenantry-repositories', namespace: 'argocd' });
  expect(admitObject(applicationSet, set!).errors).toEqual([]);
  const { generators, template } = set!['spec'] as ApplicationSetSpec;
  expect(generators[0]!.git!.directories).toEqual([{ path: 'dist/argocd/tenants/*' }]);
  expect(template).toMatchObject({
    metadata: {
      name: 'tenantry-repositories-{{ .path.basename }}',
      finalizers: ['resources-finalizer.argocd.argoproj.io/background'],
    },
    spec: { project: 'tenantry', destination: { namespace: 'argocd' } },
  });
});

test('every object of Argo CD is valid, and has no default that Argo CD would omit', () => {
  const kinds = {
    AppProject: appProject,
    Application: application,
    ApplicationSet: applicationSet,
  };
  const files = renderArgoCDFiles(resolvePlatform({ argocd: { source } }));
  const objects = [...files.values()].flat().filter(isOfArgoCD);
  expect(objects).toHaveLength(12);
  for (const object of objects) {
    const definition = kinds[object.kind as keyof typeof kinds];
    expect(admitObject(definition, object).errors).toEqual([]);
    const empty = JSON.stringify(object['spec']).match(/":(false|0|""|\[\]|\{\}|null)/g) ?? [];
    // The core group has an empty name.
    expect(empty.filter((one) => one !== '":""')).toEqual([]);
  }
});

test('names of Applications of tenants and of the platform never collide', () => {
  const called = ['a', 'b', 'a-b', 'crds', 'tenantry', 'tenantry-crds', 'cluster-a', 'crds-a'];
  const all: string[] = [names.root];
  for (const one of called) {
    all.push(names.cluster(one), ...['crds', 'operator'].map((part) => names.part(part, one)));
    all.push(names.repositoriesOf(one));
    for (const other of called) {
      for (const part of PARTS) all.push(names.tenant(part, one, other));
      // The Application for a tenant's repository, in a namespace with the name of a cluster or a part.
      for (const third of [...called, ...PARTS]) all.push(`${one}.${other}.${third}`);
    }
  }
  expect(new Set(all).size).toBe(all.length);
  const projects = called.flatMap((one) => [
    names.platformProject(one),
    ...called.map((other) => names.tenantProject(one, other)),
  ]);
  expect(new Set([names.root, ...projects]).size).toBe(projects.length + 1);
});

/** Matches names as Argo CD does; the patterns here have no wildcard but `*`. */
const matches = (pattern: string, name: string): boolean =>
  new RegExp(`^${pattern.replaceAll('.', '[.]').replaceAll('*', '.*')}$`).test(name);

/** Returns why a project refuses an object, as Argo CD decides, or undefined. */
function refusal(project: AppProjectSpec, { apiVersion, kind, metadata }: KubeObject) {
  const { name, namespace } = metadata;
  const group = groupOf(apiVersion);
  const isListed = (list: AppProjectSpec['clusterResourceWhitelist'] = []) =>
    list.some(
      (one) =>
        matches(one.group, group) && matches(one.kind, kind) && matches(one.name ?? '*', name),
    );
  if (namespace === undefined) {
    const { clusterResourceWhitelist: allowed, clusterResourceBlacklist: denied } = project;
    return isListed(allowed) && !isListed(denied) ? undefined : 'kind';
  }
  const { namespaceResourceWhitelist: kinds, namespaceResourceBlacklist: others } = project;
  if ((kinds && !isListed(kinds)) || isListed(others)) return 'kind';
  const places = project.destinations!.flatMap((one) => one.namespace ?? []);
  const denied = places.some((one) => one.startsWith('!') && matches(one.slice(1), namespace));
  const allowed = places.some((one) => !one.startsWith('!') && matches(one, namespace));
  return allowed && !denied ? undefined : 'namespace';
}

const repository = new Map(
  globSync('dist/argocd/{clusters/*/projects,projects/*/*}.yaml', { cwd: root }).flatMap((file) =>
    objectsIn(readFileSync(join(root, file), 'utf8')).flatMap((one) =>
      one.kind === 'AppProject' ? [[one.metadata.name, one['spec'] as AppProjectSpec]] : [],
    ),
  ),
);

test('the projects of this repository permit exactly the objects that it renders', () => {
  const files = globSync('dist/clusters/**/*.yaml', { cwd: root });
  const refused = files.flatMap((file) => {
    const [, , cluster = '', folder = '', tenantName = ''] = file.split('/');
    const name =
      folder === 'tenants'
        ? names.tenantProject(cluster, tenantName)
        : names.platformProject(cluster);
    return objectsIn(readFileSync(join(root, file), 'utf8')).flatMap((object) => {
      const why = refusal(repository.get(name)!, object);
      return why === undefined ? [] : [`${file}: ${object.kind} ${object.metadata.name}: ${why}`];
    });
  });
  expect(refused).toEqual([]);
  expect(files.length).toBeGreaterThan(100);
});

test("a tenant's folder may contain its own Namespaces and Tenant, and no object of another tenant or of the platform", () => {
  const project = repository.get('fra1.payments')!;
  const why = (apiVersion: string, kind: string, metadata: KubeObject['metadata']) =>
    refusal(project, { apiVersion, kind, metadata });
  const rbac = 'rbac.authorization.k8s.io/v1';
  expect(builtinScope('rbac.authorization.k8s.io', 'ClusterRoleBinding')).toBe('Cluster');
  expect(why(rbac, 'ClusterRoleBinding', { name: 'me' })).toBe('kind');
  expect(why('tenantry.dev/v1alpha1', 'TenantClass', { name: 'mine' })).toBe('kind');
  expect(why('tenantry.dev/v1alpha1', 'Tenant', { name: 'customs' })).toBe('kind');
  expect(why('tenantry.dev/v1alpha1', 'Tenant', { name: 'payments' })).toBeUndefined();
  expect(why('argoproj.io/v1alpha1', 'Application', { name: 'x', namespace: 'pay-prod' })).toBe(
    'kind',
  );
  expect(why('v1', 'Namespace', { name: 'pay-prod' })).toBeUndefined();
  for (const name of ['kube-system', 'argocd', 'tenantry-system', 'customs-prod']) {
    expect(why('v1', 'Namespace', { name })).toBe('kind');
    expect(why(rbac, 'RoleBinding', { name: 'me', namespace: name })).toBe('namespace');
  }
  expect(why(rbac, 'RoleBinding', { name: 'me', namespace: 'pay-prod' })).toBeUndefined();
});

test('Argo CD keeps the project of a tenant while an Application refers to it', () => {
  rendered({ argocd: { source } }, (files) => {
    const [project] = objectsIn(files['argocd/projects/eu1/a.yaml']);
    expect(project).toMatchObject({
      kind: 'AppProject',
      metadata: {
        name: 'eu1.a',
        namespace: 'argocd',
        finalizers: ['resources-finalizer.argocd.argoproj.io'],
      },
    });
  });
});

test('a part of a tenant is one wave without hooks, and its prunes wait for nothing', () => {
  const waves = globSync('dist/clusters/*/tenants/**/*.yaml', { cwd: root }).flatMap((file) =>
    objectsIn(readFileSync(join(root, file), 'utf8')).flatMap(({ metadata }) =>
      Object.keys(metadata.annotations ?? {}).filter((key) =>
        /argocd[.]argoproj[.]io[/](sync-wave|hook)|helm[.]sh[/]hook/.test(key),
      ),
    ),
  );
  expect(waves).toEqual([]);
  rendered({ argocd: { source } }, (files) => {
    const argocdObjects = collectArgoCDObjects(files);
    const policies = PARTS.map((part) => {
      const { template } = specOf<ApplicationSetSpec>(
        argocdObjects,
        `ApplicationSet tenantry-${part}-eu1`,
      );
      return [part, template.spec.syncPolicy!] as const;
    });
    for (const [part, { automated, retry, syncOptions }] of policies) {
      expect(syncOptions).toContain('SkipDryRunOnMissingResource=true');
      expect(retry).toMatchObject({ limit: -1, refresh: true });
      expect(automated?.allowEmpty ?? false).toBe(part !== 'namespaces');
    }
  });
});

test('the project of the platform permits the objects of an operator that heals', () => {
  const operator = { driftPolicy: 'Heal', image: 'registry.example.com/tenantry:1' };
  const kinds = [
    { group: 'monitoring.coreos.com', kind: 'PrometheusRule', scope: 'Namespaced' },
    { group: 'monitoring.coreos.com', kind: 'ServiceMonitor', scope: 'Namespaced' },
  ];
  rendered({ operator, kinds, argocd: { source } }, (files) => {
    const project = specOf<AppProjectSpec>(
      collectArgoCDObjects(files),
      'AppProject tenantry-platform-eu1',
    );
    const objects = Object.keys(files)
      .filter((path) => /^clusters\/eu1\/(?!tenants\/)/.test(path))
      .flatMap((path) => objectsIn(files[path]));
    const refused = objects.filter((object) => refusal(project, object) !== undefined);
    expect(refused.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([]);
    expect(objects.length).toBeGreaterThan(30);
  });
});

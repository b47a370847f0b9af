import { expect, test } from '@jest/globals';
import type { KubeObject } from '@tenantry/kube/object';
import { ordinaryKinds } from '../../../model/deployments.ts';
import { Fleet } from '../../../model/fleet.ts';
import { applyPlatformDefaults } from '../../../model/platform.ts';
import { desiredOf, ofKind, specOf, type Given } from '../given.ts';
import { gitRepository as repository, deploying } from './deploying.ts';

/** Returns the objects on Argo CD's cluster for a tenant without findings. */
function argocdOf(given: Given): readonly KubeObject[] {
  const { argocd, findings } = desiredOf(given);
  expect(findings).toEqual([]);
  return argocd;
}

const projectOf = (given: Given) => argocdOf(given).find(({ kind }) => kind === 'AppProject');

test('a tenant without a repository has no objects of Argo CD', () => {
  const given: Given = { platform: { argocd: { impersonation: 'Enabled' } } };
  expect(argocdOf(given)).toEqual([]);
  expect(ofKind(given, 'RoleBinding')).toEqual([]);
});

test('a tenant with an error has no objects of Argo CD', () => {
  const source = { repoURL: 'https://git.example.com/others/web.git', path: '.' };
  const unfit = {
    'another repository than its own': deploying({
      argocd: { applications: [{ name: 'web', source }] },
    }),
    'annotations that are no more than allowed, and too many with ours': deploying({
      klass: { allow: { annotations: [{ key: 'example.com/*' }] } },
      tenant: {
        annotations: Object.fromEntries(
          Array.from({ length: 20 }, (_, i) => [`example.com/${i + 10}`, 'x'.repeat(13_090)]),
        ),
      },
    }),
  };
  for (const given of Object.values(unfit)) {
    const { argocd, findings } = desiredOf(given);
    expect(findings).toHaveLength(1);
    expect(argocd).toEqual([]);
  }
});

test('a tenant has no objects of Argo CD while another tenant has its namespace', () => {
  const { klass = {}, platform = {}, tenant: spec = {} } = deploying();
  const fleet = new Fleet(applyPlatformDefaults({ ...platform, defaultClass: 'standard' }));
  fleet.classes.add({ name: 'standard', spec: klass });
  const [first, second] = ['acme', 'beta'].map((name) =>
    fleet.add({ name, spec: { ...spec, namespaces: [{ name: 'shared' }] } }, name),
  );
  expect(first!.argocd).toHaveLength(1);
  expect(second!.findings.map(({ rule }) => rule)).toEqual(['duplicate-namespace']);
  expect(second!.argocd).toEqual([]);
});

test("a project permits the tenant's repositories, its namespaces, and the listed kinds", () => {
  const project = projectOf(
    deploying({ tenant: { namespaces: [{ name: 'acme-dev' }, { name: 'acme-prod' }] } }),
  );
  expect(project?.metadata).toMatchObject({ name: 'tenant-acme', namespace: 'argocd' });
  const { namespaceResourceWhitelist: kinds, ...spec } = specOf(project);
  const server = 'https://kubernetes.default.svc';
  const defaultServiceAccount = 'tenantry-system:sync.acme';
  expect(spec).toEqual({
    description: 'Repositories of tenant acme',
    destinations: [
      { namespace: 'acme-dev', server },
      { namespace: 'acme-prod', server },
    ],
    destinationServiceAccounts: [
      { namespace: 'acme-dev', server, defaultServiceAccount },
      { namespace: 'acme-prod', server, defaultServiceAccount },
    ],
    sourceRepos: [repository],
  });
  expect(kinds).toHaveLength(ordinaryKinds.length);
  expect(kinds).toContainEqual({ group: 'apps', kind: 'Deployment' });
  expect(JSON.stringify(kinds)).not.toMatch(/[*]|Role|NetworkPolicy|Quota|LimitRange|argoproj/);
});

test('an address of a cluster with wildcard characters does not match other clusters', () => {
  const server = 'https://[fd00::1]:6443';
  const given = deploying({
    platform: { clusters: [{ name: 'eu1', server }] },
    argocd: { applications: [{ name: 'web', source: { repoURL: repository, path: '.' } }] },
  });
  const destinations = [{ namespace: 'acme', server: String.raw`https://\[fd00::1\]:6443` }];
  expect(specOf(projectOf(given))).toMatchObject({
    destinations,
    destinationServiceAccounts: destinations,
  });
  const application = argocdOf(given).find(({ kind }) => kind === 'Application');
  expect(specOf(application)).toMatchObject({ destination: { namespace: 'acme', server } });
});

test('there is an Application for each namespace on each of its clusters, and its removal deletes nothing', () => {
  const objects = argocdOf(
    deploying({
      platform: {
        clusters: [
          { name: 'eu1', server: 'https://eu1.example.com' },
          { name: 'us1', server: 'https://us1.example.com' },
        ],
        defaultClusters: ['eu1', 'us1'],
      },
      argocd: {
        applications: [
          { name: 'web', source: { repoURL: repository, path: 'deploy/{cluster}/{environment}' } },
        ],
      },
      tenant: { environment: 'prod' },
    }),
  );
  const [, eu1, us1, ...rest] = objects;
  expect(rest).toEqual([]);
  expect(eu1).toEqual({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: {
      name: 'acme.eu1.web',
      namespace: 'argocd',
      labels: { 'app.kubernetes.io/managed-by': 'tenantry', 'tenantry.dev/tenant': 'acme' },
    },
    spec: {
      destination: { namespace: 'acme', server: 'https://eu1.example.com' },
      project: 'tenant-acme',
      source: { repoURL: repository, path: 'deploy/eu1/prod' },
      syncPolicy: {
        automated: { prune: true, selfHeal: true },
        retry: { limit: 5, backoff: { duration: '5s', factor: 2, maxDuration: '3m' } },
        syncOptions: ['FailOnSharedResource=true'],
      },
    },
  });
  expect(us1?.metadata.name).toBe('acme.us1.web');
  expect(specOf<{ source: object }>(us1).source).toMatchObject({ path: 'deploy/us1/prod' });
});

test('an ApplicationSet creates an Application for each folder, and its removal keeps the deployed objects', () => {
  const objects = argocdOf(
    deploying({
      klass: { allow: { applicationSets: 'Allow' } },
      argocd: {
        applicationSets: [
          { name: 'apps', repoURL: repository, directories: ['apps/*'], sync: 'Manual' },
        ],
      },
    }),
  );
  const set = objects.find(({ kind }) => kind === 'ApplicationSet');
  expect(set?.metadata.name).toBe('acme.in-cluster.apps');
  expect(specOf(set)).toMatchObject({
    goTemplate: true,
    goTemplateOptions: ['missingkey=error'],
    generators: [
      { git: { repoURL: repository, revision: 'HEAD', directories: [{ path: 'apps/*' }] } },
    ],
    syncPolicy: { preserveResourcesOnDeletion: true },
    template: {
      metadata: { name: 'acme.in-cluster.apps.{{.path.basenameNormalized}}' },
      spec: { project: 'tenant-acme', source: { path: '{{.path.path}}', targetRevision: 'HEAD' } },
    },
  });
  expect(JSON.stringify(set)).not.toMatch(/automated|finalizer/);
});

test('the sync account has the role of editors in the namespaces, or the role that the class sets', () => {
  const given = deploying({ tenant: { access: { admins: { groups: ['blue'] } } } });
  const subject = { kind: 'ServiceAccount', namespace: 'tenantry-system', name: 'sync.acme' };
  const bound = ofKind(given, 'RoleBinding').map(({ roleRef, subjects }) => [roleRef, subjects]);
  expect(bound).toContainEqual([expect.objectContaining({ name: 'edit' }), [subject]]);
  const [binding] = ofKind(
    deploying({ klass: { roles: { applications: 'deployer' } } }),
    'RoleBinding',
  );
  expect(binding).toMatchObject({ roleRef: { name: 'deployer' }, subjects: [subject] });
});

test('users may bind neither the sync account nor the role that only it has', () => {
  const klass = { roles: { applications: 'deployer' } };
  const [namespace] = ofKind(deploying({ klass }), 'Namespace');
  const annotations = JSON.stringify(namespace?.metadata.annotations);
  expect(annotations).not.toContain('sync.acme');
  expect(annotations).not.toMatch(/cluster-roles[^,]*deployer/);
});

test('without impersonation no account gets rights, and the project names none', () => {
  const given = deploying({ platform: { argocd: { impersonation: 'Disabled' } } });
  expect(ofKind(given, 'RoleBinding')).toEqual([]);
  expect(specOf(projectOf(given))).not.toHaveProperty('destinationServiceAccounts');
});

test.each(['Suspended', 'Retired'] as const)(
  'a %s namespace is not a destination, and the sync account has no rights there',
  (lifecycle) => {
    const given = deploying({
      klass: { allow: { sourceNamespaces: 'Allow' } },
      tenant: { namespaces: [{ name: 'acme-dev', lifecycle }, { name: 'acme-prod' }] },
      argocd: {
        applications: [{ name: 'web', source: { repoURL: repository, path: '.' } }],
        sourceNamespaces: ['acme-dev', 'acme-prod'],
      },
    });
    const objects = argocdOf(given);
    expect(objects.map(({ metadata }) => metadata.name)).toEqual([
      'tenant-acme',
      'acme-prod.in-cluster.web',
    ]);
    expect(JSON.stringify(objects)).not.toContain('acme-dev');
    expect(ofKind(given, 'RoleBinding', 'acme-dev')).toEqual([]);
    const none = projectOf(deploying({ tenant: { lifecycle } }));
    expect(specOf(none)).not.toHaveProperty('destinations');
  },
);

test('values of the class and of the tenant are merged without duplicates', () => {
  const spec = specOf<{ sourceRepos: string[]; namespaceResourceWhitelist: { kind: string }[] }>(
    projectOf(
      deploying({
        klass: {
          defaults: {
            argocd: {
              sourceRepos: ['https://git.example.com/{tenant}/deploy.git', repository],
              namespaceResourceWhitelist: [{ group: 'cert-manager.io', kind: 'Issuer' }],
            },
          },
          allow: {
            namespaceResourceWhitelist: [{ group: 'cert-manager.io', kind: 'Certificate' }],
          },
        },
        argocd: {
          namespaceResourceWhitelist: [
            { group: 'cert-manager.io', kind: 'Certificate' },
            { group: 'cert-manager.io', kind: 'Issuer' },
            { group: '', kind: 'ConfigMap' },
          ],
        },
      }),
    ),
  );
  expect(spec.sourceRepos).toEqual(['https://git.example.com/acme/deploy.git', repository]);
  const kinds = spec.namespaceResourceWhitelist.map(({ kind }) => kind);
  expect(kinds.filter((one) => ['ConfigMap', 'Certificate', 'Issuer'].includes(one))).toEqual([
    'Certificate',
    'ConfigMap',
    'Issuer',
  ]);
});

test('equal windows are merged with their namespaces, and allow manual syncs where all of them do', () => {
  const night = { kind: 'deny', schedule: '0 22 * * *', duration: '8h' } as const;
  const { syncWindows } = specOf(
    projectOf(
      deploying({
        klass: {
          defaults: { argocd: { syncWindows: [{ ...night, description: 'Night' }] } },
          environments: [
            {
              name: 'prod',
              argocd: {
                syncWindows: [{ kind: 'deny', schedule: '0 0 1 1 *', duration: '24h' }],
              },
            },
          ],
        },
        tenant: {
          namespaces: [
            { name: 'acme-dev', argocd: { syncWindows: [{ ...night, manualSync: true }] } },
            { name: 'acme-prod', environment: 'prod' },
          ],
        },
      }),
    ),
  );
  expect(syncWindows).toEqual([
    { ...night, description: 'Night', namespaces: ['acme-dev', 'acme-prod'] },
    { kind: 'deny', schedule: '0 0 1 1 *', duration: '24h', namespaces: ['acme-prod'] },
  ]);
  const renderWindows = (ofClass: boolean, ofTenant: boolean): unknown => {
    const windows = (manualSync: boolean) => ({ syncWindows: [{ ...night, manualSync }] });
    const klass = { defaults: { argocd: windows(ofClass) } };
    return specOf(projectOf(deploying({ klass, argocd: windows(ofTenant) })))['syncWindows'];
  };
  expect(renderWindows(true, true)).toEqual([{ ...night, manualSync: true, namespaces: ['acme'] }]);
  expect(renderWindows(true, false)).toEqual([{ ...night, namespaces: ['acme'] }]);
});

test('Applications of users are permitted in the listed namespaces', () => {
  const given = deploying({
    klass: { allow: { sourceNamespaces: 'Allow' } },
    argocd: { sourceNamespaces: ['acme'] },
  });
  expect(specOf(projectOf(given))).toMatchObject({ sourceNamespaces: ['acme'] });
});

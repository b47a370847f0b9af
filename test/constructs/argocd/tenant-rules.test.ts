import { expect, test } from '@jest/globals';
import { checkClass } from '../../../model/class-check.ts';
import { validatePlatform } from '../../../model/rules/platform.ts';
import { resolvePlatform } from '../../../model/platform.ts';
import { formatPath } from '@tenantry/kube/problem';
import type { TenantSpec } from '../../../crds/tenant.ts';
import { collectFindings } from '../given.ts';
import { deploying, gitRepository as repository } from './deploying.ts';

type ArgoCD = NonNullable<TenantSpec['argocd']>;

const at = (place: string) => `spec.argocd.${place}`;
const certificate = { group: 'cert-manager.io', kind: 'Certificate' };

test('a repository must be allowed by the class, by its address or by a prefix of it', () => {
  const allowing = (sourceRepos: string[], repositories: string[]) =>
    collectFindings(
      deploying({ klass: { allow: { sourceRepos } }, argocd: { sourceRepos: repositories } }),
    );
  const below = ['https://git.example.com/{tenant}/*'];
  expect(allowing(below, ['https://git.example.com/acme/web.git'])).toEqual([]);
  expect(allowing([repository], [repository])).toEqual([]);
  for (const other of [
    'https://git.example.com/acme-2/web.git',
    'https://git.example.com/acme',
    'https://git.example.com.evil.example.com/acme/web.git',
    'ssh://git@git.example.com/acme/web.git',
  ]) {
    expect(allowing(below, [other])).toEqual([
      `${at('sourceRepos[0]')} must be a repository that class standard allows in allow.sourceRepos (https://git.example.com/acme/*), got '${other}'`,
    ]);
  }
  expect(allowing([], [repository])).toEqual([
    `${at('sourceRepos[0]')} must be a repository that class standard allows in allow.sourceRepos (none), got '${repository}'`,
  ]);
  const given = { defaults: { argocd: { sourceRepos: [repository] } }, allow: { sourceRepos: [] } };
  expect(collectFindings(deploying({ klass: given }))).toEqual([]);
});

test('Applications and ApplicationSets deploy only from repositories of the tenant', () => {
  const other = 'https://git.example.com/teams/other.git';
  const argocd: ArgoCD = {
    applications: [
      { name: 'web', source: { repoURL: repository, path: '.' } },
      { name: 'shop', source: { repoURL: other, path: '.' } },
    ],
    applicationSets: [{ name: 'apps', repoURL: other, directories: ['apps/*'] }],
  };
  const words = `must be one of the tenant's sourceRepos (${repository}), got '${other}'`;
  expect(
    collectFindings(deploying({ klass: { allow: { applicationSets: 'Allow' } }, argocd })),
  ).toEqual([
    `${at('applications[1].source.repoURL')} ${words}`,
    `${at('applicationSets[0].repoURL')} ${words}`,
  ]);
});

test('a kind outside of the default list must be allowed by the class', () => {
  const named = (kinds: ArgoCD['namespaceResourceWhitelist'] = [], allowed = kinds) =>
    collectFindings(
      deploying({
        klass: { allow: { namespaceResourceWhitelist: allowed } },
        argocd: { namespaceResourceWhitelist: kinds },
      }),
    );
  expect(named([certificate])).toEqual([]);
  expect(named([{ group: 'apps', kind: 'Deployment' }], [])).toEqual([]);
  expect(named([certificate], [])).toEqual([
    `${at('namespaceResourceWhitelist[0]')} must be a kind that class standard allows in allow.namespaceResourceWhitelist (none), got 'Certificate.cert-manager.io'`,
  ]);
  expect(named([{ group: '', kind: 'Namespace' }])).toEqual([
    `${at('namespaceResourceWhitelist[0]')} must be a kind that lies in namespaces, got 'Namespace'`,
  ]);
  const store = { group: 'external-secrets.io', kind: 'ClusterSecretStore' };
  const known = deploying({
    platform: { kinds: [{ ...store, scope: 'Cluster' }] },
    klass: { allow: { namespaceResourceWhitelist: [store] } },
    argocd: { namespaceResourceWhitelist: [store] },
  });
  expect(collectFindings(known)).toEqual([
    `${at('namespaceResourceWhitelist[0]')} must be a kind that lies in namespaces, got 'ClusterSecretStore.external-secrets.io'`,
  ]);
  // `constructor` is also a property of every JavaScript object.
  expect(named([{ group: 'constructor', kind: 'Pod' }], [])).toEqual([
    `${at('namespaceResourceWhitelist[0]')} must be a kind that class standard allows in allow.namespaceResourceWhitelist (none), got 'Pod.constructor'`,
  ]);
});

test.each([
  ['rbac.authorization.k8s.io', 'RoleBinding'],
  ['networking.k8s.io', 'NetworkPolicy'],
  ['cilium.io', 'CiliumNetworkPolicy'],
  ['projectcalico.org', 'NetworkPolicy'],
  ['crd.projectcalico.org', 'NetworkPolicy'],
  ['crd.antrea.io', 'NetworkPolicy'],
  ['k8s.ovn.org', 'EgressFirewall'],
  ['', 'ResourceQuota'],
  ['', 'LimitRange'],
  ['', 'Endpoints'],
  ['discovery.k8s.io', 'EndpointSlice'],
  ['argoproj.io', 'Application'],
  ['tenantry.dev', 'Grant'],
])('%s/%s is permitted only where Argo CD impersonates an account of the tenant', (group, kind) => {
  const asked = (impersonation: 'Enabled' | 'Disabled') =>
    collectFindings(
      deploying({
        platform: { argocd: { impersonation } },
        klass: { allow: { namespaceResourceWhitelist: [{ group, kind }] } },
        argocd: { namespaceResourceWhitelist: [{ group, kind }] },
      }),
    );
  expect(asked('Enabled')).toEqual([]);
  expect(asked('Disabled')).toEqual([
    expect.stringContaining('must be a kind that gives no rights'),
  ]);
});

test('nothing is deployed for tenants until argocd.impersonation is set', () => {
  const given = deploying();
  expect(collectFindings({ ...given, platform: {} })).toEqual([
    `${at('sourceRepos[0]')} must be left out until the platform sets argocd.impersonation`,
  ]);
});

test('nothing is deployed to a cluster without a server address', () => {
  const clusters = [{ name: 'eu1' }, { name: 'us1', server: 'https://us1.example.com' }];
  const given = (defaultClusters: string[]) =>
    deploying({ platform: { clusters, defaultClusters } });
  expect(collectFindings(given(['us1']))).toEqual([]);
  expect(collectFindings(given(['eu1', 'us1']))).toEqual([
    `${at('sourceRepos[0]')} must be left out until the platform sets the server of each cluster of the tenant's namespaces, got eu1 without one`,
  ]);
});

test('Applications deploy only to namespaces of the tenant', () => {
  const source = { repoURL: repository, path: '.' };
  const given = (namespaces: string[]) =>
    deploying({
      tenant: { namespacePrefix: 'acme-', namespaces: [{ name: 'dev' }, { name: 'prod' }] },
      argocd: { applications: [{ name: 'web', namespaces, source }] },
    });
  expect(collectFindings(given(['acme-dev']))).toEqual([]);
  expect(collectFindings(given(['acme-dev', 'acme-prd', 'argocd']))).toEqual([
    `${at('applications[0].namespaces[1]')} must be a namespace of the tenant (acme-dev, acme-prod), got 'acme-prd'; did you mean 'acme-prod'?`,
    `${at('applications[0].namespaces[2]')} must be a namespace of the tenant (acme-dev, acme-prod), got 'argocd'`,
  ]);
});

test('a placeholder of a path must have a value in each namespace of the Application', () => {
  const source = { repoURL: repository, path: 'deploy/{environment}' };
  const given = (namespaces?: string[]) =>
    deploying({
      tenant: { namespaces: [{ name: 'acme-dev' }, { name: 'acme-prod', environment: 'prod' }] },
      argocd: { applications: [{ name: 'web', ...(namespaces && { namespaces }), source }] },
    });
  expect(collectFindings(given(['acme-prod']))).toEqual([]);
  expect(collectFindings(given())).toEqual([
    expect.stringMatching(
      /^spec\.argocd\.applications\[0\]\.source\.path .*namespace acme-dev has no environment/,
    ),
  ]);
});

test('a tenant may have ApplicationSets only where its class allows them', () => {
  const applicationSets = [{ name: 'apps', repoURL: repository, directories: ['*'] }];
  expect(collectFindings(deploying({ argocd: { applicationSets } }))).toEqual([
    `${at('applicationSets')} must be left out: class standard does not set allow.applicationSets`,
  ]);
});

test("users write Applications only where the class allows it, on Argo CD's cluster and with impersonation", () => {
  const clusters = [{ name: 'in-cluster' }, { name: 'us1', server: 'https://us1.example.com' }];
  const asked = (
    sourceNamespaces: string[],
    allow: 'Allow' | 'Deny' = 'Allow',
    impersonation: 'Enabled' | 'Disabled' = 'Enabled',
  ) =>
    collectFindings(
      deploying({
        platform: { clusters, argocd: { impersonation } },
        klass: { allow: { sourceNamespaces: allow } },
        tenant: {
          namespaces: [
            { name: 'acme-dev', clusters: ['in-cluster'] },
            { name: 'acme-us', clusters: ['us1'] },
          ],
        },
        argocd: { sourceNamespaces },
      }),
    );
  expect(asked(['acme-dev'])).toEqual([]);
  const must = `must be a namespace of the tenant on Argo CD's own cluster (acme-dev), got`;
  expect(asked(['acme-us', 'argocd', 'other'])).toEqual([
    `${at('sourceNamespaces[0]')} ${must} 'acme-us'`,
    `${at('sourceNamespaces[1]')} ${must} 'argocd'`,
    `${at('sourceNamespaces[2]')} ${must} 'other'`,
  ]);
  expect(asked(['acme-dev'], 'Deny')).toEqual([
    `${at('sourceNamespaces')} must be left out: class standard does not set allow.sourceNamespaces`,
  ]);
  expect(asked(['acme-dev'], 'Allow', 'Disabled')).toEqual([
    `${at('sourceNamespaces')} must be left out unless Argo CD syncs as an account of the tenant (argocd.impersonation of the platform)`,
  ]);
});

test('where the class has allow windows, a tenant may only add deny windows', () => {
  const night = { schedule: '0 22 * * *', duration: '8h' };
  const always = { schedule: '0 0 * * *', duration: '24h' };
  const asked = (ofClass: 'allow' | 'deny', own: 'allow' | 'deny') =>
    collectFindings(
      deploying({
        klass: { defaults: { argocd: { syncWindows: [{ kind: ofClass, ...night }] } } },
        argocd: { syncWindows: [{ kind: own, ...always }] },
      }),
    );
  expect(asked('allow', 'deny')).toEqual([]);
  expect(asked('deny', 'allow')).toEqual([]);
  expect(asked('deny', 'deny')).toEqual([]);
  expect(asked('allow', 'allow')).toEqual([
    `${at('syncWindows[0].kind')} must be 'deny', since class standard sets when syncs are allowed, got 'allow'`,
  ]);
});

test('a window needs a schedule that occurs, a known time zone and a duration', () => {
  const asked = (window: { schedule?: string; duration?: string; timeZone?: string }) =>
    collectFindings(
      deploying({
        argocd: {
          syncWindows: [{ kind: 'deny', schedule: '0 0 * * *', duration: '1h', ...window }],
        },
      }),
    );
  expect(asked({ timeZone: 'Europe/Berlin' })).toEqual([]);
  expect(asked({ timeZone: 'UTC', duration: '1h30m' })).toEqual([]);
  expect(asked({ timeZone: 'Etc/GMT+1' })).toEqual([]);
  expect(asked({ timeZone: 'Asia/Calcutta' })).toEqual([]);
  expect(asked({ timeZone: 'Europe/Berlim' })).toEqual([
    `${at('syncWindows[0].timeZone')} must be a time zone, or Argo CD takes UTC, got 'Europe/Berlim'`,
  ]);
  expect(asked({ timeZone: 'Europe/BERLIN' })).toHaveLength(1);
  expect(asked({ duration: '0h' })).toEqual([
    `${at('syncWindows[0].duration')} must be longer than zero, got '0h'`,
  ]);
  expect(asked({ schedule: '0 24 * * *' })).toEqual([
    `${at('syncWindows[0].schedule')} must have for the hour a number from 0 to 23, '*', a range such as '0-23' or steps such as '*/2', got '0 24 * * *'`,
  ]);
});

test('values in a class are checked where the class sets them, not at its tenants', () => {
  const node = { group: '', kind: 'Node' };
  const volume = { group: '', kind: 'PersistentVolume' };
  const binding = { group: 'rbac.authorization.k8s.io', kind: 'RoleBinding' };
  const { findings } = checkClass(
    {
      name: 'standard',
      spec: {
        defaults: {
          argocd: {
            sourceRepos: ['https://git.example.com/{tenant}/deploy.git'],
            namespaceResourceWhitelist: [node],
            syncWindows: [{ kind: 'allow', schedule: '0 0 30 2 *', duration: '1h' }],
          },
        },
        allow: { namespaceResourceWhitelist: [certificate, binding] },
        exceptions: [
          { tenants: ['acme'], reason: 'x', allow: { namespaceResourceWhitelist: [volume] } },
        ],
      },
    },
    resolvePlatform({}),
  );
  expect(findings.map(({ rule, path }) => `${rule} ${formatPath(path)}`).toSorted()).toEqual([
    'argocd-impersonation spec.defaults.argocd.sourceRepos[0]',
    'argocd-kind spec.allow.namespaceResourceWhitelist[1]',
    'argocd-kind spec.defaults.argocd.namespaceResourceWhitelist[0]',
    'argocd-kind spec.exceptions[0].allow.namespaceResourceWhitelist[0]',
    'argocd-sync-window spec.defaults.argocd.syncWindows[0].schedule',
  ]);
});

test('an exception allows one tenant a repository, a kind, or an ApplicationSet', () => {
  const other = 'https://code.example.com/legacy.git';
  const given = deploying({
    klass: {
      allow: { namespaceResourceWhitelist: [{ ...certificate, kind: 'Issuer' }] },
      exceptions: [
        {
          tenants: ['acme'],
          reason: 'agreed',
          allow: {
            sourceRepos: [other],
            namespaceResourceWhitelist: [certificate],
            applicationSets: 'Allow',
            sourceNamespaces: 'Allow',
          },
        },
      ],
    },
    argocd: {
      sourceRepos: [repository, other],
      namespaceResourceWhitelist: [certificate, { ...certificate, kind: 'Issuer' }],
      applicationSets: [{ name: 'apps', repoURL: other, directories: ['*'] }],
      sourceNamespaces: ['acme'],
    },
  });
  expect(collectFindings(given)).toEqual([]);
  expect(collectFindings({ ...given, klass: { ...given.klass, exceptions: [] } })).toHaveLength(4);
});

test('the admission policies must not exempt sync accounts of tenants', () => {
  const asked = (identities: object, argocd: object = { impersonation: 'Enabled' }) =>
    validatePlatform({ identities, argocd }).map(({ path }) => formatPath(path));
  const groups = ['system:serviceaccounts:tenantry-system', 'system:serviceaccounts:ci', 'x'];
  const users = ['system:serviceaccount:tenantry-system:sync.acme', 'bob@example.com'];
  expect(asked({ groups, users })).toEqual([
    'spec.identities.users[0]',
    'spec.identities.groups[0]',
  ]);
  expect(asked({ groups: ['system:serviceaccounts', 'system:authenticated'] })).toHaveLength(2);
  expect(asked({ groups, users }, { impersonation: 'Disabled' })).toEqual([]);
});

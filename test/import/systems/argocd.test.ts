import { expect, test } from '@jest/globals';
import type { PlatformSpec } from '../../../crds/platform.ts';
import fc from 'fast-check';
import { runs } from '@tenantry/kube/test/yaml/runs';
import { computeCoverage, NamespaceIndex } from '../../../import/systems/argocd/destinations.ts';
import { IN_CLUSTER, permitsDestination } from '../../../model/argocd/patterns/allow-lists.ts';
import { importSystem, readOutcomes, readTenant } from './import-system.ts';

const namespaces = ['shop-dev', 'shop-prod', 'pay', 'other']
  .map((name) => `apiVersion: v1\nkind: Namespace\nmetadata: { name: ${name} }\n---\n`)
  .join('');

/** A platform that syncs Applications of tenants as Argo CD itself. */
const platform: PlatformSpec = {
  clusters: [{ name: 'in-cluster' }],
  argocd: { impersonation: 'Disabled' },
};

const project = (name: string, spec: string): string => `
---
apiVersion: argoproj.io/v1alpha1
kind: AppProject
metadata: { name: ${name}, namespace: argocd, finalizers: [resources-finalizer.argocd.argoproj.io] }
spec:
${spec
  .trim()
  .split('\n')
  .map((line) => `  ${line}`)
  .join('\n')}
`;

/** Destinations and kinds that lead to a tenant with repositories. */
const own = `
sourceRepos: ['https://git.example.com/shop/web.git']
destinations:
  - { server: 'https://kubernetes.default.svc', namespace: shop-dev }
  - { server: 'https://kubernetes.default.svc', namespace: shop-prod }
`;
const repository = ['https://git.example.com/shop/web.git'];
const name = 'AppProject argocd/shop';

const run = (text: string, accepted: string[] = [], declared: PlatformSpec = platform) =>
  importSystem(namespaces + text, accepted, declared);

test('the namespaces of a project become a tenant with its repositories', () => {
  const imported = run(project('shop', `description: The shop\n${own}`));
  expect(readTenant(imported, 'shop')).toMatchObject({
    description: 'The shop',
    namespaces: [{ name: 'shop-dev' }, { name: 'shop-prod' }],
    argocd: { sourceRepos: repository },
  });
  expect(readOutcomes(imported, name)).toMatchObject({
    'spec.description': 'taken: `description` of the tenant shop',
    'spec.destinations[0].namespace': 'taken: `namespaces` of the tenant shop',
    'spec.sourceRepos[0]': expect.stringMatching(/^changed: .* ordinary kinds only/),
  });
  expect(imported.report.outcome).toBe('different');
  expect(run(project('shop', own), [name]).report.outcome).toBe('done');
});

test('the class allows the repository to this tenant alone', () => {
  const { result } = run(project('shop', own));
  expect(result.fleet.classes.flatMap(({ spec }) => spec.exceptions ?? [])).toMatchObject([
    { tenants: ['shop'], allow: { sourceRepos: repository } },
  ]);
});

test('without argocd.impersonation of the platform, the repositories are left with the reason', () => {
  const imported = run(project('shop', own), [], { clusters: [{ name: 'in-cluster' }] });
  expect(readTenant(imported, 'shop')).not.toHaveProperty('argocd');
  expect(imported.result.fleet.classes[0]!.spec).not.toHaveProperty('exceptions');
  expect(readOutcomes(imported, name)['spec.sourceRepos[0]']).toMatch(
    /^left: .*until the platform sets argocd.impersonation/,
  );
});

test.each([
  ['a list of kinds', 'namespaceResourceWhitelist: [{ group: apps, kind: Deployment }]'],
  ['forbidden Secrets', "namespaceResourceBlacklist: [{ group: '', kind: 'Sec*' }]"],
  ['signatures', 'signatureKeys: [{ keyID: 4AEE18F83AFDEB23 }]'],
  [
    'accounts',
    "destinationServiceAccounts: [{ server: '*', namespace: '*', defaultServiceAccount: deployer }]",
  ],
  ['clusters of its own', 'permitOnlyProjectScopedClusters: true'],
])('a project with %s leaves its repositories, which could do more in a tenant', (_, field) => {
  const imported = run(project('shop', own + field));
  expect(readTenant(imported, 'shop')).not.toHaveProperty('argocd');
  expect(readOutcomes(imported, name)['spec.sourceRepos[0]']).toMatch(
    /^left: Applications of a tenant/,
  );
  expect(imported.report.outcome).toBe('different');
});

test.each([
  ['default', own],
  ['everything', "destinations: [{ server: '*', namespace: '*' }]"],
  ['tails', "destinations: [{ server: '*', namespace: '*-prod' }]"],
  [
    'denials',
    "destinations: [{ server: '*', namespace: shop-dev }, { server: '*', namespace: '!pay' }]",
  ],
  ['elsewhere', "destinations: [{ server: 'https://eu1.example.com', namespace: shop-dev }]"],
  ['nameless', "destinations: [{ server: '*' }]"],
])('the project %s makes no tenant, and each of its fields is left', (other, spec) => {
  const imported = run(project(other, spec));
  expect(imported.report.tenants.map((tenant) => tenant.name)).not.toContain(other);
  const outcomes = Object.values(readOutcomes(imported, `AppProject argocd/${other}`));
  expect(outcomes.length).toBeGreaterThan(0);
  for (const outcome of outcomes) expect(outcome).toMatch(/^left: /);
});

test('namespaces that two projects share belong to neither, and are named', () => {
  const theirs =
    "destinations: [{ name: in-cluster, namespace: 'shop-p*' }, { name: in-cluster, namespace: pay }]";
  const imported = run(project('shop', own) + project('till', theirs));
  expect(imported.report.tenants).toMatchObject([
    { name: 'other' },
    { name: 'shop', namespaces: ['shop-dev'] },
    { name: 'shop-prod' },
    { name: 'till', namespaces: ['pay'] },
  ]);
  expect(imported.report.grouping.join('\n')).toMatch(/AppProjects shop, till share shop-prod/);
  expect(
    readOutcomes(imported, 'AppProject argocd/till')['spec.destinations[0].namespace'],
  ).toMatch(/^left: .*share shop-prod/);
});

test('a repository is not declared for a tenant with a namespace beyond the project', () => {
  const pinned = new Map([
    ['shop-dev', 'shop'],
    ['shop-prod', 'shop'],
    ['pay', 'shop'],
  ]);
  const imported = importSystem(namespaces + project('shop', own), [], platform, pinned);
  expect(readTenant(imported, 'shop')).not.toHaveProperty('argocd');
  expect(readOutcomes(imported, name)['spec.sourceRepos[0]']).toBe(
    'left: the tenant shop also has pay, for which it is not meant',
  );
});

test('a pattern of namespaces is what it matches today', () => {
  const imported = run(
    project(
      'shop',
      "destinations: [{ server: 'https://kubernetes.default.svc', namespace: 'shop-*' }]",
    ),
  );
  expect(readOutcomes(imported, name)['spec.destinations[0].namespace']).toMatch(
    /^changed: .*until it is declared/,
  );
});

test('a pattern of repositories is the repositories that its Applications use', () => {
  const application = `
---
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: { name: web, namespace: argocd }
spec:
  project: shop
  source: { repoURL: 'https://git.example.com/shop/web.git', path: . }
  destination: { name: in-cluster, namespace: shop-dev }
`;
  const wide = own.replace('shop/web.git', 'shop/**');
  const imported = run(project('shop', wide) + application);
  expect(readTenant(imported, 'shop')).toMatchObject({ argocd: { sourceRepos: repository } });
  expect(readOutcomes(imported, name)['spec.sourceRepos[0]']).toMatch(
    /^changed: .*of the pattern only/,
  );
  expect(imported.report.leftOut).toMatchObject([
    {
      object: 'Application argocd/web',
      accepted: false,
      reason: expect.stringContaining('protected'),
    },
  ]);
  expect(readOutcomes(run(project('shop', wide)), name)['spec.sourceRepos[0]']).toMatch(/^left: /);
});

test('a denied repository is never declared', () => {
  const denied = own.replace("['https", "['!https://git.example.com/shop/*', 'https");
  const imported = run(project('shop', denied));
  expect(readTenant(imported, 'shop')).not.toHaveProperty('argocd');
  expect(readOutcomes(imported, name)).toMatchObject({
    'spec.sourceRepos[0]': expect.stringMatching(/^left/),
    'spec.sourceRepos[1]': 'left: another entry of the project denies it',
  });
});

test('windows for all Applications of the project become windows of the tenant', () => {
  const imported = run(
    project(
      'shop',
      `${own}
syncWindows:
  - { kind: deny, schedule: '0  22 * * 5', duration: 60h, timeZone: Europe/Berlin, applications: ['*'], manualSync: true }
  - { kind: allow, schedule: '0 8 * * *', duration: 8h, namespaces: [shop-*], description: Office }
  - { kind: deny, schedule: '0 0 * * *', duration: 1h, applications: ['web-*'] }
  - { kind: deny, schedule: '0 1 * * *', duration: 1h, applications: ['*'], namespaces: [shop-dev], andOperator: true }
  - { kind: deny, schedule: '0 2 * * *', duration: 1h, clusters: ['https://kubernetes.default.svc'], syncOverrun: true }
  - { kind: deny, schedule: never, duration: 1h, applications: ['*'] }
`,
    ),
  );
  expect(readTenant(imported, 'shop')).toMatchObject({
    argocd: {
      syncWindows: [
        {
          kind: 'deny',
          schedule: '0 22 * * 5',
          duration: '60h',
          timeZone: 'Europe/Berlin',
          manualSync: true,
        },
        { kind: 'allow', schedule: '0 8 * * *', duration: '8h', description: 'Office' },
        { kind: 'deny', schedule: '0 2 * * *', duration: '1h' },
      ],
    },
  });
  expect(readOutcomes(imported, name)).toMatchObject({
    'spec.syncWindows[0].schedule': expect.stringMatching(/^taken/),
    'spec.syncWindows[2].applications[0]': expect.stringMatching(/^left: it is for some/),
    'spec.syncWindows[3].kind': expect.stringMatching(/^left: it is for some/),
    'spec.syncWindows[4].syncOverrun': expect.stringMatching(/^left: /),
    'spec.syncWindows[5].schedule': expect.stringMatching(/^left: /),
  });
});

test('without a repository the tenant has no project, so that its windows are left', () => {
  const bare = own.replace(/^sourceRepos.*\n/m, '');
  const imported = run(
    project(
      'shop',
      `${bare}\nsyncWindows: [{ kind: deny, schedule: '0 0 * * *', duration: 1h, applications: ['*'] }]`,
    ),
  );
  expect(readTenant(imported, 'shop')).not.toHaveProperty('argocd');
  expect(readOutcomes(imported, name)['spec.syncWindows[0].kind']).toMatch(/^left: .*repositories/);
});

/** A list of kinds with all ordinary ones. */
const everyKind = `
namespaceResourceWhitelist:
  - { group: '', kind: '*' }
  - { group: apps, kind: '*' }
  - { group: autoscaling, kind: '*' }
  - { group: batch, kind: '*' }
  - { group: networking.k8s.io, kind: Ingress }
  - { group: policy, kind: PodDisruptionBudget }
  - { group: resource.k8s.io, kind: '*' }
  - { group: cert-manager.io, kind: Certificate }
  - { group: cert-manager.io, kind: Issuer }
  - { group: rbac.authorization.k8s.io, kind: Role }
namespaceResourceBlacklist:
  - { group: cert-manager.io, kind: Issuer }
  - { group: '', kind: ResourceQuota }
`;

test('kinds that a project names are those of the tenant, and its forbidden ones stay forbidden', () => {
  const imported = run(project('shop', own + everyKind));
  expect(readTenant(imported, 'shop')).toMatchObject({
    argocd: {
      sourceRepos: repository,
      namespaceResourceWhitelist: [{ group: 'cert-manager.io', kind: 'Certificate' }],
    },
  });
  expect(readOutcomes(imported, name)).toMatchObject({
    'spec.sourceRepos[0]': expect.stringMatching(/^taken/),
    'spec.namespaceResourceWhitelist[0].kind': expect.stringMatching(/^left: .*names each kind/),
    'spec.namespaceResourceWhitelist[4].kind': expect.stringMatching(/^taken: an ordinary kind/),
    'spec.namespaceResourceWhitelist[8].kind': expect.stringMatching(/^taken: nothing/),
    'spec.namespaceResourceWhitelist[9].kind': expect.stringMatching(/^left: .*gives no rights/),
    'spec.namespaceResourceBlacklist[1].kind': expect.stringMatching(/^taken/),
  });
});

test('people get no rights in Kubernetes by roles of a project, and no token is shown', () => {
  const imported = run(
    project(
      'shop',
      `${own}
roles:
  - name: deployer
    description: Deploys
    groups: [shop-team]
    policies: ['p, proj:shop:deployer, applications, *, shop/*, allow']
    jwtTokens: [{ iat: 1535390316, exp: 1735390316, id: secret-id }]
`,
    ),
  );
  for (const [field, outcome] of Object.entries(readOutcomes(imported, name))) {
    if (field.startsWith('spec.roles')) expect(outcome).toMatch(/^left: .*`access`/);
  }
  const written = imported.result.files.map(({ text }) => text).join('\n');
  expect(written).not.toMatch(/shop-team|deployer/);
  expect(JSON.stringify(imported.report)).not.toMatch(/secret-id|1535390316/);
});

test('Applications in a namespace of the tenant need an account of the tenant', () => {
  const spec = `${own}\nsourceNamespaces: [shop-dev, other]`;
  const strict = run(project('shop', spec));
  expect(readOutcomes(strict, name)['spec.sourceNamespaces[0]']).toMatch(/^left: .*impersonation/);
  const enabled = { ...platform, argocd: { impersonation: 'Enabled' } } as const;
  const imported = run(project('shop', spec), [], enabled);
  expect(readTenant(imported, 'shop')).toMatchObject({
    argocd: { sourceNamespaces: ['shop-dev'] },
  });
  expect(readOutcomes(imported, name)['spec.sourceNamespaces[1]']).toMatch(
    /^left: people of a tenant/,
  );
});

test('what a tenant cannot bound is left: cluster-scoped kinds, orphaned resources', () => {
  const imported = run(
    project(
      'shop',
      `${own}
clusterResourceWhitelist: [{ group: '', kind: Namespace, name: shop-* }]
clusterResourceBlacklist: [{ group: '*', kind: ClusterRole }]
orphanedResources: { warn: true, ignore: [{ kind: ConfigMap, name: kube-root-ca.crt }] }
sourceIntegrity: { git: { policies: [{ gpg: { keys: [A], mode: head }, repos: [{ url: '*' }] }] } }
`,
    ),
  );
  expect(readOutcomes(imported, name)).toMatchObject({
    'spec.clusterResourceWhitelist[0].name': expect.stringMatching(/^left: .*cluster-scoped/),
    'spec.clusterResourceBlacklist[0].kind': expect.stringMatching(/^taken/),
    'spec.orphanedResources.ignore[0].name': expect.stringMatching(/^left: the operator/),
    'spec.sourceIntegrity.git.policies[0].gpg.mode': expect.stringMatching(/^left: .*signatures/),
  });
});

test('an AppProject of another form than its kind is an error with its place', () => {
  expect(() => run(project('shop', 'sourceRepos: https://git.example.com/shop.git'))).toThrow(
    /all.yaml:19.* spec.sourceRepos must be a list.*AppProject/,
  );
});

test('an import of what it rendered changes nothing more', () => {
  const accepted = [name];
  const once = run(project('shop', own), accepted);
  const again = run(project('shop', own), accepted);
  expect(again.result.files).toEqual(once.result.files);
  expect(once.report.added).toEqual([]);
});

const pattern = fc.constantFrom('a', 'a-b', 'a*', 'a-?', '{a,b}', 'b', '', '*', '!a', '*b');
const place = fc.constantFrom(
  'in-cluster',
  'in-*',
  '*',
  'eu1',
  '!eu1',
  '!in-cluster',
  IN_CLUSTER.server,
);

test('a project covers the namespaces that Argo CD allows it, or is unbounded', () => {
  const names = ['a', 'a-b', 'b', 'c'];
  const destination = fc.record({ server: place, name: place, namespace: pattern });
  fc.assert(
    fc.property(fc.array(destination, { maxLength: 4 }), (destinations) => {
      const index = new NamespaceIndex(names);
      const { unbounded, namespaces } = computeCoverage(destinations, index, [IN_CLUSTER]);
      const allowed = names.filter((namespace) =>
        permitsDestination(destinations, { ...IN_CLUSTER, namespace }),
      );
      if (unbounded === undefined) expect([...namespaces].toSorted()).toEqual(allowed);
      else expect(namespaces.size).toBe(0);
      // A namespace that does not exist is never allowed by a project that makes a tenant.
      const anybody = permitsDestination(destinations, { ...IN_CLUSTER, namespace: 'zzz' });
      if (anybody) expect(unbounded).toBeDefined();
    }),
    runs(300),
  );
});

test('a project with 1,000 patterns and 3,000 namespaces take seconds', () => {
  const many = Array.from({ length: 3000 }, (_, i) => `n${i}`);
  const text = many
    .map((each) => `apiVersion: v1\nkind: Namespace\nmetadata: { name: ${each} }\n---\n`)
    .join('');
  const destinations = many
    .slice(0, 1000)
    .map((each) => `  - { name: in-cluster, namespace: '${each}{,x}' }`);
  const began = performance.now();
  const imported = importSystem(
    text + project('shop', `destinations:\n${destinations.join('\n')}`),
    [],
    platform,
  );
  expect(imported.report.namespaces).toBe(3000);
  expect(performance.now() - began).toBeLessThan(60_000);
});

test('a description with a text that Argo CD obeys is left, and the rest of the project is declared', () => {
  const imported = run(project('shop', `description: 'a +argocd:skip-file-rendering'\n${own}`));
  expect(readOutcomes(imported, name)['spec.description']).toMatch(
    /^left: must not hold the text '\+argocd:', .*\(steering-text\)$/,
  );
  expect(readTenant(imported, 'shop')).toMatchObject({ argocd: { sourceRepos: repository } });
});

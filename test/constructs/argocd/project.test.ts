import { Chart } from 'cdk8s';
import { expect, test } from '@jest/globals';
import type { AppProjectSpec } from '../../../model/argocd/api/types.ts';
import { AppProject, type AppProjectProps } from '../../../constructs/argocd/app-project.ts';
import { validateProject, type ProjectOpening } from '../../../model/argocd/rules/project.ts';
import { validateProjectFields } from '../../../model/argocd/rules/project-validity.ts';
import { formatFinding } from '@tenantry/kube/finding';
import { App } from '../../../synth/app.ts';
import { typesTest } from '../../go/argocd-types.ts';

const IN_CLUSTER = 'https://kubernetes.default.svc';
const base = {
  sourceRepos: ['https://git.example.com/shop/*'],
  destinations: [{ server: IN_CLUSTER, namespace: 'shop-*' }],
  namespaceResourceWhitelist: [{ group: 'apps', kind: 'Deployment' }],
} as const satisfies AppProjectSpec;

const metadata = { name: 'shop', namespace: 'argocd' };

function validateSpec(
  spec: Partial<AppProjectSpec>,
  opens: readonly ProjectOpening[] = [],
): string[] {
  const asked = { metadata, spec: { ...base, ...spec } };
  return validateProject(asked, new Set(opens)).map(formatFinding);
}

test('a project with explicit lists is accepted', () => {
  expect(validateSpec({})).toEqual([]);
  expect(
    validateSpec({ clusterResourceWhitelist: [{ group: '', kind: 'Namespace', name: 'shop-*' }] }),
  ).toEqual([]);
  expect(validateSpec({ sourceNamespaces: ['shop-prod', 'shop-*'] })).toEqual([]);
});

const wide: readonly [string, Partial<AppProjectSpec>, ProjectOpening, RegExp][] = [
  [
    'any repository',
    { sourceRepos: ['*'] },
    'AnyRepository',
    /^spec\.sourceRepos\[0\] must be repositories of one host, got '\*'/,
  ],
  [
    'all repositories but one',
    { sourceRepos: [...base.sourceRepos, '!https://git.example.com/shop/secret'] },
    'AnyRepository',
    /^spec\.sourceRepos\[1\] .* what is denied lets in every repository/,
  ],
  [
    'any cluster',
    { destinations: [{ server: '*', namespace: 'shop' }] },
    'AnyCluster',
    /^spec\.destinations\[0\]\.server must be a cluster/,
  ],
  [
    'any cluster by name',
    { destinations: [{ name: '*-eu1', namespace: 'shop' }] },
    'AnyCluster',
    /^spec\.destinations\[0\]\.name must be a cluster/,
  ],
  [
    'any namespace of another cluster',
    { destinations: [{ name: 'eu1', namespace: '*' }] },
    'AnyNamespace',
    /^spec\.destinations\[0\]\.namespace must be a namespace/,
  ],
  [
    'all namespaces but one',
    { destinations: [{ name: 'eu1', namespace: '!argocd' }] },
    'AnyNamespace',
    /got '!argocd'/,
  ],
  [
    'namespaces by what is in braces',
    { destinations: [{ name: 'eu1', namespace: '{shop,*}' }] },
    'AnyNamespace',
    /got '\{shop,\*\}'/,
  ],
  [
    'cluster-wide kinds by a pattern',
    { clusterResourceWhitelist: [{ group: '*', kind: '*' }] },
    'AnyClusterKind',
    /^spec\.clusterResourceWhitelist\[0\] must be a kind of a group, got '\*' of '\*'/,
  ],
  [
    'all kinds in namespaces',
    { namespaceResourceWhitelist: [{ group: '*', kind: '*' }] },
    'AnyNamespacedKind',
    /^spec\.namespaceResourceWhitelist\[0\] must be kinds of a group/,
  ],
  [
    'the namespace of Argo CD',
    { destinations: [{ server: IN_CLUSTER, namespace: 'argo*' }] },
    'ArgoCdNamespace',
    /^spec\.destinations\[0\]\.namespace must not be the namespace of Argo CD, got 'argo\*'/,
  ],
  [
    'Applications in any namespace',
    { sourceNamespaces: ['*'] },
    'SourceNamespaces',
    /^spec\.sourceNamespaces\[0\] must begin with letters/,
  ],
  [
    'Applications by a regular expression',
    { sourceNamespaces: ['/^.*$/'] },
    'SourceNamespaces',
    /^spec\.sourceNamespaces\[0\] must begin with letters/,
  ],
  [
    'Applications of tenants in a privileged project',
    {
      sourceNamespaces: ['shop-prod'],
      clusterResourceWhitelist: [{ group: '', kind: 'Namespace' }],
    },
    'SourceNamespaces',
    /must be left out of a project that lets in kinds outside of namespaces/,
  ],
];

test.each(wide)('%s is permitted only where `opens` lists it', (_, spec, opening, message) => {
  expect(validateSpec(spec)).toEqual([expect.stringMatching(message)]);
  expect(validateSpec(spec)[0]).toContain(`opens: ['${opening}']`);
  expect(validateSpec(spec, [opening])).toEqual([]);
});

test('a project with sourceNamespaces may permit only destinations of their owner', () => {
  const sourceNamespaces = ['shop-prod'];
  const argocd = { destinations: [{ server: IN_CLUSTER, namespace: 'argocd' }], sourceNamespaces };
  expect(validateSpec(argocd, ['ArgoCdNamespace'])).toEqual([
    expect.stringMatching(/must be left out of a project that lets in the namespace of Argo CD/),
  ]);
  const any = { destinations: [{ name: 'eu1', namespace: '*' }], sourceNamespaces };
  expect(validateSpec(any, ['AnyNamespace'])).toEqual([
    expect.stringMatching(/must be left out of a project that lets in any namespace/),
  ]);
  expect(validateSpec(any, ['AnyNamespace', 'SourceNamespaces'])).toEqual([]);
});

test('a project that permits all namespaces may deny the namespace of Argo CD', () => {
  const destinations = [
    { server: IN_CLUSTER, namespace: '*' },
    { server: IN_CLUSTER, namespace: '!argocd' },
  ];
  expect(validateSpec({ destinations }, ['AnyNamespace'])).toEqual([]);
  expect(validateSpec({ destinations: [destinations[0]!] }, ['AnyNamespace'])).toEqual([
    expect.stringMatching(/must not be the namespace of Argo CD/),
  ]);
});

test.each([
  [{ sourceRepos: [] }, 'spec.sourceRepos must name repositories, got nothing'],
  [{ destinations: [] }, 'spec.destinations must name clusters and namespaces, got nothing'],
  [
    { sourceRepos: ['https://git.example.com/{a,b}/*'] },
    "spec.sourceRepos[0] must be written out, got 'https://git.example.com/{a,b}/*': Argo CD takes braces in addresses for themselves",
  ],
])('a list that permits nothing is refused: %j', (spec, message) => {
  expect(validateSpec(spec)).toEqual([message]);
});

test('a wildcard in the group or in the kind makes a pattern', () => {
  const of = (group: string, kind: string): string[] =>
    validateSpec({ clusterResourceWhitelist: [{ group, kind }] });
  expect(of('*', 'ClusterRole')).toHaveLength(1);
  expect(of('', '*')).toHaveLength(1);
  expect(of('rbac.authorization.k8s.io', 'ClusterRole')).toEqual([]);
});

test("a wildcard must not replace the host of a cluster's address", () => {
  const of = (server: string): string[] =>
    validateSpec({ destinations: [{ server, namespace: 'shop-prod' }] });
  expect(of('https://*')).toHaveLength(1);
  expect(of('https://*.example.com')).toHaveLength(1);
  expect(of('https://eu1.example.com:6443')).toEqual([]);
});

test('a project without a list of namespaced kinds permits all, and so does one with an empty list', () => {
  const { namespaceResourceWhitelist: _, ...rest } = base;
  const ask = (spec: AppProjectSpec, opens: ProjectOpening[] = []): string[] =>
    validateProject({ metadata, spec }, new Set(opens)).map(formatFinding);
  expect(ask(rest)).toEqual([
    expect.stringMatching(/^spec\.namespaceResourceWhitelist must name kinds, got nothing/),
  ]);
  expect(ask(rest, ['AnyNamespacedKind'])).toEqual([]);
  expect(ask({ ...rest, namespaceResourceBlacklist: [{ group: '*', kind: '*' }] })).toEqual([]);
  const half = { ...rest, namespaceResourceBlacklist: [{ group: 'apps', kind: '*' }] };
  expect(ask(half)).toEqual([expect.stringMatching(/must name kinds, got nothing/)]);
  const lists = (group: string, kind: string): string[] =>
    ask({ ...rest, namespaceResourceWhitelist: [{ group, kind }] });
  expect([...lists('apps', '*'), ...lists('*', 'Deployment')]).toEqual([]);
  expect(lists('*', '*')).toEqual([
    expect.stringMatching(/^spec\.namespaceResourceWhitelist\[0\] must be kinds of a group/),
  ]);
  const empty = { ...rest, namespaceResourceWhitelist: [] };
  for (const opens of [[], ['AnyNamespacedKind' as const]]) {
    expect(ask(empty, opens)).toEqual([
      expect.stringMatching(/must name kinds, got an empty list/),
    ]);
  }
});

test("the namespace of Argo CD is the namespace of the project, on Argo CD's own cluster", () => {
  const there = { destinations: [{ server: IN_CLUSTER, namespace: 'gitops' }] };
  const spec = { ...base, ...there };
  const elsewhere = { name: 'shop', namespace: 'gitops' };
  expect(validateSpec(there)).toEqual([]);
  expect(validateProject({ metadata: elsewhere, spec }).map(({ rule }) => rule)).toEqual([
    'appproject-argocd-namespace',
  ]);
  expect(validateSpec({ destinations: [{ name: 'eu1', namespace: 'argocd' }] })).toEqual([]);
  expect(
    validateSpec({ destinations: [{ name: 'in-cluster', namespace: 'argocd' }] }),
  ).toHaveLength(1);
});

const role = {
  name: 'deployer',
  policies: ['p, proj:shop:deployer, applications, sync, shop/*, allow'],
};
const window = {
  kind: 'allow',
  schedule: '0 22 * * 1-5',
  duration: '2h',
  applications: ['*'],
} as const;

/** Projects, each with whether Argo CD uses it. */
const cases: readonly Partial<AppProjectSpec>[] = [
  {},
  { roles: [role] },
  { roles: [role, role] },
  { roles: [{ ...role, name: '-deployer' }] },
  { roles: [{ name: 'deploy_er-1', groups: ['shop', '"CN=shop,OU=x"'] }] },
  ...['a,b', '', ' a', 'a\tb', '"', '""', '"a"b"', 'a b'].map((group) => ({
    roles: [{ name: 'a', groups: [group] }],
  })),
  { roles: [{ name: 'a', groups: ['b', 'b'] }] },
  { roles: [{ ...role, policies: [...role.policies, ...role.policies] }] },
  ...[
    'p, proj:shop:deployer, applications, sync, shop/*',
    'g, proj:shop:deployer, applications, sync, shop/*, allow',
    'p, proj:other:deployer, applications, sync, shop/*, allow',
    'p, proj:shop:deployer, projects, sync, shop/*, allow',
    'p, proj:shop:deployer, exec, create, shop/*, allow',
    'p, proj:shop:deployer, applications, action/apps/Deployment/restart, shop/web, allow',
    'p, proj:shop:deployer, applications, update/*, shop/ns/web, deny',
    'p, proj:shop:deployer, applications, frobnicate, shop/*, allow',
    'p, proj:shop:deployer, applications, get, other/*, allow',
    'p, proj:shop:deployer, applications, get, park/*, allow',
    'p, proj:shop:deployer, applications, get, shop, allow',
    'p, proj:shop:deployer, applications, get, shop/*, perhaps',
    'p,proj:shop:deployer,applications,*,shop/*,allow',
  ].map((policy) => ({ roles: [{ name: 'deployer', policies: [policy] }] })),
  { syncWindows: [window] },
  { syncWindows: [window, window] },
  { syncWindows: [window, { ...window, description: 'again', manualSync: true }] },
  { syncWindows: [window, { ...window, timeZone: 'Europe/Berlin' }] },
  { syncWindows: [{ kind: 'allow', schedule: '* * * * *', duration: '1h' }] },
  { syncWindows: [{ ...window, duration: '2 hours' }] },
  { syncWindows: [{ ...window, duration: '1h30m' }] },
  ...[
    '* * * *',
    '60 * * * *',
    '0 24 * * *',
    '0 0 0 * *',
    '0 0 * 13 *',
    '0 0 * * 7',
    '*/5 0-6/2 1,15 jan-mar MON',
    '0 22-4 * * *',
    '*/0 * * * *',
    '5/70 * * * *',
    '? * ? * ?',
    '@daily',
    '',
    '0 0 * * 1-2-3',
    '1//2 * * * *',
    ', * * * *',
    '*-9 * * * *',
    'x * * * *',
    '-1 * * * *',
  ].map((schedule) => ({ syncWindows: [{ ...window, schedule }] })),
  { sourceRepos: ['https://a', 'https://a'] },
  { sourceRepos: ['!*'] },
  {
    destinations: [
      { server: 'https://a', namespace: 'b' },
      { server: 'https://a', namespace: 'b' },
    ],
  },
  {
    destinations: [
      { name: 'a', namespace: 'b' },
      { server: 'a', namespace: 'b' },
    ],
  },
  { destinations: [{ server: 'https://a', namespace: '!*' }] },
  { sourceNamespaces: ['a', 'a'] },
  ...[
    { server: IN_CLUSTER, namespace: 'shop-*', defaultServiceAccount: 'deployers:shop' },
    {
      server: String.raw`https://\[fd00::1\]:6443`,
      namespace: 'shop',
      defaultServiceAccount: 'shop',
    },
    { server: IN_CLUSTER, namespace: '!shop', defaultServiceAccount: 'shop' },
    { server: IN_CLUSTER, namespace: '[a', defaultServiceAccount: 'shop' },
    { server: IN_CLUSTER, namespace: 'a', defaultServiceAccount: 'shop-*' },
    { server: IN_CLUSTER, namespace: 'a', defaultServiceAccount: ' ' },
  ].map((account) => ({ destinationServiceAccounts: [account] })),
];

typesTest('a project is refused where Argo CD does not use it', (ask) => {
  const specs = cases.map((spec): AppProjectSpec => ({ ...base, ...spec }));
  const answers = ask(specs.map((spec) => ({ kind: 'AppProject', object: { metadata, spec } })));
  const verdicts = specs.map((spec, i) => {
    const ours = validateProjectFields('shop', spec).map(formatFinding);
    return { spec: cases[i], ours, theirs: answers[i]!.error };
  });
  expect(verdicts.filter(({ ours, theirs }) => ours.length > 0 !== (theirs !== ''))).toEqual([]);
  expect(verdicts.filter(({ theirs }) => theirs !== '').length).toBeGreaterThan(30);
});

test('a sync window covers the hours that are intended', () => {
  const at = (timeZone: string): string[] =>
    validateSpec({ syncWindows: [{ ...window, timeZone }] });
  expect(['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires'].flatMap(at)).toEqual([]);
  for (const zone of ['Europe/Berlni', 'europe/berlin', 'Europe/BERLIN', '+02:00']) {
    expect(at(zone)).toEqual([
      expect.stringMatching(/^spec\.syncWindows\[0\]\.timeZone must be such as .* takes UTC/),
    ]);
  }
});

test('signatures of commits are required in only one way', () => {
  const git = {
    policies: [
      { repos: [{ url: '*' }], gpg: { mode: 'head' as const, keys: ['4AEE18F83AFDEB23'] } },
    ],
  };
  const signatureKeys = [{ keyID: '4AEE18F83AFDEB23' }];
  expect(validateSpec({ sourceIntegrity: { git } })).toEqual([]);
  expect(validateSpec({ signatureKeys })).toEqual([]);
  expect(validateSpec({ sourceIntegrity: { git }, signatureKeys })).toEqual([
    expect.stringMatching(/^spec\.signatureKeys must be left out beside sourceIntegrity/),
  ]);
});

const made = (props: Partial<AppProjectProps>): AppProject =>
  new AppProject(new Chart(new App(), 'projects'), 'shop', {
    metadata: { name: 'shop' },
    spec: base,
    ...props,
  });

test('by default a deleted project waits for its Applications', () => {
  expect(made({}).toJson()).toEqual({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: {
      name: 'shop',
      namespace: 'argocd',
      finalizers: ['resources-finalizer.argocd.argoproj.io'],
    },
    spec: base,
  });
  expect(made({ deletion: 'AtOnce' }).toJson()).toMatchObject({
    metadata: { name: 'shop', namespace: 'argocd' },
  });
  expect(made({ deletion: 'AtOnce' }).toJson().metadata).not.toHaveProperty('finalizers');
});

test('an empty list of kinds is refused, although it is not rendered', () => {
  const spec = { ...base, namespaceResourceWhitelist: [] };
  const shop = made({ spec, opens: ['AnyNamespacedKind'] });
  expect(shop.node.validate()).toEqual([
    expect.stringMatching(/^spec\.namespaceResourceWhitelist must name kinds, got an empty list/),
  ]);
});

test('a schema violation suppresses further findings', () => {
  // @ts-expect-error: unknown field
  const spec: AppProjectProps['spec'] = { ...base, sourceRepos: ['*'], sourceRepositories: [] };
  expect(made({ spec }).node.validate()).toEqual([
    expect.stringMatching(/spec\.sourceRepositories .*/),
  ]);
  expect(made({ spec: { ...base, sourceRepos: ['*'] } }).node.validate()).toHaveLength(1);
});

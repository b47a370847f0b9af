import { Chart, JsonPatch, Lazy } from 'cdk8s';
import { expect, test } from '@jest/globals';
import type { ApplicationSpec } from '../../../model/argocd/api/types.ts';
import { Application, AppOfApps } from '../../../constructs/argocd/application.ts';
import { AppProject } from '../../../constructs/argocd/app-project.ts';
import type { ApplicationDeletion } from '../../../model/argocd/object.ts';
import { validateAgainstProject } from '../../../constructs/argocd/project-permissions.ts';
import { formatFinding } from '@tenantry/kube/finding';
import { App } from '../../../synth/app.ts';
import { findOutputPath, setOutputPath } from '../../../synth/charts.ts';

const server = 'https://kubernetes.default.svc';
const base = {
  project: 'shop',
  source: { repoURL: 'https://git.example.com/shop/web', path: 'deploy' },
  destination: { server, namespace: 'shop-prod' },
} as const satisfies ApplicationSpec;

function made(
  spec: Partial<ApplicationSpec> = {},
  { deletion = 'Cascade', scope = new Chart(new App(), 'applications') }: Made = {},
): Application {
  return new Application(scope, 'web', {
    metadata: { name: 'shop-web' },
    deletion,
    spec: { ...base, ...spec },
  });
}

interface Made {
  readonly deletion?: ApplicationDeletion;
  readonly scope?: Chart;
}

const validateApplication = (spec: Partial<ApplicationSpec>): string[] =>
  made(spec).node.validate();

test('the deletion mode of an Application sets its finalizer', () => {
  const finalizer = 'resources-finalizer.argocd.argoproj.io';
  const of = (deletion: ApplicationDeletion): unknown =>
    (made({}, { deletion }).toJson() as { metadata: { finalizers?: unknown } }).metadata.finalizers;
  expect(of('Cascade')).toEqual([finalizer]);
  expect(of('CascadeInBackground')).toEqual([`${finalizer}/background`]);
  expect(of('Orphan')).toBeUndefined();
});

test('fields that Argo CD would omit are not rendered', () => {
  const { spec } = made({
    source: { ...base.source, targetRevision: '', kustomize: {}, directory: { recurse: false } },
    syncPolicy: { automated: { prune: true, allowEmpty: false }, syncOptions: [] },
    ignoreDifferences: [],
  }).toJson() as { spec: object };
  expect(spec).toEqual({ ...base, syncPolicy: { automated: { prune: true } } });
});

test('a lazy value that depends on a later construct is resolved during validation', () => {
  let later: { readonly path: string } | undefined;
  const path = Lazy.any({ produce: () => later!.path }) as string;
  const application = made({ source: { ...base.source, path } });
  expect(() => application.node.validate()).toThrow(/reading 'path'/);
  later = { path: 'deploy' };
  expect(application.node.validate()).toEqual([]);
  later = { path: '/deploy' };
  expect(application.node.validate()).toEqual([
    expect.stringMatching(/^spec\.source\.path must be relative to the repository/),
  ]);
});

const refused: readonly [string, Partial<ApplicationSpec>, RegExp][] = [
  [
    'no repository',
    { source: { repoURL: '', path: '.' } },
    /^spec\.source\.repoURL must be the address of a repository, got ''/,
  ],
  [
    'the project that lets in everything',
    { project: 'default' },
    /^spec\.project must be an AppProject of its own, got 'default'/,
  ],
  ['no project', { project: '' }, /^spec\.project must be an AppProject of its own, got ''/],
  [
    'no cluster',
    { destination: { namespace: 'a' } },
    /^spec\.destination must have server or name, got neither/,
  ],
  [
    'a cluster with both a server and a name',
    { destination: { server, name: 'in-cluster' } },
    /^spec\.destination .* got both/,
  ],
  [
    'two kinds of sources',
    { sources: [base.source] },
    /^spec must have one of source, sources and sourceHydrator, got several/,
  ],
  [
    'no sources in a list',
    { source: undefined as never, sources: [] },
    /^spec must have one of .* got none/,
  ],
  [
    'neither path nor chart',
    { source: { repoURL: 'https://git.example.com/a' } },
    /^spec\.source must have path or chart, got neither/,
  ],
  [
    'neither of them, though nobody takes values from it',
    { source: { repoURL: 'https://git.example.com/a', ref: 'values' } },
    /^spec\.source must have path or chart, got neither/,
  ],
  [
    'neither of them, in one of many sources',
    { source: undefined as never, sources: [base.source, { repoURL: base.source.repoURL }] },
    /^spec\.sources\[1\] must have path or chart, or ref, got neither/,
  ],
  [
    'both path and chart',
    { source: { ...base.source, chart: 'web', targetRevision: '1.0.0' } },
    /^spec\.source\.chart must be left out beside path/,
  ],
  [
    'a path from the root',
    { source: { ...base.source, path: '/deploy' } },
    /^spec\.source\.path must be relative to the repository, got '\/deploy'/,
  ],
  [
    'a chart of any version',
    { source: { repoURL: 'registry.example.com/charts', chart: 'web' } },
    /^spec\.source\.targetRevision must be the version of the chart/,
  ],
  [
    'an option with another value',
    { syncPolicy: { syncOptions: ['Prune=Confirm'] } },
    /^spec\.syncPolicy\.syncOptions\[0\] must be 'Prune=true' or 'Prune=false' or 'Prune=confirm', got 'Prune=Confirm'/,
  ],
  [
    'an option that is misspelt',
    { syncPolicy: { syncOptions: ['CreateNamespaces=true'] } },
    /must be an option that Argo CD knows, got 'CreateNamespaces=true'.*'CreateNamespace'/,
  ],
  [
    'an option by a name that JavaScript knows',
    { syncPolicy: { syncOptions: ['constructor=true'] } },
    /must be an option that Argo CD knows, got 'constructor=true'/,
  ],
  ['an option without a value', { syncPolicy: { syncOptions: ['PruneLast'] } }, /got 'PruneLast'/],
  [
    'an option that takes the place of another',
    { syncPolicy: { syncOptions: ['ServerSideApply=true', 'Replace=true'] } },
    /^spec\.syncPolicy\.syncOptions\[1\] must be left out beside 'ServerSideApply=true'/,
  ],
  [
    'metadata of a namespace that nobody makes',
    { syncPolicy: { managedNamespaceMetadata: { labels: { a: 'b' } } } },
    /^spec\.syncPolicy\.managedNamespaceMetadata must be left out without 'CreateNamespace=true'/,
  ],
  [
    'leave to prune all where nothing is pruned',
    { syncPolicy: { automated: { allowEmpty: true } } },
    /^spec\.syncPolicy\.automated\.allowEmpty must be left out/,
  ],
];

test.each(refused)('%s is refused', (_, spec, message) => {
  expect(validateApplication(spec)).toEqual([expect.stringMatching(message)]);
});

test('valid Applications are accepted', () => {
  const values = { repoURL: 'https://git.example.com/shop/values', ref: 'values' };
  const chart = { repoURL: 'registry.example.com/charts', chart: 'web', targetRevision: '1.0.0' };
  expect(validateApplication({})).toEqual([]);
  expect(validateApplication({ source: undefined as never, sources: [chart, values] })).toEqual([]);
  expect(validateApplication({ destination: { name: 'eu1', namespace: 'a' } })).toEqual([]);
  expect(
    validateApplication({ syncPolicy: { automated: { prune: true, allowEmpty: true } } }),
  ).toEqual([]);
  expect(
    validateApplication({
      syncPolicy: {
        syncOptions: ['PrunePropagationPolicy=background', 'ServerSideApply=true', 'Replace=false'],
      },
    }),
  ).toEqual([]);
  const hydrated = {
    drySource: {
      repoURL: 'https://git.example.com/shop/web',
      path: 'deploy',
      targetRevision: 'main',
    },
    syncSource: { targetBranch: 'env/prod', path: 'shop' },
  };
  expect(validateApplication({ source: undefined as never, sourceHydrator: hydrated })).toEqual([]);
});

test('patches are applied before validation', () => {
  const web = made();
  web.addJsonPatch(JsonPatch.replace('/spec/project', 'default'));
  expect(web.node.validate()).toEqual([expect.stringMatching(/^spec\.project must be/)]);
  const emptied = made();
  emptied.addJsonPatch(JsonPatch.remove('/spec/source'), JsonPatch.add('/spec/sources', []));
  expect(emptied.node.validate()).toEqual(['spec.sources must hold a source, got an empty list']);
});

function beside(path: string, spec: Partial<ApplicationSpec>, namespace = 'argocd'): string[] {
  const app = new App();
  const projects = new Chart(app, 'projects');
  const applications = new Chart(app, 'applications');
  setOutputPath(projects, 'clusters/eu1/projects.yaml');
  setOutputPath(applications, path);
  new AppProject(projects, 'shop', {
    metadata: { name: 'shop', namespace },
    spec: {
      sourceRepos: ['https://git.example.com/shop/*'],
      destinations: [{ server, namespace: 'shop-*' }],
      namespaceResourceWhitelist: [{ group: 'apps', kind: 'Deployment' }],
    },
  });
  return made(spec, { scope: applications }).node.validate();
}

test('an Application is validated against a project of the same app', () => {
  const here = 'clusters/eu1/applications.yaml';
  expect(beside(here, {})).toEqual([]);
  const source = { repoURL: 'https://git.example.com/other/web', path: '.' };
  expect(beside(here, { source })).toEqual([
    expect.stringMatching(
      /^spec\.source\.repoURL must be a repository that the project 'shop' lets in/,
    ),
  ]);
  const none = undefined as never;
  expect(beside(here, { source: none, sources: [base.source, source] })).toEqual([
    expect.stringMatching(/^spec\.sources\[1\]\.repoURL must be a repository/),
  ]);
  const sourceHydrator = {
    drySource: { ...source, targetRevision: 'main' },
    syncSource: { targetBranch: 'env/prod', path: 'shop' },
  };
  expect(beside(here, { source: none, sourceHydrator })).toEqual([
    expect.stringMatching(/^spec\.sourceHydrator\.drySource\.repoURL must be a repository/),
  ]);
  expect(beside(here, { destination: { name: 'in-cluster', namespace: 'kube-system' } })).toEqual([
    "spec.destination must be a destination that the project 'shop' lets in, got 'kube-system' on 'in-cluster'",
  ]);
  expect(beside(here, { destination: { name: 'in-cluster', namespace: 'shop-a' } })).toEqual([]);
  const elsewhere = { server: 'https://eu1.example.com', namespace: 'shop-a' };
  expect(beside(here, { destination: elsewhere })).toEqual([
    "spec.destination must be a destination that the project 'shop' lets in, got 'shop-a' on 'https://eu1.example.com'",
  ]);
  // Other names of the cluster are unknown here.
  expect(beside(here, { destination: { name: 'eu1', namespace: 'kube-system' } })).toEqual([]);
  const syncPolicy = { syncOptions: ['CreateNamespace=true'] };
  expect(beside(here, { syncPolicy })).toEqual([
    "spec.syncPolicy.syncOptions[0] must be left out where the project 'shop' lets in no Namespace 'shop-prod'",
  ]);
  expect(beside('clusters/us1/applications.yaml', { source })).toEqual([]);
  expect(beside(here, { source, project: 'other' })).toEqual([]);
  expect(beside(here, { source }, 'gitops')).toEqual([]);
});

test('a destination is not checked where only Argo CD knows the cluster; all else is', () => {
  const project = {
    sourceRepos: ['https://git.example.com/shop/*'],
    destinations: [{ name: 'eu1', namespace: 'shop-prod' }],
  };
  const of = (to: string, repoURL: string = base.source.repoURL): string[] => {
    const destination = { server: to, namespace: 'shop-prod' };
    const spec = { ...base, source: { repoURL, path: '.' }, destination };
    return validateAgainstProject(spec, project, 'shop').map(formatFinding);
  };
  expect(of('https://eu1.example.com')).toEqual([]);
  expect(of(server)).toEqual([
    `destination must be a destination that the project 'shop' lets in, got 'shop-prod' on '${server}'`,
  ]);
  expect(of('{{.server}}', '{{.url}}')).toEqual([]);
  expect(of('{{.server}}', 'https://git.example.com/other/web')).toHaveLength(1);
});

test('a destination with placeholders is not checked', () => {
  const project = {
    sourceRepos: ['https://git.example.com/shop/*'],
    destinations: [{ server, namespace: 'shop-*' }],
  };
  const syncPolicy = { syncOptions: ['CreateNamespace=true'] };
  const of = (destination: ApplicationSpec['destination']): string[] =>
    validateAgainstProject({ ...base, destination, syncPolicy }, project, 'shop').map(
      formatFinding,
    );
  expect(of({ server: '{{.server}}', namespace: '{{.path.basename}}' })).toEqual([]);
  expect(of({ server, namespace: '{{.path.basename}}' })).toEqual([]);
  expect(of({ server: 'https://eu1.example.com', namespace: 'shop-a' })).toHaveLength(2);
});

test('an app of apps creates its Applications wave by wave', () => {
  const app = new App();
  const all = new AppOfApps(app, 'all', {
    metadata: { name: 'platform' },
    project: 'argocd',
    repoURL: 'https://git.example.com/platform/deploy',
    targetRevision: 'main',
    deletion: 'Orphan',
  });
  const [first, second, third] = ['a', 'b', 'c'].map(
    (name) =>
      new Application(all.objects, name, { metadata: { name }, deletion: 'Cascade', spec: base }),
  );
  all.addWave(first!);
  all.addWave(second!, third!);
  expect(findOutputPath(all.objects)).toBe('argocd/platform/applications.yaml');
  expect(findOutputPath(Chart.of(all.root))).toBe('argocd/platform.yaml');
  expect(all.root.toJson()).toEqual({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: 'platform', namespace: 'argocd' },
    spec: {
      project: 'argocd',
      source: {
        repoURL: 'https://git.example.com/platform/deploy',
        targetRevision: 'main',
        path: 'dist/argocd/platform',
      },
      destination: { server, namespace: 'argocd' },
      syncPolicy: { automated: { prune: true, selfHeal: true } },
    },
  });
  const waves = [first!, second!, third!].map((one) => one.metadata.toJson().annotations);
  const wave = { 'argocd.argoproj.io/sync-wave': '1' };
  expect(waves).toEqual([undefined, wave, wave]);
  expect(app.node.findAll().flatMap((one) => one.node.validate())).toEqual([]);
});

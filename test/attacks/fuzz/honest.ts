import fc from 'fast-check';
import type { Tree } from './attack.ts';
import { classes } from './worlds.ts';

const word = fc.constantFrom('a', 'b', 'web', 'jobs');
const people = fc.record(
  {
    users: fc.uniqueArray(fc.constantFrom('alice@example.com', 'bob'), { maxLength: 2 }),
    groups: fc.uniqueArray(fc.constantFrom('github:mallory', 'example:team'), { maxLength: 2 }),
    serviceAccounts: fc.constant([{ name: 'ci', namespace: 'mallory-dev' }]),
  },
  { requiredKeys: [] },
);
const few = <T>(item: fc.Arbitrary<T & { name: string }>) =>
  fc.uniqueArray(item, { selector: ({ name }) => name, minLength: 1, maxLength: 2 });

/** Settings that render in every class. */
const settings = fc.record(
  {
    labels: fc.constant({ team: 'web' }),
    annotations: fc.constant({ description: 'https://example.com/x' }),
    contact: fc.constant({ team: 'Mallory', channel: '' }),
    access: fc.record(
      {
        viewers: people,
        editors: people,
        roles: few(
          fc.record({
            name: word,
            rules: fc.constant([
              { apiGroups: [''], resources: ['pods', 'configmaps'], verbs: ['get', 'list'] },
            ]),
            users: fc.constant(['alice@example.com']),
          }),
        ),
      },
      { requiredKeys: [] },
    ),
    network: fc.record(
      {
        allowFrom: few(
          fc.record({ name: fc.constant('from-own'), namespaces: fc.constant(['mallory-dev']) }),
        ),
        ingressControllers: fc.constantFrom('Allow', 'Deny'),
        monitoring: fc.constantFrom('Allow', 'Deny'),
      },
      { requiredKeys: [] },
    ),
    quota: fc.constantFrom({ hard: { pods: 10 } }, { hard: { secrets: 5, 'requests.cpu': '2' } }),
    disruptionBudgets: few(
      fc.record({
        name: word,
        selector: word.map((app) => ({ matchLabels: { app } })),
        maxUnavailable: fc.constant(1),
      }),
    ),
    serviceAccounts: few(fc.record({ name: word })),
    imagePullSecrets: fc.constant(['pull']),
    resources: fc.integer({ min: 0, max: 999_999 }).map((n) => [
      {
        manifest: {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: `flags-${n}` },
          data: { a: 'b' },
        },
      },
    ]),
    protection: fc.constantFrom({ deletion: 'None' }, { deletion: 'Confirm' }),
  },
  { requiredKeys: [] },
);

const namespaces = fc
  .tuple(settings, fc.option(settings))
  .map(([dev, prod]) => [
    { name: 'mallory-dev', ...dev },
    ...(prod ? [{ name: 'mallory-prod', environment: 'prod', ...prod }] : []),
  ]);

const repoURL = 'https://git.example.com/mallory/deploy.git';

/** Deployments by Argo CD, if the class allows a repository. */
const argocd = fc.record(
  {
    sourceRepos: fc.constant([repoURL]),
    applications: few(
      fc.record({
        name: word,
        source: fc.constantFrom(
          { repoURL, path: 'deploy/{namespace}' },
          { repoURL, chart: 'web', targetRevision: '1.*' },
        ),
      }),
    ),
    syncWindows: fc.constant([{ kind: 'deny', schedule: '0 0 * * 5', duration: '60h' }]),
  },
  { requiredKeys: ['sourceRepos'] },
);
const deploying: ReadonlySet<string> = new Set(['standard', 'edited']);

/** The Tenant of an honest author. */
export const honest: fc.Arbitrary<Tree> = fc
  .record({
    className: fc.constantFrom(...Object.keys(classes).filter((name) => name !== 'reserved')),
    settings,
    namespaces,
    argocd: fc.option(argocd, { freq: 2 }),
    lifecycle: fc.option(fc.constantFrom('Active', 'Suspended', 'Retired'), { freq: 3 }),
  })
  .map((one) => ({
    apiVersion: 'tenantry.dev/v1alpha1',
    kind: 'Tenant',
    metadata: { name: 'mallory' },
    spec: {
      className: one.className,
      ...(one.lifecycle && { lifecycle: one.lifecycle }),
      ...one.settings,
      ...(one.argocd && deploying.has(one.className) && { argocd: one.argocd }),
      namespaces: one.namespaces,
    },
  }));

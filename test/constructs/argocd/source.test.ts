import { expect, test } from '@jest/globals';
import { resolvePlatform } from '../../../model/platform.ts';
import type { PlatformSpec } from '../../../crds/platform.ts';
import { InvalidInput } from '@tenantry/kube/problem';

const repoURL = 'https://git.example.com/platform/tenants.git';

function problems(spec: PlatformSpec): string[] {
  try {
    resolvePlatform(spec);
    return [];
  } catch (error) {
    if (error instanceof InvalidInput) return error.message.split('\n');
    throw error;
  }
}

const at = (source: object): string[] =>
  problems({ argocd: { source: { repoURL, ...source } } } as PlatformSpec);

const on = (...clusters: readonly { name: string; server?: string }[]): string[] =>
  problems({ clusters, argocd: { source: { repoURL } } });

test('a source has a repository address as in Git, a revision, and a folder in the repository', () => {
  for (const address of [
    repoURL,
    'ssh://git@git.example.com:2222/platform/tenants.git',
    'git@git.example.com:platform/tenants.git',
    'file:///srv/git/tenants.git',
  ]) {
    expect(at({ repoURL: address })).toEqual([]);
  }
  for (const address of [
    'tenants',
    'http://git.example.com/a',
    'https://git.example.com/*',
    'https://git.example.com/{{.path.basename}}.git',
    '',
  ]) {
    expect(at({ repoURL: address })).toEqual([
      expect.stringMatching(/^spec\.argocd\.source\.repoURL must be the address of a Git repo/),
    ]);
  }
  for (const path of ['.', 'dist', 'out/dist', '_rendered/v1.2']) {
    expect(at({ path, targetRevision: 'env/prod' })).toEqual([]);
  }
  for (const path of ['', '/dist', 'dist/', '../dist', 'a/../b', './dist', 'd*', '{{ .x }}']) {
    expect(at({ path })).toEqual([
      expect.stringMatching(/^spec\.argocd\.source\.path must be a path/),
    ]);
  }
  for (const targetRevision of ['', '-x', 'a b', '{{ .x }}']) {
    expect(at({ targetRevision })).toEqual([
      expect.stringMatching(/^spec\.argocd\.source\.targetRevision must be a branch/),
    ]);
  }
});

test('an address with a password is refused, and so is an https address with a user', () => {
  expect(at({ repoURL: 'https://robot:s3cret@git.example.com/a.git' })).toEqual([
    'spec.argocd.source.repoURL must have no user and no password, which belong in a repository Secret of Argo CD',
  ]);
  expect(at({ repoURL: 'https://token@git.example.com/a.git' })).toHaveLength(1);
  expect(at({ repoURL: 'ssh://git:s3cret@git.example.com/a.git' })).toEqual([
    'spec.argocd.source.repoURL must have no password, which belong in a repository Secret of Argo CD',
  ]);
});

test('each cluster needs its own address once argocd.source is set', () => {
  const eu1 = { name: 'eu1', server: 'https://api.eu1.example.com:6443' };
  expect(on(eu1, { name: 'in-cluster' })).toEqual([]);
  expect(problems({ clusters: [{ name: 'eu1' }, { name: 'us1' }] })).toEqual([]);
  expect(on(eu1, { name: 'us1' })).toEqual([
    `spec.clusters[1].server must be set, since argocd.source is set: Argo CD deploys to an address, got a cluster 'us1' without one`,
  ]);
  expect(on({ name: 'us1', server: 'https://{{.path.basename}}.example.com' })).toEqual([
    expect.stringMatching(/^spec\.clusters\[0\]\.server must be an https address, got /),
  ]);
  const twice = `spec.clusters[1].server must be another one than that of cluster 'eu1', got `;
  expect(on(eu1, { name: 'us1', server: `${eu1.server}/` })).toEqual([`${twice}'${eu1.server}/'`]);
  expect(on(eu1, { name: 'us1', server: 'https://API.eu1.example.com:6443' })).toHaveLength(1);
  expect(
    on({ name: 'in-cluster' }, { name: 'here', server: 'https://kubernetes.default.svc' }),
  ).toEqual([
    `spec.clusters[1].server must be another one than that of cluster 'in-cluster', got 'https://kubernetes.default.svc'`,
  ]);
});

test('a cluster may have its own revision only with argocd.source', () => {
  const clusters = [{ name: 'eu1', server: 'https://eu1.example.com', targetRevision: 'env/eu1' }];
  expect(problems({ clusters, argocd: { source: { repoURL } } })).toEqual([]);
  expect(problems({ clusters })).toEqual([
    `spec.clusters[0].targetRevision must come with argocd.source, got 'env/eu1' and no source`,
  ]);
});

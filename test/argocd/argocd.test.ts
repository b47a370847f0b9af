import { expect } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { emitYaml } from '../../kube/yaml/write.ts';
import { ArgoCd } from './argocd.ts';
import { GitRepository } from './gitrepository.ts';
import { argoCdTests } from './tests.ts';

const given = await argoCdTests();
const { test } = given;

/** Commands of every process that has the folder in its arguments or its environment. */
const processesOf = (folder: string): string[] =>
  execFileSync('ps', ['eww', '-A', '-o', 'args='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(folder));

test('an Application becomes Synced and Healthy from a Git repository, and Argo CD leaves nothing behind', async () => {
  await using cluster = await given.newCluster();
  using git = new GitRepository();
  const config = (colour: string): string =>
    emitYaml([
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'paint', namespace: 'default' },
        data: { colour },
      },
    ]);
  const first = git.commit('Paint it red', { 'shop/paint.yaml': config('red') });
  const argoCd = await ArgoCd.start(cluster, given);
  try {
    await argoCd.apply({
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { name: 'shop' },
      spec: {
        project: 'default',
        source: { repoURL: git.url, targetRevision: 'main', path: 'shop' },
        destination: { server: 'https://kubernetes.default.svc', namespace: 'default' },
        syncPolicy: { automated: { prune: true, selfHeal: true } },
      },
    });
    await argoCd.untilSettled('shop', first);
    const second = git.commit('Paint it blue', { 'shop/paint.yaml': config('blue') });
    await argoCd.refresh();
    const settled = await argoCd.untilSettled('shop', second);
    expect(settled.status?.resources).toEqual([
      expect.objectContaining({ kind: 'ConfigMap', name: 'paint', status: 'Synced' }),
    ]);
    const paint = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name: 'paint' };
    const { body } = await cluster.admin.get(paint);
    expect(body['data']).toEqual({ colour: 'blue' });
    expect(processesOf(argoCd.folder)).not.toEqual([]);
  } finally {
    await argoCd.stop();
  }
  expect(processesOf(argoCd.folder)).toEqual([]);
  expect(existsSync(argoCd.folder)).toBe(false);
});

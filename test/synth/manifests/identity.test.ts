import { describe, expect, test } from '@jest/globals';
import type { KubeObject } from '@tenantry/kube/object';
import { parseCluster, Identities } from '../../../synth/manifests/manifests.ts';
import { InvalidOutput } from '../../../synth/output/errors.ts';

type Part = { apiVersion?: unknown; kind?: unknown; metadata?: unknown; [field: string]: unknown };

function object(fields: Part = {}): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'settings' },
    ...fields,
  } as KubeObject;
}

function problems(...objects: [cluster: string, object: KubeObject, owner: string][]): string[] {
  const identities = new Identities();
  for (const [cluster, each, owner] of objects) identities.add(cluster, each, owner);
  return identities.problems;
}

describe('an object is declared once', () => {
  test('and a second declaration names both owners', () => {
    const inTeam = object({ metadata: { name: 'settings', namespace: 'team' } });
    expect(
      problems(['eu', inTeam, 'a/one'], ['eu', inTeam, 'b/two'], ['eu', inTeam, 'a/one']),
    ).toEqual([
      'ConfigMap team/settings of cluster eu must be declared once, got it by [a/one] and by [b/two]',
      'ConfigMap team/settings of cluster eu must be declared once, got it twice by [a/one]',
    ]);
  });

  test('whatever the version of its group', () => {
    const v1 = object({ apiVersion: 'apps/v1', kind: 'Deployment' });
    const beta = object({ apiVersion: 'apps/v1beta1', kind: 'Deployment' });
    expect(problems(['', v1, 'a'], ['', beta, 'b'])).toEqual([
      'Deployment.apps settings must be declared once, got it by [a] and by [b]',
    ]);
  });

  test('where cluster, group, kind, namespace and name tell objects apart', () => {
    expect(
      problems(
        ['', object(), 'a'],
        ['eu', object(), 'b'],
        ['', object({ apiVersion: 'example.com/v1' }), 'c'],
        ['', object({ kind: 'Secret' }), 'd'],
        ['', object({ metadata: { name: 'settings', namespace: 'default' } }), 'e'],
        ['', object({ metadata: { name: 'other' } }), 'g'],
      ),
    ).toEqual([]);
  });
});

test('all problems are thrown together', () => {
  const identities = new Identities();
  expect(() => identities.check()).not.toThrow();
  for (const owner of ['a', 'b', 'c']) identities.add('', object(), owner);
  expect(() => identities.check()).toThrow(InvalidOutput);
  expect(() => identities.check()).toThrow(
    /2 problems:\n {2}ConfigMap settings .*\n {2}ConfigMap settings/,
  );
});

test('the cluster is the folder below clusters', () => {
  expect(parseCluster('clusters/eu/tenants/acme.yaml')).toBe('eu');
  expect(parseCluster('clusters/eu/acme.yaml')).toBe('eu');
  expect(parseCluster('clusters/eu.yaml')).toBe('');
  expect(parseCluster('tenants/clusters/eu/x.yaml')).toBe('');
});

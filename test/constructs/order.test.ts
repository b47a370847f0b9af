import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { KubeObject } from '../../kube/object.ts';
import { runs } from '../kube/yaml/runs.ts';
import { anyClass, anyTenant } from './declared.ts';
import { desiredOf, everything, objectsOf } from './given.ts';

const WAVE = 'argocd.argoproj.io/sync-wave';

/** What stands between a namespace with people in it and the rest of the cluster. */
const bounds = ['NetworkPolicy', 'LimitRange', 'ResourceQuota'];

test('bounds come before what they bound, and access last of all', () => {
  const kinds = objectsOf(everything).map(({ kind }) => kind);
  expect([...new Set(kinds)]).toEqual([
    'Namespace',
    ...bounds,
    'PodDisruptionBudget',
    'ServiceAccount',
    'Role',
    'ConfigMap',
    'RoleBinding',
  ]);
});

const waveOf = ({ metadata }: KubeObject): string | undefined => metadata.annotations?.[WAVE];

test('Argo CD applies nothing else before the namespace and its bounds are there', () => {
  const early = objectsOf(everything).filter((object) => waveOf(object) !== undefined);
  expect(early.map(waveOf)).toEqual(early.map(() => '-1'));
  const found = early.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  expect(found).toEqual([
    'Namespace acme',
    'NetworkPolicy tenant-isolation',
    'NetworkPolicy allow-ingress-controllers',
    'NetworkPolicy allow-monitoring',
    'NetworkPolicy raw',
    'LimitRange tenant-limits',
    'ResourceQuota tenant-quota',
  ]);
});

test('a quota with scopes, whose change the API server may refuse, holds nothing up', () => {
  const extra = objectsOf(everything).find(({ metadata }) => metadata.name === 'extra')!;
  expect(waveOf(extra)).toBeUndefined();
});

test('whatever is declared, access is given in a later wave and at a later place than every bound', () => {
  fc.assert(
    fc.property(anyTenant, anyClass, (tenant, klass) => {
      for (const { objects } of desiredOf({ tenant, klass }).namespaces) {
        const places = (kinds: readonly string[]) =>
          objects.flatMap(({ kind }, i) => (kinds.includes(kind) ? [i] : []));
        const access = places(['RoleBinding']);
        for (const i of places(['Namespace', ...bounds])) {
          expect(waveOf(objects[i]!)).toBe('-1');
          for (const j of access) expect(i).toBeLessThan(j);
        }
        for (const i of access) expect(waveOf(objects[i]!)).toBeUndefined();
      }
    }),
    runs(100),
  );
});

import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { layout, PARTS } from '../../model/layout.ts';
import type { KubeObject } from '@tenantry/kube/object';
import { runs } from '@tenantry/kube/test/yaml/runs';
import { anyClass, anyTenant } from './declared.ts';
import { desiredOf, everything, objectsOf } from './given.ts';

const WAVE = 'argocd.argoproj.io/sync-wave';

/** The kinds that bound what users of a namespace can do to the cluster. */
const bounds = ['NetworkPolicy', 'LimitRange', 'ResourceQuota'];

test('bounds come before what they bound, and access comes last', () => {
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

test('whatever is declared, a tenant is one wave, and access comes after every bound', () => {
  fc.assert(
    fc.property(anyTenant, anyClass, (tenant, klass) => {
      for (const { objects } of desiredOf({ tenant, klass }).namespaces) {
        expect(objects.map(waveOf).filter((wave) => wave !== undefined)).toEqual([]);
        const places = (kinds: readonly string[]) =>
          objects.flatMap(({ kind }, i) => (kinds.includes(kind) ? [i] : []));
        const access = places(['RoleBinding']);
        for (const i of places(['Namespace', ...bounds])) {
          for (const j of access) expect(i).toBeLessThan(j);
        }
      }
    }),
    runs(100),
  );
});

test('sorted by path, the files of a tenant have bounds first, then access, then all else', () => {
  const files = PARTS.map((part) => layout.namespace('eu1', 'acme', 'acme', part));
  expect(files.toSorted()).toEqual(files);
});

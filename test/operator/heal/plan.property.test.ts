import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { KubeObject } from '@tenantry/kube/object';
import {
  planSteps,
  findExceededKey,
  lowerShares,
  computeShares,
  buildTrimPatch,
  type HealCandidate,
} from '../../../operator/heal/plan.ts';
import { diffObject } from '../../../operator/drift/object-drift.ts';
import { runs } from '@tenantry/kube/test/yaml/runs';
import { applyMergePatch } from '@tenantry/testing/simulation/server/object-store';

const quota = (namespace: string, hard: Readonly<Record<string, string>>): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  metadata: { name: 'quota', namespace, labels: { 'tenantry.dev/tenant': 'pay' } },
  spec: { hard },
});
const binding = (role: string, who: string): KubeObject => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'RoleBinding',
  metadata: { name: 'edit', namespace: 'a' },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
  subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: who }],
});
const namespace = (name: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, labels: { 'tenantry.dev/tenant': 'pay' } },
});

const shared = new Set(['pods', 'services']);
const names = ['a', 'b', 'c', 'd'];
const amount = fc.integer({ min: 0, max: 20 });
const amounts = fc.array(fc.record({ pods: amount, services: amount }), {
  minLength: names.length,
  maxLength: names.length,
});
type Amounts = Readonly<Record<'pods' | 'services', number>>;
const hardOf = ({ pods, services }: Amounts) => ({ pods: `${pods}`, services: `${services}` });

test('for any quotas each step keeps the sum within the existing or declared total, and all end as declared', () => {
  fc.assert(
    fc.property(
      amounts,
      fc.array(fc.option(fc.record({ pods: amount, services: amount }), { nil: undefined }), {
        minLength: names.length,
        maxLength: names.length,
      }),
      (wanted, there) => {
        const declared = names.map((name, i) => quota(name, hardOf(wanted[i]!)));
        const live = new Map(
          names.flatMap((name, i) => (there[i] ? [[name, quota(name, hardOf(there[i]))]] : [])),
        );
        const sumOf = (ones: Iterable<KubeObject>, key: string) =>
          [...ones].reduce((all, one) => all + (computeShares(one, shared).get(key) ?? 0n), 0n);
        const most = new Map(
          [...shared].map((key) => {
            const [a, b] = [sumOf(live.values(), key), sumOf(declared, key)];
            return [key, a > b ? a : b];
          }),
        );
        const suspects = declared.map((object): HealCandidate => ({
          object,
          live: live.get(object.metadata.namespace!),
        }));
        for (const { object, raises, live: before } of planSteps(suspects, 'Heal', shared)) {
          const at = object.metadata.namespace!;
          const isFitting =
            !raises || !findExceededKey(object, declared, [...live.values()], shared);
          expect(isFitting).toBe(true);
          if (before) expect(diffObject(object, live.get(at)!)).not.toEqual([]);
          live.set(at, object);
          for (const key of shared) expect(sumOf(live.values(), key) <= most.get(key)!).toBe(true);
        }
        expect(
          [...live.values()].flatMap((one) =>
            declared.filter(
              (other) =>
                diffObject(other, one).length === 0 &&
                other.metadata.namespace === one.metadata.namespace,
            ),
          ),
        ).toHaveLength(names.length);
      },
    ),
    runs(200),
  );
});

test('a quota is raised only within the declared total, and never while a namespace that is no longer named holds a share', () => {
  const declared = [quota('a', { pods: '6' }), quota('b', { pods: '6' })];
  const live = [quota('a', { pods: '3' }), quota('b', { pods: '9' })];
  expect(findExceededKey(declared[0]!, declared, live, shared)).toEqual({ key: 'pods' });
  const gone = [quota('a', { pods: '3' }), quota('z', { pods: '1' })];
  expect(findExceededKey(declared[0]!, declared, gone, shared)).toEqual({
    key: 'pods',
    holder: 'z',
  });
  expect(
    findExceededKey(declared[0]!, declared, [live[0]!, quota('b', { pods: '6' })], shared),
  ).toBeUndefined();
  // Quotas that are not raised may hold any amount.
  const both = [quota('a', { pods: '6', services: '1' }), quota('b', { pods: '6' })];
  const over = [quota('a', { pods: '3', services: '1' }), quota('z', { services: '9' })];
  expect(findExceededKey(both[0]!, both, over, shared)).toBeUndefined();
  expect(lowerShares(declared[0]!, undefined, shared)['spec']).toEqual({ hard: { pods: '0' } });
  expect(lowerShares(quota('a', { pods: '6', cpu: '2' }), live[0], shared)['spec']).toEqual({
    hard: { pods: '3', cpu: '2' },
  });
});

test('Namespaces come first, and the other objects in declared order', () => {
  const all = [namespace('a'), quota('a', { pods: '1' }), binding('edit', 'ann'), namespace('b')];
  const kindsOf = (ones: readonly HealCandidate[]) =>
    planSteps(ones, 'Heal', new Set()).map(
      ({ type, object }) => `${type} ${object.kind} ${object.metadata.name}`,
    );
  expect(kindsOf(all.map((object) => ({ object, live: undefined })))).toEqual([
    'create Namespace a',
    'create Namespace b',
    'create ResourceQuota quota',
    'create RoleBinding edit',
  ]);
});

test('Observe plans nothing, Create plans missing objects only, and Heal replaces a binding with another role', () => {
  const object = binding('edit', 'ann');
  const plan = (live: KubeObject | undefined, policy: 'Observe' | 'Create' | 'Heal') =>
    planSteps([{ object, live }], policy, shared).map(({ type }) => type);
  const [missing, changed, other] = [undefined, binding('edit', 'eve'), binding('admin', 'ann')];
  expect([missing, changed, other].map((live) => plan(live, 'Observe'))).toEqual([[], [], []]);
  expect([missing, changed, other].map((live) => plan(live, 'Create'))).toEqual([
    ['create'],
    [],
    [],
  ]);
  expect([missing, changed, other].map((live) => plan(live, 'Heal'))).toEqual([
    ['create'],
    ['restore'],
    ['replace'],
  ]);
  expect(plan(object, 'Heal')).toEqual([]);
});

test('exactly the undeclared fields are removed', () => {
  const key = fc.constantFrom('pods', 'services', 'secrets', 'configmaps');
  const hard = fc.dictionary(key, fc.constantFrom('1', '2'), { minKeys: 1 });
  fc.assert(
    fc.property(hard, hard, (wanted, there) => {
      const [object, live] = [quota('a', wanted), quota('a', there)];
      const patch = buildTrimPatch(object, live);
      // As it is sent: undefined fields are omitted.
      const sent: unknown = patch && JSON.parse(JSON.stringify(patch));
      const after = patch ? (applyMergePatch(live, sent) as KubeObject) : live;
      const left = diffObject(object, after);
      expect(left.filter((one) => !('desired' in one))).toEqual([]);
      const kept = Object.entries(there).filter(([name]) => name in wanted);
      expect((after['spec'] as { hard: object }).hard).toEqual(Object.fromEntries(kept));
    }),
    runs(200),
  );
});

import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { runs } from '@tenantry/kube/test/yaml/runs';
import { isMapping } from '@tenantry/kube/mapping';
import { importManifests } from '../../import/import-manifests.ts';
import { readManifests } from '../../import/manifests.ts';

/** One object of each kind that the import knows. */
const objects: readonly object[] = [
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop', labels: { env: 'dev' } } },
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'Role',
    metadata: { name: 'r', namespace: 'shop', labels: { a: 'no field' } },
    rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }],
  },
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: { name: 'b', namespace: 'shop' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' },
    subjects: [
      { kind: 'Group', name: 'g' },
      { kind: 'ServiceAccount', name: 's', namespace: 'shop' },
    ],
  },
  {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'q', namespace: 'shop' },
    spec: { hard: { pods: '1', 'requests.cpu': '1' }, scopes: ['BestEffort'] },
  },
  {
    apiVersion: 'v1',
    kind: 'LimitRange',
    metadata: { name: 'l', namespace: 'shop' },
    spec: { limits: [{ type: 'Container', default: { cpu: '1' } }] },
  },
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: 'n', namespace: 'shop' },
    spec: {
      podSelector: {},
      policyTypes: ['Ingress'],
      ingress: [
        {
          from: [{ namespaceSelector: { matchLabels: { a: 'b' } } }],
          ports: [{ port: 80, protocol: 'TCP' }],
        },
      ],
    },
  },
  {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: 's', namespace: 'shop' },
    imagePullSecrets: [{ name: 'p' }],
  },
  {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'd', namespace: 'shop' },
    spec: { minAvailable: 1, selector: { matchLabels: { app: 'a' } } },
  },
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'w', namespace: 'shop' },
    spec: {
      selector: { matchLabels: { app: 'a' } },
      template: { metadata: { labels: { app: 'a' } } },
    },
  },
  {
    apiVersion: 'example.com/v1',
    kind: 'Thing',
    metadata: { name: 't', namespace: 'shop' },
    x: [1],
  },
];

type Path = readonly (string | number)[];

/** Lists the paths of all values. */
function listPaths(value: unknown, at: Path = []): Path[] {
  const inner = Array.isArray(value)
    ? value.flatMap((item, i) => listPaths(item, [...at, i]))
    : isMapping(value)
      ? Object.entries(value).flatMap(([key, one]) => listPaths(one, [...at, key]))
      : [];
  return [at, ...inner];
}

/** Replaces the value at a path; undefined removes a field. */
function replaceAt(value: unknown, [part, ...rest]: Path, by: unknown): unknown {
  if (part === undefined) return by;
  if (Array.isArray(value))
    return value.with(part as number, replaceAt(value[part as number], rest, by));
  const fields = value as Record<string, unknown>;
  return { ...fields, [part]: replaceAt(fields[part], rest, by) };
}

const paths = listPaths(objects).filter((path) => path.length > 1);
const odd = fc.constantFrom<unknown>(
  undefined,
  null,
  '',
  'x',
  '*',
  '{namespace}',
  '# no comment',
  0,
  -1,
  true,
  [],
  [null],
  ['*'],
  {},
  { a: null },
);

test('with any value in any place, each object is equal, different or left out, and nothing breaks', () => {
  const seen = { equal: 0, different: 0, 'left-out': 0 };
  const change = fc.tuple(fc.constantFrom(...paths), odd);
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) => {
      const changed = changes.reduce<unknown>((value, [path, by]) => {
        try {
          return replaceAt(value, path, by);
        } catch {
          // An earlier change removed the place.
          return value;
        }
      }, objects) as readonly unknown[];
      const texts = changed.filter(isMapping).map((object, i) => ({
        file: `in/${i}.yaml`,
        text: JSON.stringify(object),
      }));
      const choices = { className: 'c', cluster: 'eu1', pinned: new Map<string, string>() };
      const result = importManifests(texts, choices);
      if (!('proof' in result)) return expect(result.problems.length).toBeGreaterThan(0);
      const { objects: all, others } = readManifests(texts);
      expect(result.proof.problems).toEqual([]);
      expect(result.proof.added).toEqual([]);
      expect(result.proof.objects.map(({ found }) => found.file).toSorted()).toEqual(
        all.map(({ file }) => file).toSorted(),
      );
      expect(all.length + others.length).toBe(texts.length);
      for (const { verdict } of result.proof.objects) if (verdict !== 'made') seen[verdict] += 1;
      return undefined;
    }),
    runs(300),
  );
  expect(Object.values(seen).every((count) => count > 0)).toBe(true);
});

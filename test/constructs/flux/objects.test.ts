import { ApiObject, Chart, Lazy } from 'cdk8s';
import { expect, test } from '@jest/globals';
import type { KustomizationSpec } from '../../../model/flux/types.ts';
import { GitRepository, Kustomization } from '../../../constructs/flux/objects.ts';
import { App } from '../../../synth/app.ts';

const base = {
  sourceRef: { kind: 'GitRepository', name: 'shop' },
  interval: '10m',
  prune: true,
  deletionPolicy: 'Orphan',
} as const satisfies KustomizationSpec;

function add(scope: Chart, name: string, spec: Partial<KustomizationSpec> = {}): Kustomization {
  return new Kustomization(scope, name, {
    metadata: { name },
    spec: { ...base, ...spec } as never,
  });
}

const chart = (): Chart => new Chart(new App(), 'flux');
const validateKustomization = (spec: Partial<KustomizationSpec>, name = 'web'): string[] =>
  add(chart(), name, spec).node.validate();

test('objects are in the namespace of Flux by default', () => {
  expect(add(chart(), 'web').toJson()).toEqual({
    apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
    kind: 'Kustomization',
    metadata: { name: 'web', namespace: 'flux-system' },
    spec: base,
  });
  const spec = { url: 'https://git.example.com/shop', interval: '1m' };
  const metadata = { name: 'shop', namespace: 'gitops' };
  const repository = new GitRepository(chart(), 'shop', { metadata, spec });
  expect(repository.toJson()).toMatchObject({ metadata, spec });
  expect(repository.node.validate()).toEqual([]);
});

const refused: readonly [string, Partial<KustomizationSpec>, RegExp][] = [
  ['an interval that is none', { interval: '10 minutes' }, /^spec\.interval must/],
  ['a path from the root', { path: '/web' }, /^spec\.path must be a folder of the source/],
  ['a path out of the source', { path: './web/../../other' }, /^spec\.path must be a folder/],
  [
    'checks beside those of all',
    { wait: true, healthChecks: [{ kind: 'Deployment', name: 'web' }] },
    /^spec\.healthChecks must be left out beside 'wait'/,
  ],
  [
    'deletion as pruned, where nothing is',
    { prune: false, deletionPolicy: 'MirrorPrune' },
    /^spec\.deletionPolicy must be 'Orphan' where nothing is pruned/,
  ],
  ['two ways into a cluster', { kubeConfig: {} }, /exactly one of|must/],
];

test.each(refused)('%s is refused', (_, spec, message) => {
  expect(validateKustomization(spec)).toEqual([expect.stringMatching(message)]);
});

test('dots within the name of a folder are not parent references', () => {
  expect(validateKustomization({ path: './shop..old/..web' })).toEqual([]);
});

test("a name that does not fit into Flux's labels is refused", () => {
  expect(validateKustomization({}, 'a'.repeat(63))).toEqual([]);
  expect(validateKustomization({}, 'a'.repeat(64))).toEqual([
    expect.stringMatching(/^metadata\.name must have at most 63 characters, got 64/),
  ]);
});

test('a repository address that Flux does not support is refused', () => {
  const spec = { url: 'git@git.example.com:shop/web.git', interval: '1m' };
  const repository = new GitRepository(chart(), 'shop', { metadata: { name: 'shop' }, spec });
  expect(repository.node.validate()).toEqual([expect.stringMatching(/^spec\.url must/)]);
});

test('objects of a dependency cycle are reported, and objects that depend on the cycle are not', () => {
  const scope = chart();
  const after = (...names: string[]): Partial<KustomizationSpec> => ({
    dependsOn: names.map((name) => ({ name })),
  });
  const [a, b, c, d] = [
    add(scope, 'a', after('b', 'elsewhere')),
    add(scope, 'b', after('c')),
    add(scope, 'c', after('elsewhere', 'a')),
    add(scope, 'd', after('a')),
  ];
  const message =
    /^spec\.dependsOn\[\d\] must not depend on a Kustomization that depends on it, got '[abc]'$/;
  for (const one of [a!, b!, c!]) {
    expect(one.node.validate()).toEqual([expect.stringMatching(message)]);
  }
  expect(c!.node.validate()[0]).toContain('dependsOn[1]');
  expect(d!.node.validate()).toEqual([]);
  const other = new Kustomization(scope, 'e', {
    metadata: { name: 'e', namespace: 'other' },
    spec: { ...base, dependsOn: [{ name: 'e', namespace: 'flux-system' }] },
  });
  expect(other.node.validate()).toEqual([]);
});

test('an object of another kind with the same name is not part of a cycle', () => {
  const scope = chart();
  const [a, b] = [
    add(scope, 'a', { dependsOn: [{ name: 'b' }] }),
    add(scope, 'b', { dependsOn: [{ name: 'a' }] }),
  ];
  const spec = { url: 'https://git.example.com/shop', interval: '1m' };
  new GitRepository(scope, 'repository', { metadata: { name: 'b' }, spec });
  const metadata = { name: 'b', namespace: 'flux-system' };
  new ApiObject(scope, 'values', { apiVersion: 'v1', kind: 'ConfigMap', metadata });
  for (const one of [a!, b!]) {
    expect(one.node.validate()).toEqual([
      expect.stringMatching(/must not depend on a Kustomization that depends/),
    ]);
  }
});

test('objects without dependents are not rendered to find cycles', () => {
  const scope = chart();
  let rendered = 0;
  const path = Lazy.any({ produce: () => `./${(rendered += 1)}` }) as string;
  add(scope, 'web', { path });
  const before = rendered;
  const other = add(scope, 'other', { dependsOn: [{ name: 'first' }] });
  expect(other.node.validate()).toEqual([]);
  expect(rendered).toBe(before);
  expect(add(scope, 'last', { dependsOn: [{ name: 'web' }] }).node.validate()).toEqual([]);
  expect(rendered).toBeGreaterThan(before);
});

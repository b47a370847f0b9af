import { expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KustomizationSpec } from '../../../model/flux/types.ts';
import { FluxCluster, type FluxClusterProps } from '../../../constructs/flux/cluster.ts';
import type { FluxObject } from '../../../constructs/flux/objects.ts';
import { emitYaml } from '@tenantry/kube/yaml/write';
import { App } from '../../../synth/app.ts';
import { findOutputPath } from '../../../synth/charts.ts';
import { withoutKubectl } from '../../kubectl.ts';
import { testUnless } from '../../skipping.ts';
import { root } from '../../structure/tracked.ts';

const repository = { url: 'https://git.example.com/platform/tenants', ref: { branch: 'main' } };

type Made = FluxObject<KustomizationSpec>;

function made(props: Partial<FluxClusterProps> = {}): { all: FluxCluster; objects: Made[] } {
  const all = new FluxCluster(new App(), 'fra1', { repository, ...props });
  expect(all.node.findAll().flatMap((one) => one.node.validate())).toEqual([]);
  return { all, objects: all.chart.toJson() as Made[] };
}

const partOf = (objects: readonly Made[], name: string): Made =>
  objects.find(({ metadata }) => metadata.name === `tenantry-fra1${name}`)!;

test('a cluster has its own folder, with a Kustomization for each part', () => {
  const { all, objects } = made();
  expect(findOutputPath(all.chart)).toBe('flux/fra1.yaml');
  expect(
    objects.map(({ kind, metadata, spec }) => `${kind} ${metadata.name} ${spec.path ?? ''}`),
  ).toEqual([
    'GitRepository tenantry-fra1 ',
    'Kustomization tenantry-fra1-crds ./dist/clusters/fra1/crds',
    'Kustomization tenantry-fra1-policies ./dist/clusters/fra1/policies',
    'Kustomization tenantry-fra1-tenantclasses ./dist/clusters/fra1/tenantclasses',
    'Kustomization tenantry-fra1-operator ./dist/clusters/fra1/operator',
    'Kustomization tenantry-fra1-tenants ./dist/clusters/fra1/tenants',
  ]);
  const parts = readdirSync(join(root, 'dist', 'clusters', 'fra1'));
  const paths = objects.slice(1).map(({ spec }) => spec.path!.split('/').at(-1)!);
  expect(paths.toSorted()).toEqual(parts.toSorted());
});

test('variables in objects are not substituted, and nothing is decrypted', () => {
  for (const { spec } of made().objects) {
    expect(spec).not.toHaveProperty('postBuild');
    expect(spec).not.toHaveProperty('decryption');
  }
});

test('tenants wait only once for CRDs and policies: until these were applied', () => {
  const { objects } = made();
  const { dependsOn } = partOf(objects, '-tenants').spec;
  const readyExpr = 'has(dep.status.lastAppliedRevision)';
  expect(dependsOn).toEqual([
    { name: 'tenantry-fra1-crds', readyExpr },
    { name: 'tenantry-fra1-policies', readyExpr },
  ]);
  // Objects of their kinds follow, and are served when their definitions are established.
  expect(partOf(objects, '-crds').spec).toMatchObject({ wait: true });
  for (const name of ['-tenantclasses', '-operator']) {
    expect(partOf(objects, name).spec.dependsOn).toEqual([
      { name: 'tenantry-fra1-crds', readyExpr },
    ]);
  }
});

test('each listed tenant has its own Kustomization, and is deleted with it', () => {
  const { objects } = made({ tenants: ['payments', 'a-tenant'], namespace: 'gitops' });
  const { metadata, spec } = partOf(objects, '.payments');
  expect(metadata).toEqual({ name: 'tenantry-fra1.payments', namespace: 'gitops' });
  expect(spec).toMatchObject({
    path: './dist/clusters/fra1/tenants/payments',
    prune: true,
    deletionPolicy: 'MirrorPrune',
  });
  expect(partOf(objects, '-tenants')).toBeUndefined();
});

test('deleting a Kustomization by mistake deletes nothing', () => {
  const policies = made()
    .objects.slice(1)
    .map(({ spec }) => spec.deletionPolicy);
  expect(new Set(policies)).toEqual(new Set(['Orphan']));
});

test('another cluster is accessed by its kubeconfig', () => {
  const kubeConfig = { secretRef: { name: 'fra1' } };
  const { objects } = made({ path: '.', kustomizations: { kubeConfig, interval: '5m' } });
  const { spec } = partOf(objects, '-crds');
  expect(spec).toMatchObject({ kubeConfig, interval: '5m', path: './clusters/fra1/crds' });
});

const testKustomize = testUnless(withoutKubectl);

const KEPT = 'kustomize.toolkit.fluxcd.io/prune: disabled';

/** Renders a folder of the output with Kustomize and the patches of a Kustomization. */
function built({ spec }: Made): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'tenantry-flux-'));
  try {
    const from = join(root, spec.path!);
    cpSync(from, folder, { recursive: true });
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    const resources = files.filter((path) => path.endsWith('.yaml'));
    const kustomization = { resources, patches: spec.patches ?? [] };
    writeFileSync(join(folder, 'kustomization.yaml'), emitYaml([kustomization]));
    const text = execFileSync('kubectl', ['kustomize', folder], { encoding: 'utf8' });
    return text.split('\n---\n');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const kindOf = (text: string): string => /^kind: (\w+)$/m.exec(text)![1]!;

testKustomize('Flux keeps what Argo CD must not prune, and prunes the rest', () => {
  const all = built(partOf(made().objects, '-tenants'));
  const kept = all.filter((text) => text.includes(KEPT));
  expect(kept).toEqual(all.filter((text) => text.includes('Prune=false')));
  expect(kept.some((text) => kindOf(text) === 'Namespace')).toBe(true);
  expect(all.filter((text) => kindOf(text) === 'RoleBinding').length).toBeGreaterThan(10);
  expect(kept.some((text) => kindOf(text) === 'RoleBinding')).toBe(false);
});

testKustomize('Flux keeps CRDs, policies and the namespace of the operator', () => {
  const { objects } = made();
  const keptOf = (name: string): Set<string> =>
    new Set(
      built(partOf(objects, name))
        .filter((text) => text.includes(KEPT))
        .map(kindOf),
    );
  expect(keptOf('-crds')).toEqual(new Set(['CustomResourceDefinition']));
  expect(keptOf('-policies')).toEqual(
    new Set(['ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyBinding']),
  );
  expect(keptOf('-operator')).toEqual(new Set(['Namespace']));
  expect(keptOf('-tenantclasses')).toEqual(new Set());
});

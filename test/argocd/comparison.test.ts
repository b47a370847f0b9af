import { expect } from '@jest/globals';
import fc from 'fast-check';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crdManifest } from '@tenantry/crd/definition';
import { readDefinition } from '@tenantry/crd/read-definition';
import { sampleObject } from '@tenantry/crd/sample-object';
import { tenant } from '../../crds/tenant.ts';
import { arbitraryObject } from '@tenantry/crd/testing';
import type { KnownDefinition } from '../../model/declaration.ts';
import type { KubeObject } from '@tenantry/kube/object';
import { readDocuments } from '@tenantry/kube/yaml/read';
import { validateBuiltinMerge } from '@tenantry/crd/schema/builtin-merge';
import type { JSONSchemaProps } from '@tenantry/crd/schema/json-schema';
import { until } from '@tenantry/testing/waiting/until';
import type { Body } from '@tenantry/testing/controlplane/objects';
import {
  changed,
  objectOf,
  placesIn,
  stableKinds,
  without,
} from '../cluster/builtinobjects-generated.ts';
import { ofOneVersion, serve } from '../cluster/crds.ts';
import { schemas, valuesNear } from '../cluster/instances-generated.ts';
import { desiredOf } from '../constructs/given.ts';
import { runs } from '@tenantry/kube/test/yaml/runs';
import { testUnless } from '../skipping.ts';
import type { OwnCluster } from '@tenantry/testing/test/controlplane/lender';
import { ownClusters } from '@tenantry/testing/test/controlplane/shared';
import { lifeOf, NAMESPACE, renderedOf, type Asked } from './compared.ts';
import { compareAsArgoCd, type Compared } from './comparison.ts';
import { findArgoCd } from './programs.ts';
import { growing, workloads } from './workloads.ts';

const clusters = await ownClusters();
const { programs, reason } = await findArgoCd();
const test = testUnless(clusters.reason ?? reason);

const { seed, numRuns } = runs(120);

/** Schemas that server-side apply treats as one value and that have defaults. */
const appliedAsAWhole = fc
  .tuple(schemas(2), fc.boolean())
  .map(([inner, isListed]): JSONSchemaProps => {
    const properties = { a: inner, b: { type: 'integer', default: 1 } } as const;
    const item = { type: 'object', properties } as const;
    return isListed
      ? { type: 'array', items: item }
      : { ...item, 'x-kubernetes-map-type': 'atomic' };
  });

/** Returns a cluster that serves definitions and has the namespace of the tenant. */
async function clusterWith(crds: readonly Body[]): Promise<OwnCluster> {
  const cluster = await clusters.newCluster();
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } };
  await cluster.admin.create(namespace);
  for (const crd of crds) await serve(cluster.admin, crd);
  const names = crds.map((crd) => (crd.spec!['names'] as { readonly kind: string }).kind);
  await until('the schemas of all kinds are published', async () => {
    const { body } = await cluster.admin.request({ method: 'GET', path: '/openapi/v2' });
    const text = JSON.stringify(body);
    return names.every((kind) => text.includes(`"kind":"${kind}"`));
  });
  return cluster;
}

function knownOf(crd: Body): KnownDefinition {
  const { group, names } = crd.spec as { group: string; names: { kind: string } };
  const definition = readDefinition(crd);
  return { group, kind: names.kind, digest: '', read: () => definition };
}

/** Returns the pairs that Argo CD compares for objects that replace each other under a name, with its verdicts. */
async function judged(
  cluster: OwnCluster,
  turns: readonly (readonly KubeObject[])[],
): Promise<(Asked & { readonly comparison: Compared })[]> {
  const asked: Asked[] = [];
  for (let i = 0; i < turns.length; i += 10) {
    const some = turns.slice(i, i + 10).map((objects) => lifeOf(cluster, objects));
    asked.push(...(await Promise.all(some)).flat());
  }
  const comparisons = compareAsArgoCd(programs!, cluster.kubeconfigFile('compared'), asked);
  return asked.map((one, i) => ({ ...one, comparison: comparisons[i]! }));
}

/** Returns the number of differing pairs in each situation, and the unexpected verdicts. */
function summed(judgements: Awaited<ReturnType<typeof judged>>) {
  const differing = {
    applied: 0,
    'to be applied': 0,
    'applied over another': 0,
    'applied again': 0,
  };
  for (const { what, comparison } of judgements) if (comparison.modified) differing[what] += 1;
  const wrong = judgements.filter(({ what, comparison }) => {
    const settled = what === 'applied' || what === 'applied again';
    return comparison.error !== '' || (settled && comparison.modified);
  });
  return { differing, wrong };
}

const rendered = (
  manifests: readonly object[],
  definitions: readonly KnownDefinition[],
): KubeObject[] =>
  manifests.flatMap((one) => {
    const object = renderedOf(one, definitions);
    return typeof object === 'string' ? [] : [object];
  });

const named =
  (name: string) =>
  <T extends object>(object: T): T & { readonly metadata: { readonly name: string } } => ({
    ...object,
    metadata: { name },
  });

test('an object rendered by any definition is Synced after it is applied', async () => {
  const generated = fc.sample(fc.oneof(schemas(), appliedAsAWhole), { seed, numRuns });
  const properties = Object.fromEntries(generated.map((schema, i) => [`f${i}`, schema]));
  const kind = { apiVersion: 'instances.example.com/v1', kind: 'Many' };
  const spec = { type: 'object', properties: { spec: { type: 'object', properties } } } as const;
  const crd = ofOneVersion({ ...kind, plural: 'manies' }, spec, 'Namespaced');
  await using cluster = await clusterWith([crd]);
  const definitions = [knownOf(crd)];
  const turns = generated.map((schema, i) =>
    fc
      .sample(valuesNear(schema), { seed: seed + i, numRuns: 20 })
      .map((value) => ({ ...kind, metadata: { name: `turn-${i}` }, spec: { [`f${i}`]: value } }))
      .filter((one) => rendered([one], definitions).length > 0)
      .slice(0, 5),
  );
  const filled = turns.map((all) => rendered(all, definitions));
  const { wrong, differing } = summed(await judged(cluster, filled));
  expect(wrong).toEqual([]);
  // Another value is a difference until it is applied.
  expect(differing['to be applied']).toBeGreaterThan(numRuns / 2);
  const bare = turns.map((all, i) => rendered(all.map(named(`bare-${i}`)), []));
  const unfilled = summed(await judged(cluster, bare));
  expect(unfilled.differing['applied again']).toBeGreaterThan(numRuns / 10);
});

test('the same holds for the kinds that the example deploys', async () => {
  const folder = join(import.meta.dirname, '../../tenants/resources/crds');
  const crds = readdirSync(folder).map((file) => {
    const { documents } = readDocuments(readFileSync(join(folder, file), 'utf8'));
    return documents[0]!.value as Body;
  });
  await using cluster = await clusterWith(crds);
  const turns = crds.map((crd) => {
    const known = knownOf(crd);
    const definition = known.read();
    if ('severity' in definition) throw new Error(definition.message);
    const version = Object.keys(definition.versions).at(-1)!;
    const all = [
      sampleObject(definition, version),
      sampleObject(definition, version, { full: true }),
      ...fc.sample(arbitraryObject(definition, version), { seed, numRuns: 4 }),
    ];
    return rendered(all.map(named('turn')), [known]);
  });
  const judgements = await judged(cluster, turns);
  expect(summed(judgements).wrong).toEqual([]);
  expect(judgements.length).toBeGreaterThan(crds.length * 5);
});

test('the same holds for built-in kinds, which stay OutOfSync without rendering', async () => {
  await using cluster = await clusterWith([]);
  const named = workloads.map((one, i) => ({ ...one, metadata: { name: `turn-${i}` } }));
  const all = await judged(
    cluster,
    rendered(named, []).map((one) => [one]),
  );
  expect(summed(all).wrong).toEqual([]);
  expect(all).toHaveLength(2 * workloads.length);
  const bare = workloads.map((one, i) => [
    { ...one, metadata: { name: `bare-${i}`, namespace: NAMESPACE } } as KubeObject,
  ]);
  const { differing } = summed(await judged(cluster, bare));
  expect(differing['applied again']).toBe(workloads.length);
});

test('a port with an empty protocol is one port, however often it is applied', async () => {
  await using cluster = await clusterWith([]);
  const turns = (name: string, render: (one: object) => KubeObject[]) =>
    growing.map((one, i) => {
      const metadata = { name: `${name}-${i}` };
      // The live object is also compared with its corrected form.
      return [...render({ ...one, metadata }), ...rendered([{ ...one, metadata }], [])];
    });
  const all = await judged(
    cluster,
    turns('turn', (one) => rendered([one], [])),
  );
  expect(summed(all).wrong).toEqual([]);
  const inNamespace = (one: object) => {
    const { metadata, ...rest } = one as KubeObject;
    return [{ ...rest, metadata: { ...metadata, namespace: NAMESPACE } }] as KubeObject[];
  };
  const bare = await judged(cluster, turns('bare', inNamespace));
  const errors = bare.filter(({ comparison }) =>
    comparison.error.includes('duplicate entries for key'),
  );
  expect(errors.map(({ what }) => what)).toContain('to be applied');
});

const leftOut = [{}, { creationTimestamp: null }, { labels: {} }, { annotations: null }];

test('the same holds for an object with embedded objects of which an API server omits something', async () => {
  const embedded = {
    type: 'object',
    'x-kubernetes-embedded-resource': true,
    'x-kubernetes-preserve-unknown-fields': true,
  } as const;
  const within = { type: 'object', properties: { object: embedded } } as const;
  const properties: Record<string, JSONSchemaProps> = {
    object: embedded,
    list: { type: 'array', items: within },
    atom: { ...within, 'x-kubernetes-map-type': 'atomic' },
    size: { type: 'integer', default: 3 },
    text: { type: 'string' },
    open: { type: 'string', nullable: true },
  };
  const kind = { apiVersion: 'embedding.example.com/v1', kind: 'Embedding' };
  const spec: JSONSchemaProps = {
    type: 'object',
    properties: { spec: { type: 'object', properties } },
  };
  const crd = ofOneVersion({ ...kind, plural: 'embeddings' }, spec, 'Namespaced');
  await using cluster = await clusterWith([crd, crdManifest(tenant) as unknown as Body]);
  const objects = leftOut.map((more) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a', ...more } as KubeObject['metadata'],
    data: { a: 'b' },
  }));
  const tenants = objects.map((manifest, i) => {
    const resources = [{ manifest }];
    const spec = { resources, namespaces: [{ name: 'a', resources }] };
    return desiredOf({ name: `turn-${i}`, tenant: spec }).tenant;
  });
  const specs = [
    ...objects.flatMap((object) => [{ object }, { list: [{ object }] }, { atom: { object } }]),
    { size: null },
    { text: null },
    { open: null },
  ];
  const others = specs.map((spec, i) => ({ ...kind, metadata: { name: `turn-${i}` }, spec }));
  const turns = [...tenants, ...rendered(others, [knownOf(crd)])].map((one) => [one]);
  const judgements = await judged(cluster, turns);
  expect(summed(judgements).wrong).toEqual([]);
  expect(judgements).toHaveLength(2 * (tenants.length + others.length));
});

test('the same holds for a version that is not stored, with defaults of the stored version in its lists', async () => {
  const kind = { apiVersion: 'versions.example.com/v1', kind: 'Versioned' };
  const schemaOf = (policy: object) => {
    const item = { type: 'object', properties: { name: { type: 'string' }, policy } };
    const spec = { type: 'object', properties: { items: { type: 'array', items: item } } };
    return { openAPIV3Schema: { type: 'object', properties: { spec } } };
  };
  const one = ofOneVersion({ ...kind, plural: 'versioneds' }, {}, 'Namespaced');
  const versions = [
    { name: 'v1', storage: true, schema: schemaOf({ type: 'string', default: 'Keep' }) },
    { name: 'v1beta1', storage: false, schema: schemaOf({ type: 'string' }) },
  ].map((version) => ({ ...version, served: true }));
  const crd: Body = { ...one, spec: { ...one.spec, versions } };
  await using cluster = await clusterWith([crd]);
  const apiVersion = 'versions.example.com/v1beta1';
  const object = { ...kind, apiVersion, spec: { items: [{ name: 'a' }] } };
  const turns = ([[knownOf(crd)], []] as const).map((definitions, i) =>
    rendered([{ ...object, metadata: { name: `turn-${i}` } }], definitions),
  );
  const judgements = await judged(cluster, turns);
  expect(judgements.map(({ comparison }) => comparison.modified)).toEqual([
    false,
    false,
    true,
    true,
  ]);
});

/** Returns variants of an object in which each part in turn is missing or has another type. */
function damaged(object: Body): readonly Body[] {
  return placesIn(object).flatMap((place) =>
    [without(object, place), changed(object, place, {}), changed(object, place, [])].map(
      (one) => one as Body,
    ),
  );
}

test('Argo CD can compare any rendered object with the live one, whatever is wrong with it', async () => {
  await using cluster = await clusters.newCluster();
  const kinds = stableKinds.filter(({ kind }) =>
    ['CronJob', 'DaemonSet', 'Deployment', 'Ingress', 'Pod', 'Service', 'StatefulSet'].includes(
      kind,
    ),
  );
  const there = fc
    .sample(objectOf(kinds), { seed, numRuns: 4 * numRuns })
    .filter((one) => validateBuiltinMerge(one as unknown as KubeObject).length === 0);
  const pairs = there.flatMap((live) =>
    rendered(damaged(live).map(named('a')), []).map((config) => ({
      config,
      live: { ...live, metadata: config.metadata },
    })),
  );
  const answers = compareAsArgoCd(programs!, cluster.kubeconfigFile('compared'), pairs);
  const failed = pairs.filter((_, i) => answers[i]!.error !== '');
  expect(failed).toEqual([]);
  expect(pairs.length).toBeGreaterThan(10 * numRuns);
});

import { afterAll, expect, test } from '@jest/globals';
import type { Platform } from '../../model/declaration.ts';
import { resolvePlatform } from '../../model/platform.ts';
import type { PlatformSpec } from '../../crds/platform.ts';
import { tenant } from '../../crds/tenant.ts';
import { tenantClass } from '../../crds/tenant-class.ts';
import { TENANT_LABEL } from '@tenantry/kube/cascade-root';
import { groupOf } from '@tenantry/kube/object';
import { wholeKinds } from '../../operator/cluster/kinds.ts';
import { tenantController } from '../../operator/tenant/tenant-controller.ts';
import type { Client } from '@tenantry/testing/controlplane/client';
import { toReference, type Body } from '@tenantry/testing/controlplane/objects';
import { until } from '@tenantry/testing/waiting/until';
import { classObject, importFolder } from '../cases/fleet/imported.ts';
import { closeClients, runAs } from '../examples/operator.ts';
import { mapConcurrently } from '@tenantry/testing/test/controlplane/map-concurrently';
import { ownClusters } from '@tenantry/testing/test/controlplane/shared';
import { distFolders } from './dist.ts';
import { applyAll, ownPlatform } from './tenants.ts';

const given = await ownClusters();
afterAll(closeClients);

/** Declarations, and what the generator renders from them. */
interface Case {
  readonly platform: Platform;
  readonly cluster: string;
  readonly declared: readonly Body[];
  readonly generated: readonly Body[];
}

/** Returns the committed case of a cluster. */
function committed(cluster: string): Case {
  const objects = distFolders(cluster).flatMap((folder) => folder.objects);
  const isDeclared = ({ kind }: Body) => kind === tenant.kind || kind === tenantClass.kind;
  return {
    platform: ownPlatform(),
    cluster,
    declared: objects.filter(isDeclared),
    generated: objects.filter(({ metadata }) => metadata?.labels?.[TENANT_LABEL] !== undefined),
  };
}

/** Returns a production platform, as the import declares it. */
function production(folder: string): Case {
  const imported = importFolder(folder);
  const { platform, tenants, rendered } = imported;
  const spec = platform['spec'] as PlatformSpec;
  return {
    platform: resolvePlatform(spec),
    cluster: rendered[0]!.cluster,
    declared: [classObject(imported), ...tenants],
    generated: rendered.map(({ object }) => object),
  };
}

const written = new Set(wholeKinds.map(({ group, kind }) => `${kind}.${group}`));
const isWritten = (object: Body): boolean =>
  written.has(`${object.kind}.${groupOf(object.apiVersion!)}`);

const nameOf = ({ kind, metadata }: Body): string =>
  `${kind} ${metadata?.namespace ?? ''}/${metadata?.name}`;

const ofTheServer = ['uid', 'resourceVersion', 'creationTimestamp', 'generation', 'managedFields'];

const without = (fields: object, keys: readonly string[]): object =>
  Object.fromEntries(Object.entries(fields).filter(([key]) => !keys.includes(key)));

/** Returns an object without the fields that the API server and controllers set. */
const content = (object: Body): object =>
  without({ ...object, metadata: without(object.metadata!, ofTheServer) }, ['status']);

/** Returns the live object, and what the API server would have if the generated object replaced it. */
async function pair(admin: Client, generated: Body) {
  const { body: live } = await admin.get(toReference(generated));
  const { resourceVersion } = live.metadata!;
  const metadata = { ...generated.metadata, resourceVersion };
  const replaced = await admin.replace({ ...generated, metadata } as Body, { dryRun: true });
  if (replaced.status !== 200) throw new Error(`${nameOf(generated)}: ${replaced.body.message}`);
  return { live: content(live), generated: content(replaced.body) };
}

/** Returns the names of tenants' objects of the kinds that the operator writes. */
async function namesOf(admin: Client): Promise<readonly string[]> {
  const lists = await mapConcurrently(wholeKinds, async ({ group, kind, version }) => {
    const apiVersion = group === '' ? version : `${group}/${version}`;
    const reply = await admin.list({ apiVersion, kind }, { labelSelector: TENANT_LABEL });
    const { items } = reply.body as unknown as { items: Body[] };
    return items.map((one) => nameOf({ ...one, kind }));
  });
  return lists.flat().toSorted();
}

async function whatTheOperatorMakes({ platform, cluster, declared, generated }: Case) {
  await using control = await given.newCluster();
  const { admin } = control;
  await applyAll(admin, distFolders('fra1').find(({ name }) => name === 'crds')!.objects);
  const healed = declared.map((object) => ({
    ...object,
    spec: { ...(object as { spec?: object }).spec, driftPolicy: 'Heal' },
  }));
  await applyAll(admin, healed as readonly Body[]);
  const props = { platform: { ...platform, driftPolicy: 'Heal' as const }, cluster };
  const operator = runAs(admin, tenantController(props));
  try {
    const expected = generated.filter(isWritten);
    const names = await until(
      'all is there',
      async () => {
        const there = await namesOf(admin);
        return there.length >= expected.length && there;
      },
      { every: 250 },
    );
    const pairs = await mapConcurrently(expected, (object) => pair(admin, object));
    return { pairs, names, expected: expected.map(nameOf).toSorted() };
  } finally {
    await operator.stop();
  }
}

const folder = process.env['TENANTRY_FLEET'];
const cases: readonly [string, (() => Case) | undefined][] = [
  ['of this repository', () => committed('fra1')],
  ['of a production platform', folder === undefined ? undefined : () => production(folder)],
];

for (const [name, load] of cases) {
  const sentence = `for the tenants ${name}, the operator creates the objects that the generator renders`;
  if (load === undefined) {
    test.skip(`${sentence} [skipped: TENANTRY_FLEET names no folder]`, () => {});
    continue;
  }
  given.test(sentence, async () => {
    const { pairs, names, expected } = await whatTheOperatorMakes(load());
    expect(names).toEqual(expected);
    for (const { live, generated } of pairs) expect(live).toEqual(generated);
  });
}

import { expect } from '@jest/globals';
import { crdManifest } from '@tenantry/crd/definition';
import type { DeclaredKind } from '../../crds/declared-kind.ts';
import { tenant } from '../../crds/tenant.ts';
import { tenantClass } from '../../crds/tenant-class.ts';
import { mapConcurrently } from '@tenantry/testing/test/controlplane/map-concurrently';
import { sharedCluster } from '@tenantry/testing/test/controlplane/shared';
import { headsOf, trialsOf, type Fields } from '../crds/constraints.ts';
import { accepts, serve } from './crds.ts';

const given = await sharedCluster();
const { test } = given;

/** Returns the objects that the API server accepts. */
async function accepted(kind: DeclaredKind, objects: readonly Fields[]): Promise<Fields[]> {
  const answers = await mapConcurrently(objects, (object) =>
    accepts(given.cluster.admin, kind, object),
  );
  return objects.filter((_, i) => answers[i]);
}

// test/crds/constraints.test.ts checks our validation of the same objects.
for (const kind of [tenant, tenantClass] as const) {
  test(`the API server refuses a ${kind.kind} with only one broken constraint, for every constraint`, async () => {
    await serve(given.cluster.admin, crdManifest(kind));
    const { valid, breaches } = trialsOf(kind);
    expect(await accepted(kind, valid)).toHaveLength(valid.length);
    expect(
      await accepted(
        kind,
        breaches.map(({ object }) => object),
      ),
    ).toEqual([]);
  });

  test(`the API server requires the head of a ${kind.kind}, with a name that is a DNS label`, async () => {
    await serve(given.cluster.admin, crdManifest(kind));
    const { good, bad } = headsOf(kind);
    expect(await accepted(kind, good)).toHaveLength(good.length);
    expect(await accepted(kind, bad)).toEqual([]);
  });
}

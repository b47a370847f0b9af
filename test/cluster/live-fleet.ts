import { readManifests } from '../../import/manifests.ts';
import { sortByNamespace } from '../../import/namespaces.ts';
import type { KubeObject } from '@tenantry/kube/object';
import type { Client } from '@tenantry/testing/controlplane/client';
import type { Body } from '@tenantry/testing/controlplane/objects';
import { mapConcurrently } from '@tenantry/testing/test/controlplane/map-concurrently';
import { readFolder } from '../cases/fleet/imported.ts';
import { serveForeignKinds } from './foreign-kinds.ts';

/** Reads the objects of a fleet, each with its namespace; the Namespaces come first. */
export function readFleetObjects(folder: string): readonly KubeObject[] {
  const { objects } = readManifests(readFolder(folder));
  const { namespaces } = sortByNamespace(objects, { isProtected: () => undefined });
  return [
    ...namespaces.map(({ namespace }) => namespace.object),
    ...namespaces.flatMap((one) => one.objects.map(({ object }) => object)),
  ];
}

/**
 * Creates objects as `kubectl create` does, with the Namespaces first.
 * @returns the refusals of the API server
 */
export async function createObjects(
  admin: Client,
  objects: readonly KubeObject[],
  fieldManager = 'kubectl-create',
): Promise<readonly string[]> {
  await serveForeignKinds(admin, objects as readonly Body[]);
  const refusals: string[] = [];
  for (const isNamespace of [true, false]) {
    const part = objects.filter(({ kind }) => (kind === 'Namespace') === isNamespace);
    await mapConcurrently(part, async (object) => {
      const { status, body } = await admin.create(object as Body, { fieldManager });
      if (status !== 201) refusals.push(`${object.kind} ${object.metadata.name}: ${body.message}`);
    });
  }
  return refusals;
}

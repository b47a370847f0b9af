import { join } from 'node:path';
import { readPlatform } from '../../apps/platform-file.ts';
import type { Platform } from '../../model/declaration.ts';
import type { Client } from '@tenantry/testing/controlplane/client';
import type { Body } from '@tenantry/testing/controlplane/objects';
import { mapConcurrently } from '@tenantry/testing/test/controlplane/map-concurrently';
import { untilServed } from './crds.ts';
import { distFolders } from './dist.ts';
import { clusterMinor } from './minor.ts';

/** Returns the platform of this repository. */
export function ownPlatform(): Platform {
  const file = join(import.meta.dirname, '../../tenantry.yaml');
  const { platform, problems } = readPlatform(file, { mustExist: true });
  if (problems.length > 0) throw new Error(problems[0]!.message);
  return platform;
}

const isServed = ({ kind = '' }: Body): boolean =>
  Number(clusterMinor.split('.')[1]) >= 36 || !kind.startsWith('MutatingAdmissionPolicy');

/**
 * Applies the folders of a cluster in dist, as Argo CD does. Leaves out kinds that the cluster does not serve.
 * @param clusters the folder of the clusters. Default: the committed one
 */
export async function applyDist(
  admin: Client,
  cluster: string,
  clusters?: string,
): Promise<readonly Body[]> {
  const applied: Body[] = [];
  for (const { objects } of distFolders(cluster, clusters)) {
    applied.push(...(await applyAll(admin, objects)));
  }
  return applied;
}

/** Applies objects, Namespaces first, and waits until the definitions among them are served. */
export async function applyAll(admin: Client, objects: readonly Body[]): Promise<readonly Body[]> {
  const applied: Body[] = [];
  const namespaces = objects.filter(({ kind }) => kind === 'Namespace');
  const rest = objects.filter((object) => isServed(object) && object.kind !== 'Namespace');
  for (const some of [namespaces, rest]) {
    await mapConcurrently(some, async (object) => {
      const reply = await admin.apply(object, { fieldManager: 'argocd-controller' });
      if (reply.status <= 201) applied.push(object);
      else if (reply.status !== 404)
        throw new Error(`${object.metadata?.name}: ${reply.body.message}`);
    });
  }
  for (const object of objects) {
    if (object.kind === 'CustomResourceDefinition') await untilServed(admin, object);
  }
  return applied;
}

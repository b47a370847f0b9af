import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { groupOf } from '@tenantry/kube/object';
import type { Client } from '@tenantry/testing/controlplane/client';
import { applyObject, loadObjects } from '@tenantry/testing/controlplane/manifests';
import type { Body } from '@tenantry/testing/controlplane/objects';

/** The result of applying folders of dist. */
export interface Applied {
  readonly objects: readonly Body[];
  /** Groups of kinds that the cluster does not serve, such as cert-manager.io. */
  readonly unserved: readonly string[];
}

/** Concurrent requests: enough to keep both sides busy. */
const ABREAST = 16;

/**
 * Applies folders of a cluster of dist. As with Argo CD, definitions come first, and Namespaces before
 * their contents.
 * @param names Default: all of them, in the order of their names
 */
export async function applyFolders(
  admin: Client,
  cluster: string,
  names: readonly string[] = readdirSync(cluster).toSorted(),
): Promise<Applied> {
  const objects: Body[] = [];
  const unserved = new Set<string>();
  for (const name of names) {
    const all = loadObjects([join(cluster, name)]) as readonly Body[];
    for (const rank of [0, 1, 2]) {
      await runConcurrently(
        all.filter((one) => rankObject(one) === rank),
        async (object) => {
          if (await isApplied(admin, object)) objects.push(object);
          else unserved.add(groupOf(object.apiVersion ?? ''));
        },
      );
    }
  }
  return { objects, unserved: [...unserved].toSorted() };
}

/** Ranks kinds: those that others need come first. */
function rankObject({ kind }: Body): number {
  if (kind === 'CustomResourceDefinition') return 0;
  return kind === 'Namespace' ? 1 : 2;
}

/** Applies an object; false where the cluster does not serve its kind. */
async function isApplied(admin: Client, object: Body): Promise<boolean> {
  if (object.kind === 'CustomResourceDefinition') {
    await applyObject(admin, object);
    return true;
  }
  const options = { fieldManager: 'argocd-controller', force: true } as const;
  const { status, body } = await admin.apply(object, options);
  if (status === 404) return false;
  if (status <= 201) return true;
  const name = `${object.kind} ${object.metadata?.name}`;
  throw new Error(`the API server must take ${name}, got ${status} ${body.message}`);
}

async function runConcurrently<T>(
  all: readonly T[],
  act: (one: T) => Promise<void>,
): Promise<void> {
  const rest = all.values();
  const goOn = async (): Promise<void> => {
    for (const one of rest) await act(one);
  };
  await Promise.all(Array.from({ length: ABREAST }, goOn));
}

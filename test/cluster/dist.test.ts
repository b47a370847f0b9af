import { expect } from '@jest/globals';
import { mapConcurrently } from '@tenantry/testing/test/controlplane/map-concurrently';
import type { Client } from '@tenantry/testing/controlplane/client';
import { toReference, type Body, type Reply } from '@tenantry/testing/controlplane/objects';
import { ownClusters } from '@tenantry/testing/test/controlplane/shared';
import { untilServed } from './crds.ts';
import { distClusters, distFolders } from './dist.ts';
import { serveForeignKinds } from './foreign-kinds.ts';
import { clusterMinor } from './minor.ts';

const given = await ownClusters();
const { test } = given;

const kindOf = ({ apiVersion, kind }: Body): string => `${apiVersion} ${kind}`;

const idOf = (object: Body): string =>
  [kindOf(object), object.metadata?.namespace, object.metadata?.name].filter(Boolean).join(' ');

const isCrd = ({ kind }: Body): boolean => kind === 'CustomResourceDefinition';

/** Applies an object server-side as Argo CD does, but refuses unknown fields and forces no conflict. */
function apply(client: Client, object: Body, dryRun: boolean): Promise<Reply> {
  const options = { fieldManager: 'argocd-controller', fieldValidation: 'Strict' } as const;
  return client.apply(object, { ...options, dryRun });
}

/** Returns the refusal of the API server and every warning about an object. */
function complaints(object: Body, { status, body, warnings }: Reply): string[] {
  const refusal = status > 201 ? [`${status} ${body.message}`] : [];
  return [...refusal, ...warnings].map((message) => `${idOf(object)}: ${message}`);
}

/**
 * Returns whether this API server serves the kind. Kubernetes 1.36 is the first to serve some; a cluster in dist may
 * be newer than that of the test.
 */
const isServed = ({ kind = '' }: Body): boolean =>
  Number(clusterMinor.split('.')[1]) >= 36 || !kind.startsWith('MutatingAdmissionPolicy');

for (const name of distClusters()) {
  const folders = distFolders(name).map(({ name: folder, objects }) => ({
    name: folder,
    objects: objects.filter(isServed),
  }));
  const objects = folders.flatMap((folder) => folder.objects);

  test(`all of dist/clusters/${name} can be applied in the order of the folders, and a second apply changes nothing`, async () => {
    await using cluster = await given.newCluster();
    const { admin } = cluster;
    await serveForeignKinds(admin, objects);

    // No object can be tried without its namespace, and no Tenant without its CRD. On an empty cluster a dry run
    // therefore covers only the rest. That is why the order matters.
    const ours = new Set(objects.filter(isCrd).map(({ spec }) => String(spec?.['group'])));
    const waits = ({ apiVersion, metadata }: Body): boolean =>
      metadata?.namespace !== undefined || ours.has(apiVersion?.split('/')[0] ?? '');
    const early = await mapConcurrently(objects, (object) => apply(admin, object, true));
    const verdicts = objects.map((object, i) => {
      const { status, body } = early[i]!;
      return {
        object,
        isMissing: status === 404,
        words: `${idOf(object)}: ${status} ${body.message}`,
      };
    });
    const others = verdicts.filter(({ object, isMissing }) => isMissing !== waits(object));
    expect(others.map(({ words }) => words)).toEqual([]);
    const tried = objects.flatMap((object, i) =>
      waits(object) ? [] : complaints(object, early[i]!),
    );
    expect(tried).toEqual([]);

    // Each object is now applied in turn, after everything that it depends on.
    const messages: string[] = [];
    for (const folder of folders) {
      for (const object of folder.objects) {
        messages.push(...complaints(object, await apply(admin, object, false)));
      }
      for (const crd of folder.objects.filter(isCrd)) await untilServed(admin, crd);
    }
    expect(messages).toEqual([]);

    const versionsOf = async (): Promise<string[]> =>
      mapConcurrently(objects, async (object) => {
        const { body } = await admin.get(toReference(object));
        return `${idOf(object)} ${body.metadata?.resourceVersion}`;
      });
    const before = await versionsOf();
    const again = await mapConcurrently(objects, async (object) =>
      complaints(object, await apply(admin, object, false)),
    );
    expect(again.flat()).toEqual([]);
    expect(await versionsOf()).toEqual(before);
    expect(new Set(before).size).toBe(objects.length);
  });
}

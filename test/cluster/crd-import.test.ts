import { expect } from '@jest/globals';
import { isDeepStrictEqual } from 'node:util';
import type { CustomResourceDefinitionManifest } from '@tenantry/crd/custom-resource-definition';
import { crdManifest, definitionOf } from '@tenantry/crd/definition';
import { inProject } from '../cli/project.ts';
import { withoutKubectl } from '../kubectl.ts';
import { testUnless } from '../skipping.ts';
import { sharedCluster, uniqueName } from '@tenantry/testing/test/controlplane/shared';
import type { Body } from '@tenantry/testing/controlplane/objects';
import { corpus } from '@tenantry/crd/test/corpus';
import { meaningOf } from '@tenantry/crd/test/import/meaning';
import { crd } from '@tenantry/crd/test/import/project';
import { serve, TRIAL } from './crds.ts';

const given = await sharedCluster();
const found = await corpus();
const crds = 'crds' in found ? found.crds : [];
const withoutCorpus = 'reason' in found ? found.reason : undefined;

/** Returns what the API server would store. */
async function stored(manifest: CustomResourceDefinitionManifest): Promise<object> {
  const { status, body } = await given.cluster.admin.create(manifest as unknown as Body, TRIAL);
  if (status !== 201) throw new Error(`${manifest.metadata.name}: ${status} ${body.message}`);
  return meaningOf(body as Body & CustomResourceDefinitionManifest);
}

testUnless(withoutCorpus, given.test)(
  'the API server accepts every real definition, and stores the same for its emitted copy',
  async () => {
    for (const { manifest } of crds) {
      const [before, after] = await Promise.all([
        stored(manifest),
        stored(crdManifest(definitionOf(manifest))),
      ]);
      if (!isDeepStrictEqual(after, before)) expect(after).toEqual(before);
    }
  },
);

testUnless(withoutKubectl, given.test)(
  'the definitions of a cluster are imported through kubectl',
  async () => {
    const plural = uniqueName('boxes');
    const spec = { type: 'object', properties: { size: { type: 'integer', default: 1 } } };
    const names = { kind: 'Box', plural, singular: plural, listKind: 'BoxList' };
    await serve(
      given.cluster.admin,
      crd(
        { type: 'object', properties: { spec } },
        { group: `${plural}.example.com`, names },
      ) as Body,
    );
    const KUBECONFIG = given.cluster.kubeconfigFile('crd-import.json');
    await inProject({}, async (project) => {
      const only = `${plural}.${plural}.example.com`;
      const ended = await project.tenantry(`crd import cluster --context test --only ${only}`, {
        KUBECONFIG,
      });
      expect(ended).toMatchObject({ code: 0, err: '' });
      const text = project.tree()[`imports/${plural}.example.com/${plural}.ts`]!;
      expect(text).toContain("export class Box extends customResource(boxDefinition, 'v1') {}");
      expect(text).toContain('readonly size?: number;');
      const nowhere = await project.tenantry('crd import cluster --context nowhere', {
        KUBECONFIG,
      });
      expect(nowhere.code).toBe(1);
      expect(nowhere.err).toContain('error cluster must answer kubectl, got exit code 1: ');
    })();
  },
);

import { expect, test } from '@jest/globals';
import { validateDefinition } from '@tenantry/crd/validation/validate';
import { sharedCluster } from '@tenantry/testing/test/controlplane/shared';
import { corpus } from '@tenantry/crd/test/corpus';
import { askServer } from '../verdicts/crds/definitions/server.ts';

const given = await sharedCluster();
const found = await corpus();
const sentence = 'validation and the API server accept the definitions of well-known projects';

/** The approximate limit in bytes of JSON. The large definitions keep the API server busy for 20 s. */
const most = process.env['TENANTRY_LONG'] === '1' ? Infinity : 48 * 1024;

if ('reason' in found) {
  test.skip(`${sentence} [skipped: ${found.reason}]`, () => {});
} else {
  given.test(sentence, async () => {
    const chosen = found.crds.filter(({ manifest }) => JSON.stringify(manifest).length <= most);
    const disagreements: object[] = [];
    for (const { manifest, file } of chosen) {
      const { errors } = validateDefinition(manifest);
      const server = await askServer(given.cluster.admin, manifest);
      if (errors.length > 0 || !server.accepted) disagreements.push({ file, errors, server });
    }
    expect(disagreements).toEqual([]);
    console.log(`${chosen.length} of ${found.crds.length} definitions`);
    expect(chosen.length).toBeGreaterThan(75);
  });
}

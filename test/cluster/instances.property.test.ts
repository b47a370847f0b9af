import { expect } from '@jest/globals';
import fc from 'fast-check';
import { sharedCluster } from '@tenantry/testing/test/controlplane/shared';
import { schemas, valuesNear } from './instances-generated.ts';
import { ManySchemas } from '../verdicts/schema/admission/many-schemas.ts';
import { ourVerdict } from '../verdicts/schema/admission/ours.ts';
import { difference } from '../verdicts/schema/admission/verdict.ts';
import { testsOfOurMinor } from './minor.ts';

const given = await sharedCluster();
const ofOurMinor = testsOfOurMinor(given.test);

const isLong = process.env['TENANTRY_LONG'] === '1';
const rounds = isLong ? 12 : 1;
const seed = Number(process.env['FC_SEED'] ?? 20_260_101);

ofOurMinor(
  'for any schema and value, validation and the API server reach the same verdict',
  async () => {
    const seen = { accepted: 0, refused: 0, notChecked: 0 };
    for (let round = 0; round < rounds; round += 1) {
      const generated = fc.sample(schemas(), { seed: seed + round, numRuns: 120 });
      const kind = new ManySchemas(given.cluster.admin, generated);
      await kind.serve();
      for (const [index, schema] of generated.entries()) {
        const values = fc.sample(valuesNear(schema), {
          seed: seed + round,
          numRuns: isLong ? 40 : 8,
        });
        const compared = values.map(async (value) => {
          const object = kind.object(index, value);
          const ours = ourVerdict(kind.schema, object);
          const server = await kind.servers(object);
          seen[server.isAccepted ? 'accepted' : 'refused'] += 1;
          if (ours.notChecked.length > 0) seen.notChecked += 1;
          const found = difference(ours, server);
          return found === undefined ? [] : [{ schema, value, found }];
        });
        expect((await Promise.all(compared)).flat()).toEqual([]);
      }
    }
    console.log(seen);
    expect(Math.min(seen.accepted, seen.refused)).toBeGreaterThan(100);
  },
  3_600_000,
);

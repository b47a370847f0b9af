import { expect } from '@jest/globals';
import fc from 'fast-check';
import { sharedCluster } from '../control-plane/shared.ts';
import { cases, metadatas } from './instances-cases.ts';
import { schemas, valuesNear } from './instances-generated.ts';
import { difference, ManySchemas } from './instances.ts';
import { clusterMinor, testsOfOurMinor } from './minor.ts';

const given = await sharedCluster();
const { test } = given;
const ofOurMinor = testsOfOurMinor(test);

ofOurMinor(
  'what a value may be, and what becomes of it, is the same here and at the API server',
  async () => {
    const kind = new ManySchemas(
      given.cluster.admin,
      cases.map(({ schema }) => schema),
    );
    await kind.serve();
    const seen = { accepted: 0, refused: 0, notChecked: 0 };
    const differences: string[] = [];
    for (const [index, { about, values }] of cases.entries()) {
      const compared = values.map(async (value) => {
        const object = kind.object(index, value);
        const ours = kind.ours(object);
        const server = await kind.servers(object);
        seen[server.isAccepted ? 'accepted' : 'refused'] += 1;
        if (ours.notChecked.length > 0) seen.notChecked += 1;
        const found = difference(ours, server);
        if (found) differences.push(`${about}: ${JSON.stringify(value)} ${found}`);
      });
      await Promise.all(compared);
    }
    console.log(seen);
    expect(differences).toEqual([]);
  },
  120_000,
);

test('what metadata may be is the same here and at the API server', async () => {
  const kind = new ManySchemas(given.cluster.admin, [{ type: 'string' }]);
  await kind.serve();
  for (const metadata of metadatas) {
    const object = kind.object(0, 'x', metadata);
    const found = difference(kind.ours(object), await kind.servers(object));
    expect({ metadata, found }).toEqual({ metadata, found: undefined });
  }
});

const isLong = process.env['TENANTRY_LONG'] === '1';
const rounds = isLong ? 12 : 1;
const seed = Number(process.env['FC_SEED'] ?? 20_260_101);

ofOurMinor(
  'whatever schema and value there are, they are admitted the same here and at the API server',
  async () => {
    const seen = { accepted: 0, refused: 0, notChecked: 0 };
    for (let round = 0; round < rounds; round += 1) {
      const generated = fc.sample(schemas(), { seed: seed + round, numRuns: 120 });
      const kind = new ManySchemas(given.cluster.admin, generated);
      await kind.serve();
      for (const [index, schema] of generated.entries()) {
        const values = fc.sample(valuesNear(schema), {
          seed: seed + round,
          numRuns: isLong ? 40 : 12,
        });
        const compared = values.map(async (value) => {
          const object = kind.object(index, value);
          const ours = kind.ours(object);
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

test('before Kubernetes 1.36 the API server took numbers beyond their format, which we refuse', async () => {
  const kind = new ManySchemas(given.cluster.admin, [
    { type: 'integer', format: 'int32' },
    { type: 'integer' },
  ]);
  await kind.serve();
  for (const [index, value] of [2 ** 31, 1.000_000_000_1].entries()) {
    const object = kind.object(index, value);
    expect(kind.ours(object).isAccepted).toBe(false);
    expect((await kind.servers(object)).isAccepted).toBe(clusterMinor === '1.35');
  }
});

import { expect } from '@jest/globals';
import fc from 'fast-check';
import { validateDefinition } from '@tenantry/crd/validation/validate';
import { sharedCluster } from '@tenantry/testing/test/controlplane/shared';
import { runs } from '@tenantry/kube/test/yaml/runs';
import { definitions } from './definitions-generated.ts';
import { askServer, isNamed } from '../verdicts/crds/definitions/server.ts';

const given = await sharedCluster();
const { test } = given;

test('for any definition, validation and the API server agree on whether to accept it', async () => {
  const seen = { accepted: 0, refused: 0, undecided: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(definitions, { minLength: 1, maxLength: 8 }), async (batch) => {
      const disagreements = await Promise.all(
        batch.map(async (manifest) => {
          const { errors, notChecked } = validateDefinition(manifest);
          const server = await askServer(given.cluster.admin, manifest);
          const paths = [...errors, ...notChecked].map(({ path }) => path);
          const unnamed = server.paths.filter((path) => !isNamed(path, paths));
          const undecided = errors.length === 0 && notChecked.length > 0;
          seen[undecided ? 'undecided' : server.accepted ? 'accepted' : 'refused'] += 1;
          const agreed = undecided || (errors.length === 0) === server.accepted;
          return agreed && unnamed.length === 0 ? [] : [{ manifest, errors, server, unnamed }];
        }),
      );
      expect(disagreements.flat()).toEqual([]);
    }),
    runs(200),
  );
  console.log(JSON.stringify(seen));
  expect(Math.min(seen.accepted, seen.refused)).toBeGreaterThan(100);
}, 1_200_000);

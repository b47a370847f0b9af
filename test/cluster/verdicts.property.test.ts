import { expect } from '@jest/globals';
import fc from 'fast-check';
import { isExtendedResource } from '../../model/rules/resource-keys.ts';
import { crdManifest } from '@tenantry/crd/definition';
import { parseQuantity } from '@tenantry/kube/quantity';
import { tenant } from '../../crds/tenant.ts';
import { mapConcurrently } from '@tenantry/testing/test/controlplane/map-concurrently';
import { newTenantNamespace, sharedCluster } from '@tenantry/testing/test/controlplane/shared';
import { runs } from '@tenantry/kube/test/yaml/runs';
import { serve } from './crds.ts';
import { testsOfOurMinor } from './minor.ts';
import { oddTenants } from './verdicts-generated.ts';
import { disagreement, ourVerdict, ServerVerdicts, type Stricter } from './verdicts.ts';

const given = await sharedCluster();
const test = testsOfOurMinor(given.test);

const got = (message: string): string => /got '?([^']*?)'?(; did.*)?$/.exec(message)?.[1] ?? '';
const milli = parseQuantity('1m')!;

/**
 * The rules by which we refuse more than the API server does, with the reasons. All other rules follow the API
 * server.
 */
const stricter: readonly Stricter[] = [
  {
    rule: 'quota-key',
    reason:
      'it accepts any qualified name with a slash, and pages without a size; they limit nothing',
    matches: (message) => /\/|\.\.\.$|^(requests\.)?hugepages-/.test(got(message)),
  },
  {
    rule: 'quota-whole',
    reason:
      'a fraction of a device is not a device; it rounds to thousandths, and miscounts from 2^63 on',
    matches: (message) => {
      const key = /for (.*), got/s.exec(message)![1]!;
      const devices = key.includes('/') && !isExtendedResource(key);
      return devices || /up to 1P/.test(message) || parseQuantity(got(message))! % milli !== 0n;
    },
  },
  { rule: 'quantity', reason: 'it truncates some amounts above 2^63, and compares the rest' },
  {
    rule: 'quota-scope',
    reason:
      'a quota without a scope, with two that exclude each other, or for resources that none of them counts',
    matches: (message) =>
      /have scopes or a|got both|bound [^ ]*\/[^ ]* in scope|names as values/.test(message),
  },
  {
    rule: 'limit-resource',
    reason:
      'pages have a size, a volume claim is limited by storage, and an image by its own resource',
    matches: (message) =>
      /'(requests\.)?hugepages-|of a PersistentVolumeClaim|of a openshift/.test(message),
  },
  {
    rule: 'key',
    reason: 'it accepts upper case in the domain of an annotation',
    matches: (message) => /[A-Z].*\//.test(got(message)),
  },
  { rule: 'total', reason: 'it sees the parts' },
  { rule: 'quota-room', reason: 'it counts objects only as they are created' },
  { rule: 'reserved-key', reason: 'it does not know who owns a key' },
  { rule: 'metadata-key', reason: 'it does not know which program a key controls' },
  { rule: 'network-open', reason: 'it does not know the intent' },
  { rule: 'duplicate-object', reason: 'it sees one object at a time' },
  { rule: 'disruption-budget-blocks', reason: 'it does not count pods before they are evicted' },
  { rule: 'cluster-role', reason: 'it does not know classes' },
  { rule: 'role-conflict', reason: 'it sees one object at a time' },
  { rule: 'binding-conflict', reason: 'it sees one object at a time' },
  { rule: 'system-subject', reason: 'it accepts any name as a user' },
];

test('the API server accepts without a warning what validation accepts, and refuses what validation reports', async () => {
  const { admin } = given.cluster;
  await serve(admin, crdManifest(tenant));
  const namespace = await newTenantNamespace(given.cluster, 'verdicts');
  const server = new ServerVerdicts(admin);
  const seen = { fits: 0, accepted: 0, refused: 0 };
  const differences: string[] = [];
  const { seed, numRuns } = runs(600);
  const cases = fc.sample(oddTenants, { seed, numRuns });
  await mapConcurrently(cases, async ({ about, given }) => {
    const ours = ourVerdict(namespace, given);
    if (!ours) return;
    seen.fits += 1;
    seen[ours.errors.length === 0 ? 'accepted' : 'refused'] += 1;
    const found = await disagreement(ours, server, stricter);
    if (found) differences.push(`${about} ${JSON.stringify(given).slice(0, 600)}: ${found}`);
  });
  console.log({ ...seen, objects: server.asked });
  expect(differences).toEqual([]);
  expect(Math.min(seen.accepted, seen.refused)).toBeGreaterThan(numRuns / 10);
}, 3_600_000);

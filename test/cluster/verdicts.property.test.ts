import { expect } from '@jest/globals';
import fc from 'fast-check';
import { isExtendedResource } from '../../constructs/tenant/rules/quota-keys.ts';
import { crdManifest } from '../../crds/definition.ts';
import { parseQuantity } from '../../kube/quantity.ts';
import { tenant } from '../../crds/tenantry/tenant.ts';
import { abreast } from '../testing/controlplane/abreast.ts';
import { newTenantNamespace, sharedCluster } from '../testing/controlplane/shared.ts';
import { runs } from '../kube/yaml/runs.ts';
import { serve } from './crds.ts';
import { testsOfOurMinor } from './minor.ts';
import { oddTenants } from './verdicts-generated.ts';
import { disagreement, ourVerdict, ServerVerdicts, type Stricter } from './verdicts.ts';

const given = await sharedCluster();
const test = testsOfOurMinor(given.test);

const got = (message: string): string => /got '?([^']*?)'?(; did.*)?$/.exec(message)?.[1] ?? '';
const milli = parseQuantity('1m')!;

/** Where we refuse more than the API server does, and why; of every other rule it is the source. */
const stricter: readonly Stricter[] = [
  {
    rule: 'quota-key',
    reason: 'it takes any qualified name with a slash, and pages of no size; they bound nothing',
    matches: (message) => /\/|\.\.\.$|^(requests\.)?hugepages-/.test(got(message)),
  },
  {
    rule: 'quota-whole',
    reason: 'a part of a device is none; it rounds to thousandths, and miscounts from 2^63 of them',
    matches: (message) => {
      const key = /for (.*), got/s.exec(message)![1]!;
      const devices = key.includes('/') && !isExtendedResource(key);
      return devices || /up to 1P/.test(message) || parseQuantity(got(message))! % milli !== 0n;
    },
  },
  { rule: 'quantity', reason: 'it cuts some of what is above 2^63, and compares the rest' },
  {
    rule: 'quota-scope',
    reason: 'a quota of no scope, of two that exclude each other, or of what none of them counts',
    matches: (message) =>
      /have scopes or a|got both|bound [^ ]*\/[^ ]* in scope|names as values/.test(message),
  },
  {
    rule: 'limit-resource',
    reason:
      'pages have a size, of a volume claim the storage is bounded, of an image what is its own',
    matches: (message) =>
      /'(requests\.)?hugepages-|of a PersistentVolumeClaim|of a openshift/.test(message),
  },
  {
    rule: 'key',
    reason: 'it takes upper case in the domain of an annotation',
    matches: (message) => /[A-Z].*\//.test(got(message)),
  },
  { rule: 'total', reason: 'it sees the parts' },
  { rule: 'quota-room', reason: 'it counts objects as they come' },
  { rule: 'reserved-key', reason: 'it knows nothing of whose a key is' },
  { rule: 'metadata-key', reason: 'nor of whom a key is an order to' },
  { rule: 'network-open', reason: 'it knows nothing of what is meant' },
  { rule: 'duplicate-object', reason: 'it sees one object at a time' },
  { rule: 'disruption-budget-blocks', reason: 'it does not count pods before they are evicted' },
  { rule: 'cluster-role', reason: 'it knows nothing of classes' },
  { rule: 'role-conflict', reason: 'it sees one object at a time' },
  { rule: 'binding-conflict', reason: 'it sees one object at a time' },
  { rule: 'system-subject', reason: 'to it everybody is somebody' },
];

test('whatever we let through the API server takes without a word, and it refuses what we say it does', async () => {
  const { admin } = given.cluster;
  await serve(admin, crdManifest(tenant));
  const namespace = await newTenantNamespace(given.cluster, 'verdicts');
  const server = new ServerVerdicts(admin);
  const seen = { fits: 0, accepted: 0, refused: 0 };
  const differences: string[] = [];
  const { seed, numRuns } = runs(600);
  const cases = fc.sample(oddTenants, { seed, numRuns });
  await abreast(cases, async ({ about, given }) => {
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

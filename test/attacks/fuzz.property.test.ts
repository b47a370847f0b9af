import { afterAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withFleet } from '../apps/fleet.ts';
import type { Texts } from '../synth/output/folders.ts';
import { root, projectFiles } from '../structure/tracked.ts';
import { anyCase, Fleets } from './fuzz/case.ts';
import { worldNames, worldOf } from './fuzz/worlds.ts';
import { Judge, wordsOf } from './judge.ts';

const isLong = process.env['TENANTRY_LONG'] === '1';
/** A limit in milliseconds; a run ends after this time or after the number of cases. */
const time = isLong ? 600_000 : 6_000;
/** With the few cases of a slow machine the share is not checked. */
const ENOUGH = 100;

/** Every `npm test` uses the same cases, so that a failure is caused by the change; long runs use others. */
const seed = Number(process.env['FC_SEED'] ?? (isLong ? Date.now() : 20_260_101));
const judge = await Judge.ofFile();
const fleets = new Fleets();
const withJudge = judge ? test : test.skip;

afterAll(() => fleets.remove());

// A failure prints its seed and path; FC_SEED sets the seed.
withJudge(
  'whatever renders gives nobody a right, a name or a reach outside of the tenant and its class',
  async () => {
    // Worlds are rendered before the time starts.
    for (const name of worldNames) worldOf(name);
    const count = { all: 0, rendered: 0 };
    await fc.assert(
      fc.asyncProperty(anyCase, async (one) => {
        count.all++;
        const after = fleets.rendered(one);
        if (!after) return;
        count.rendered++;
        expect(wordsOf(await judge!.verdicts(worldOf(one.world), one.written, after))).toEqual([]);
      }),
      {
        seed,
        numRuns: isLong ? 200_000 : 2_500,
        interruptAfterTimeLimit: time,
      },
    );
    // Refused cases test nothing. Some 40 of 100 render; a share below 25 is no coincidence.
    if (count.all > ENOUGH) expect(count.rendered / count.all).toBeGreaterThan(1 / 4);
  },
  Math.max(time * 5, 300_000),
);

withJudge('the tenants of this repository get no more than their classes give', async () => {
  const texts = Object.fromEntries(
    projectFiles()
      .filter((path) => path.startsWith('tenants/'))
      .map((path) => [path, readFileSync(join(root, path), 'utf8')]),
  );
  const isGiven = (path: string) =>
    path.startsWith('tenants/classes/') || /\/resources\//.test(path);
  const part = (given: boolean): Texts =>
    Object.fromEntries(Object.entries(texts).filter(([path]) => isGiven(path) === given));
  const platform = readFileSync(join(root, 'tenantry.yaml'), 'utf8');
  const rendered = (files: Texts) =>
    withFleet({ 'tenantry.yaml': platform, ...files }, (fleet) => fleet.rendered());
  const world = { name: 'ours', platform, others: part(true), before: rendered(part(true)) };
  expect(wordsOf(await judge!.verdicts(world, part(false), rendered(texts)))).toEqual([]);
});

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { readDocuments } from '@tenantry/kube/yaml/read';
import { importManifests } from '../../import/import-manifests.ts';
import { readManifests } from '../../import/manifests.ts';
import { readFolder } from '../cases/fleet/imported.ts';

/**
 * Changes of a year to the namespaces of a production platform: the folder of a namespace before and after each of them,
 * with all oddities, read in place.
 */
const folder = process.env['TENANTRY_CHANGES'];

const sentence =
  'each state of 300 changed namespaces imports, and every object is equal or left out for a reason';

if (!folder) test.skip(`${sentence} [skipped: TENANTRY_CHANGES names no folder]`, () => {});
else {
  test(sentence, () => {
    const counts = { states: 0, equal: 0, broken: 0 };
    const reasons = new Set<string>();
    for (const change of readdirSync(folder)) {
      for (const side of ['before', 'after']) {
        const path = join(folder, change, side);
        if (!existsSync(path)) continue;
        counts.states += 1;
        const all = readFolder(path);
        const files = all.filter(({ text }) => readDocuments(text).problems.length === 0);
        counts.broken += all.length - files.length;
        const choices = { className: 'standard', cluster: 'live', pinned: new Map() };
        const result = importManifests(files, choices);
        if (!('proof' in result)) throw new Error(`${change}/${side} must be readable`);
        const { proof } = result;
        expect({ change, problems: proof.problems, added: proof.added }).toEqual({
          change,
          problems: [],
          added: [],
        });
        expect(proof.objects).toHaveLength(readManifests(files).objects.length);
        for (const one of proof.objects) {
          expect([change, one.verdict]).not.toEqual([change, 'different']);
          if (one.verdict === 'equal') counts.equal += 1;
          if (one.verdict === 'left-out')
            reasons.add(one.reason.replaceAll(/'[^']*'|\S+:\d+/g, '…'));
        }
      }
    }
    expect(counts).toEqual({ states: 535, equal: 4704, broken: 38 });
    expect([...reasons].toSorted()).toEqual([
      'it names no role',
      'must be a string, got 3340632 (resource-schema)',
      'the source has no Namespace …',
      '… has the same kind and name, and overwrites it',
    ]);
  });
}

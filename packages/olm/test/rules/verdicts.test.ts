import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Bundle } from '../../bundle/bundle.ts';
import { readBundle } from '../../folder/read-bundle.ts';
import { bundleRules, validateBundle } from '../../rules/validate-bundle.ts';
import { normalizeFinding, normalizeLine } from './verdict-lines.ts';

/**
 * Published bundles, read in place, each with the verdict of upstream's own validator in verdicts.json: the default
 * validators and that of OperatorHub.
 */
const folder = process.env['TENANTRY_BUNDLES'];

function bundleTest(sentence: string, body: (folder: string) => void): void {
  if (folder) test(sentence, () => body(folder));
  else test.skip(`${sentence} [skipped: TENANTRY_BUNDLES names no folder]`, () => {});
}

interface VerdictOnBundle {
  readonly bundle: string;
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

function verdictsIn(from: string): VerdictOnBundle[] {
  return JSON.parse(readFileSync(join(from, 'verdicts.json'), 'utf8')) as VerdictOnBundle[];
}

/** Rules that upstream intends to check but never does. */
const dead = new Set(bundleRules.filter((one) => one.isDeadUpstream).map(({ id }) => id));

function collectFindings(bundle: Bundle): string[] {
  const findings = validateBundle(bundle, { suite: 'operatorhub' });
  return findings.filter(({ rule }) => !dead.has(rule)).map((one) => normalizeFinding(bundle, one));
}

/** Removes duplicates: two validators report the same about the minimum version of Kubernetes. */
function once(findings: readonly string[]): string[] {
  const isTwice = (what: string): boolean => what.includes('min-kube-version');
  return findings.filter((what, i) => !isTwice(what) || findings.indexOf(what) === i).toSorted();
}

bundleTest('every line of the verdicts corresponds to a finding of a rule', (from) => {
  const lines = verdictsIn(from).flatMap(({ errors, warnings }) => [...errors, ...warnings]);
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.filter((line) => normalizeLine(line) === undefined)).toEqual([]);
});

bundleTest('every bundle has the same findings, at the same objects and fields', (from) => {
  const wrong = verdictsIn(from).flatMap(({ bundle: name, errors, warnings }) => {
    const theirs = once([...errors, ...warnings].flatMap((line) => normalizeLine(line) ?? [line]));
    const ours = once(collectFindings(readBundle(join(from, name))));
    return JSON.stringify(ours) === JSON.stringify(theirs) ? [] : [{ name, ours, theirs }];
  });
  expect(wrong).toEqual([]);
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from '@jest/globals';
import { readDocuments } from '@tenantry/kube/yaml/read';
import { testUnless } from './skipping.ts';

/** A folder of small inputs that the product once handled wrongly, each with its correct result. */
const folder = process.env['TENANTRY_TRIALS'];

/** The reason why there are none, if so. */
export const trialsReason = folder ? undefined : 'TENANTRY_TRIALS names no folder';

/** Defines a test about such inputs; it is skipped with the reason if there are none. */
export const testTrials = testUnless(trialsReason, test);

/** Reads one of the files. */
export function readTrialText(file: string): string {
  return readFileSync(join(folder ?? '', file), 'utf8');
}

/** Reads the documents of one of the files. */
export function readTrial(file: string): readonly unknown[] {
  return readDocuments(readTrialText(file)).documents.map(({ value }) => value);
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from '@jest/globals';
import { readDocuments } from '../kube/yaml/read.ts';
import { testUnless } from './skipping.ts';

/** A folder of small inputs on which the product was wrong, each with what would be right. */
const folder = process.env['TENANTRY_TRIALS'];

/** Why there are none, where that is so. */
export const trialsReason = folder ? undefined : 'TENANTRY_TRIALS names no folder';

/** A test about such inputs, skipped with its reason where there are none. */
export const testTrials = testUnless(trialsReason, test);

/** Reads one of the files. */
export function readTrialText(file: string): string {
  return readFileSync(join(folder ?? '', file), 'utf8');
}

/** Reads the documents of one of the files. */
export function readTrial(file: string): readonly unknown[] {
  return readDocuments(readTrialText(file)).documents.map(({ value }) => value);
}

import { globSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The tests that judge the mutants of a part, as one file for jest. Shared imports are then loaded only once for each
 * mutant, which takes longer than most mutants. TENANTRY_JUDGES names the tests, relative to the root, as JSON.
 */

const root = join(import.meta.dirname, '..', '..');
const judges = JSON.parse(process.env['TENANTRY_JUDGES'] ?? '[]') as string[];
for (const file of globSync(judges, { cwd: root }).toSorted()) await import(join(root, file));

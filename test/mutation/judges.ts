import { globSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The tests that judge the mutants of a part, as one file for jest: what they import is then loaded
 * once for each mutant, which takes longer than most of them. TENANTRY_JUDGES names them, from the
 * root, as JSON.
 */

const root = join(import.meta.dirname, '..', '..');
const judges = JSON.parse(process.env['TENANTRY_JUDGES'] ?? '[]') as string[];
for (const file of globSync(judges, { cwd: root }).toSorted()) await import(join(root, file));

/**
 * Writes what is derived from the sources and committed beside them: the reference pages of our
 * kinds. `--check` writes nothing and fails when one of them is not up to date.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { referencePage } from '../crds/reference.ts';
import { platform } from '../crds/tenantry/platform.ts';
import { tenant } from '../crds/tenantry/tenant.ts';
import { tenantClass } from '../crds/tenantry/tenantclass.ts';

const folder = join(import.meta.dirname, '..', 'docs', 'reference');
const check = process.argv.includes('--check');

mkdirSync(folder, { recursive: true });
for (const definition of [tenant, tenantClass, platform]) {
  const file = join(folder, `${definition.kind.toLowerCase()}.md`);
  const page = referencePage(definition);
  if (read(file) === page) continue;
  if (check) {
    console.error(`${file} must be what \`npm run gen\` writes, got something else`);
    process.exitCode = 1;
  } else {
    writeFileSync(file, page);
    console.log(`wrote ${file}`);
  }
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

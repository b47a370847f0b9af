/** Parses every YAML file below a folder, and nothing else: what any importer needs at least. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadAll } from 'js-yaml';

const [folder = '.'] = process.argv.slice(2);
let documents = 0;
for (const file of globSync('**/*.{yaml,yml}', { cwd: folder })) {
  documents += loadAll(readFileSync(join(folder, file), 'utf8')).length;
}
console.log(documents);

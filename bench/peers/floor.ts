import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow, readLists } from '../outputs.ts';
import { expression } from '../template.ts';
import type { Peer } from './peer.ts';

/** Nothing but JSON.stringify of objects that need no thought, and one file a tenant. */
export const floor: Peer = {
  name: 'floor',
  title: 'floor: JSON.stringify, write a file a tenant',
  prepare(workspace, fleet) {
    const cwd = workspace.fresh('floor');
    const program = join(cwd, 'floor.mjs');
    writeFileSync(join(cwd, 'tenants.json'), JSON.stringify(fleet));
    writeFileSync(
      program,
      `import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';\n` +
        `const [out] = process.argv.slice(2);\n` +
        `const objects = (t) => ${expression()};\n` +
        `mkdirSync(out);\n` +
        `for (const t of JSON.parse(readFileSync('tenants.json', 'utf8'))) {\n` +
        `  const list = { apiVersion: 'v1', kind: 'List', items: objects(t) };\n` +
        `  writeFileSync(out + '/' + t.name + '.json', JSON.stringify(list));\n` +
        `}\n`,
    );
    return {
      command: (out) => ({ file: process.execPath, args: [program, out], cwd }),
      count: ({ out }) => readLists(filesBelow(out, /\.json$/)).length,
      objects: ({ out }) => readLists(filesBelow(out, /\.json$/)),
    };
  },
};

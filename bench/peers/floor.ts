import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow } from '../outputs.ts';
import { expression } from '../template.ts';
import type { Workspace } from '../workspace.ts';
import type { Peer, Prepared } from './peer.ts';

/**
 * Returns a program that writes a file for each entry of `fleet.json`, with the objects that the
 * expression creates from `t`.
 */
function prepared(workspace: Workspace, fleet: readonly object[], objects: string): Prepared {
  const cwd = workspace.fresh('floor');
  const program = join(cwd, 'floor.mjs');
  writeFileSync(join(cwd, 'fleet.json'), JSON.stringify(fleet));
  writeFileSync(
    program,
    `import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';\n` +
      `const [out] = process.argv.slice(2);\n` +
      `const objects = (t) => ${objects};\n` +
      `mkdirSync(out);\n` +
      `for (const t of JSON.parse(readFileSync('fleet.json', 'utf8'))) {\n` +
      `  const list = { apiVersion: 'v1', kind: 'List', items: objects(t) };\n` +
      `  writeFileSync(out + '/' + t.name + '.json', JSON.stringify(list));\n` +
      `}\n`,
  );
  return {
    command: (out) => ({ file: process.execPath, args: [program, out], cwd }),
    output: ({ out }) => ({ format: 'json', files: filesBelow(out, /\.json$/) }),
  };
}

/** Only JSON.stringify of objects from a template, and a file for each tenant. */
export const floor: Peer = {
  name: 'floor',
  title: 'floor: JSON.stringify, write a file a tenant',
  prepare: (workspace, fleet) => prepared(workspace, fleet, expression()),
  prepareData: (workspace, fleet) => prepared(workspace, fleet, 't.objects'),
};

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow } from '../outputs.ts';
import { expression } from '../template.ts';
import type { Workspace } from '../workspace.ts';
import { IN_MEMORY, type Peer, type Prepared } from './peer.ts';

/** Returns a file for each entry of `fleet.json`, with the objects that the expression creates from `t`. */
function prepared(workspace: Workspace, fleet: readonly object[], objects: string): Prepared {
  const cwd = workspace.fresh('jsonnet');
  writeFileSync(join(cwd, 'fleet.json'), JSON.stringify(fleet));
  writeFileSync(
    join(cwd, 'main.jsonnet'),
    `local objects(t) = ${objects};\n` +
      `{ [t.name + '.json']: { apiVersion: 'v1', kind: 'List', items: objects(t) }\n` +
      `  for t in import 'fleet.json' }\n`,
  );
  return {
    command: (out) => {
      mkdirSync(out);
      return { file: 'jsonnet', args: ['-m', out, 'main.jsonnet'], cwd };
    },
    output: ({ out }) => ({ format: 'json', files: filesBelow(out, /\.json$/) }),
  };
}

/** go-jsonnet: a function of a tenant, and a file for each tenant, in JSON (its YAML is slower). */
export const jsonnet: Peer = {
  name: 'jsonnet',
  title: 'jsonnet -m (go-jsonnet)',
  needs: {
    program: 'jsonnet',
    versionArgs: ['--version'],
    version: 'v0.22.0',
    install: 'go install github.com/google/go-jsonnet/cmd/jsonnet@v0.22.0',
  },
  limit: IN_MEMORY,
  prepare: (workspace, fleet) => prepared(workspace, fleet, expression()),
  prepareData: (workspace, fleet) => prepared(workspace, fleet, 't.objects'),
};

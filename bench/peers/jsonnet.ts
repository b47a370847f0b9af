import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow, readLists } from '../outputs.ts';
import { expression } from '../template.ts';
import type { Peer } from './peer.ts';

/** go-jsonnet: a function of a tenant, and a file a tenant, in JSON (its YAML is slower). */
export const jsonnet: Peer = {
  name: 'jsonnet',
  title: 'jsonnet -m (go-jsonnet)',
  needs: {
    program: 'jsonnet',
    install: 'go install github.com/google/go-jsonnet/cmd/jsonnet@v0.22.0',
  },
  prepare(workspace, fleet) {
    const cwd = workspace.fresh('jsonnet');
    writeFileSync(join(cwd, 'tenants.json'), JSON.stringify(fleet));
    writeFileSync(
      join(cwd, 'main.jsonnet'),
      `local objects(t) = ${expression()};\n` +
        `{ [t.name + '.json']: { apiVersion: 'v1', kind: 'List', items: objects(t) }\n` +
        `  for t in import 'tenants.json' }\n`,
    );
    return {
      command: (out) => {
        mkdirSync(out);
        return { file: 'jsonnet', args: ['-m', out, 'main.jsonnet'], cwd };
      },
      count: ({ out }) => readLists(filesBelow(out, /\.json$/)).length,
      objects: ({ out }) => readLists(filesBelow(out, /\.json$/)),
    };
  },
};

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Output } from '../outputs.ts';
import { expression } from '../template.ts';
import type { Workspace } from '../workspace.ts';
import { IN_MEMORY, type Peer, type Prepared } from './peer.ts';

const exported = {
  json: ['-e', 'lists'],
  // Separate documents: `--out yaml` prints one list that kubectl cannot read, and takes longer.
  yaml: ['-e', 'yaml.MarshalStream(lists)', '--out', 'text'],
} satisfies Record<Output['format'], readonly string[]>;

/** Returns a List for each entry of `fleet.json`, with the objects that the expression creates from `t`. */
function prepared(
  workspace: Workspace,
  format: Output['format'],
  fleet: readonly object[],
  [type, objects]: readonly [type: string, objects: string],
): Prepared {
  const cwd = workspace.fresh('cue');
  writeFileSync(join(cwd, 'fleet.json'), JSON.stringify({ tenants: fleet }));
  writeFileSync(
    join(cwd, 'main.cue'),
    `package fleet\n\n#Tenant: ${type}\n\ntenants: [...#Tenant]\n\n` +
      `lists: [for t in tenants {apiVersion: "v1", kind: "List", items: ${objects}}]\n`,
  );
  const args = ['export', 'main.cue', 'fleet.json', ...exported[format]];
  return {
    command: () => ({ file: 'cue', args, cwd }),
    output: ({ stdout }) => ({ format, files: [stdout] }),
  };
}

/**
 * A comprehension over tenants of a closed type, with a List for each tenant: faster than one List of
 * all.
 */
function cue(format: Output['format'], name: string): Peer {
  const objects = expression((field) => `\\(t.${field})`);
  return {
    name,
    title: `cue export, ${format.toUpperCase()}`,
    needs: {
      program: 'cue',
      versionArgs: ['version'],
      version: 'v0.17.1',
      install: 'go install cuelang.org/go/cmd/cue@v0.17.1',
    },
    limit: IN_MEMORY,
    prepare: (workspace, fleet) =>
      prepared(workspace, format, fleet, [
        '{name: string, pods: int, cpu: string, memory: string}',
        objects,
      ]),
    prepareData: (workspace, fleet) =>
      prepared(workspace, format, fleet, ['{name: string, objects: [...]}', 't.objects']),
  };
}

export const cueJson: Peer = cue('json', 'cue');
export const cueYaml: Peer = cue('yaml', 'cue-yaml');

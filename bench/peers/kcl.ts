import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Output } from '../outputs.ts';
import { expression } from '../template.ts';
import type { Workspace } from '../workspace.ts';
import { IN_MEMORY, type Peer, type Prepared } from './peer.ts';

const VERSION = '0.13.2';

const VERSION_OF =
  'import kcl_lib, importlib.metadata; print("kcl_lib", importlib.metadata.version("kcl_lib"))';

/** Does the same as `kcl run main.k --format ...`, with the language's own package for Python. */
const run = (format: Output['format']) => `import sys
from kcl_lib import api

args = api.ExecProgramArgs(k_filename_list=["main.k"], format="${format}")
result = api.API().exec_program(args)
if result.err_message:
    sys.exit(result.err_message)
sys.stdout.write(result.${format}_result)
`;

/** Returns a List of all objects that the expression creates from each entry `t` of `fleet.json`. */
function prepared(
  workspace: Workspace,
  format: Output['format'],
  fleet: readonly object[],
  [fields, objects]: readonly [fields: string, objects: string],
): Prepared {
  const cwd = workspace.fresh('kcl');
  writeFileSync(join(cwd, 'fleet.json'), JSON.stringify(fleet));
  writeFileSync(join(cwd, 'run.py'), run(format));
  writeFileSync(
    join(cwd, 'main.k'),
    `import file\nimport json\n\nschema Tenant:\n${fields}\n` +
      `_tenants: [Tenant] = json.decode(file.read("fleet.json"))\n\n` +
      `_objects = lambda t: Tenant -> [any] {\n    ${objects}\n}\n\n` +
      `apiVersion = "v1"\nkind = "List"\n` +
      `items = [object for t in _tenants for object in _objects(t)]\n`,
  );
  return {
    command: () => ({ file: 'python3', args: ['run.py'], cwd }),
    output: ({ stdout }) => ({ format, files: [stdout] }),
  };
}

/** A schema of a tenant, a function of it, and a comprehension over all: one List. */
function kcl(format: Output['format'], name: string): Peer {
  const objects = expression((field) => `\${t.${field}}`);
  return {
    name,
    title: `KCL (kcl_lib in Python), ${format.toUpperCase()}`,
    needs: {
      program: 'python3',
      versionArgs: ['-c', VERSION_OF],
      version: `kcl_lib ${VERSION}`,
      install: `python3 -m venv ~/kcl && ~/kcl/bin/pip install kcl_lib==${VERSION}`,
    },
    limit: IN_MEMORY,
    prepare: (workspace, fleet) =>
      prepared(workspace, format, fleet, [
        '    name: str\n    pods: int\n    cpu: str\n    memory: str\n',
        objects,
      ]),
    prepareData: (workspace, fleet) =>
      prepared(workspace, format, fleet, ['    name: str\n    objects: [any]\n', 't.objects']),
  };
}

export const kclJson: Peer = kcl('json', 'kcl');
export const kclYaml: Peer = kcl('yaml', 'kcl-yaml');

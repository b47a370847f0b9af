import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KubeObject } from '@tenantry/kube/object';
import { emitYaml } from '@tenantry/kube/yaml/write';
import type { Member } from '../fleet.ts';
import { markedPaths, objectsOf, template } from '../template.ts';
import type { Peer } from './peer.ts';

const header = { apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization' };
const OWNER = 'tenantry.dev/tenant';

/**
 * A base with the objects of a namespace, an overlay for each tenant, and a root with all overlays. An
 * overlay has a namespace, a label, and a patch for each object with more differences. The Tenants
 * themselves are resources of the root, because they have nothing in common.
 */
export const kustomize: Peer = {
  name: 'kustomize',
  title: 'kubectl kustomize, an overlay a tenant',
  needs: {
    program: 'kubectl',
    versionArgs: ['version', '--client'],
    version: 'Kustomize Version: v5',
    install: 'apt-get install kubectl',
  },
  limit: { size: 500, reason: 'its time grows with the square of the tenants' },
  prepare(workspace, fleet) {
    const cwd = workspace.fresh('kustomize');
    mkdirSync(join(cwd, 'base'));
    mkdirSync(join(cwd, 'tenants'));
    const [, ...base] = template();
    writeFileSync(join(cwd, 'base', 'objects.yaml'), emitYaml(base));
    write(join(cwd, 'base'), { resources: ['objects.yaml'] });
    for (const member of fleet) writeOverlay(cwd, member);
    const tenants = fleet.map((member) => objectsOf(member)[0]!);
    writeFileSync(join(cwd, 'tenants.yaml'), emitYaml(tenants));
    write(cwd, { resources: ['tenants.yaml', ...fleet.map(({ name }) => `tenants/${name}`)] });
    return {
      command: () => ({ file: 'kubectl', args: ['kustomize', '.'], cwd }),
      output: ({ stdout }) => ({ format: 'yaml', files: [stdout] }),
    };
  },
};

function writeOverlay(root: string, member: Member): void {
  const folder = join(root, 'tenants', member.name);
  mkdirSync(folder);
  const [, ...base] = template();
  const [, ...own] = objectsOf(member);
  write(folder, {
    resources: ['../../base'],
    namespace: member.name,
    labels: [{ pairs: { [OWNER]: member.name } }],
    patches: base.flatMap((object, i) => patchOf(object, own[i]!)),
  });
}

/** Returns the difference that the namespace and the label of an overlay do not produce. */
function patchOf(object: KubeObject, own: KubeObject): object[] {
  const operations = markedPaths(object)
    .filter((path) => !/^\/metadata\/(name|namespace|labels\/tenantry\.dev~1tenant)$/.test(path))
    .map((path) => ({ op: 'replace', path, value: valueAt(own, path) }));
  if (operations.length === 0) return [];
  const target = { kind: object.kind, name: object.metadata.name };
  return [{ target, patch: JSON.stringify(operations) }];
}

function valueAt(object: unknown, path: string): unknown {
  const keys = path.slice(1).split('/');
  return keys.reduce<unknown>(
    (value, key) =>
      (value as Record<string, unknown>)[key.replaceAll('~1', '/').replaceAll('~0', '~')],
    object,
  );
}

function write(folder: string, fields: object): void {
  writeFileSync(join(folder, 'kustomization.yaml'), JSON.stringify({ ...header, ...fields }));
}

import type { KnownDefinition } from '../../model/declaration.ts';
import { builtinFields } from '@tenantry/kube/builtin-fields';
import { groupOf, type KubeObject } from '@tenantry/kube/object';
import type { OwnCluster } from '@tenantry/testing/test/controlplane/lender';
import type { Body } from '@tenantry/testing/controlplane/objects';
import { formatFinding } from '@tenantry/kube/finding';
import { readDocuments } from '@tenantry/kube/yaml/read';
import { emitYaml } from '@tenantry/kube/yaml/write';
import { desiredOf } from '../constructs/given.ts';
import type { Pair } from './comparison.ts';

/** The namespace of the tenant that has the objects. */
export const NAMESPACE = 'acme';

/** Returns the object as a reader of the output parses it, or the reason why such a file cannot be written. */
function asWritten(object: KubeObject): KubeObject | string {
  const { documents, problems } = readDocuments(emitYaml([object], { canonical: true }));
  return (
    (documents[0]?.value as KubeObject | undefined) ??
    problems.map(({ message }) => message).join('; ')
  );
}

/** Renders an object as part of a tenant's `resources`, or returns the reason why the rules refuse it. */
export function renderedOf(
  manifest: object,
  definitions: readonly KnownDefinition[],
): KubeObject | string {
  const { apiVersion, kind } = manifest as KubeObject;
  const group = groupOf(apiVersion);
  const kinds = [{ group, kind, scope: 'Namespaced' as const }];
  const { namespaces, findings } = desiredOf({
    tenant: { resources: [{ manifest: manifest as never }] },
    platform: builtinFields(`${apiVersion}/${kind}`) ? {} : { kinds },
    definitions,
  });
  const wrong = findings.filter(({ severity }) => severity === 'error');
  if (wrong.length > 0) return wrong.map(formatFinding).join('; ');
  const { name } = (manifest as KubeObject).metadata;
  const { objects } = namespaces[0]!;
  return asWritten(objects.find((one) => one.kind === kind && one.metadata.name === name)!);
}

/** Returns the stored object after a sync; undefined if the API server rejects it. */
async function synced(cluster: OwnCluster, object: object): Promise<Body | undefined> {
  const options = { fieldManager: 'argocd-controller', force: true } as const;
  const { status, body } = await cluster.admin.apply(object as Body, options);
  return status < 300 ? body : undefined;
}

/** A pair of objects, and the situation in which they are compared. */
export interface Asked extends Pair {
  readonly what: 'applied' | 'to be applied' | 'applied over another' | 'applied again';
}

/**
 * Applies objects one after another under one name, each of them twice, and returns the pairs that Argo CD would
 * compare. A list or mapping that becomes empty disappears at the first apply, with its parent field, and exists after
 * the second.
 */
export async function lifeOf(
  cluster: OwnCluster,
  objects: readonly KubeObject[],
): Promise<Asked[]> {
  const asked: Asked[] = [];
  let live: Body | undefined;
  for (const config of objects) {
    if (live) asked.push({ config, live, what: 'to be applied' });
    const stored = await synced(cluster, config);
    if (!stored) continue;
    asked.push({ config, live: stored, what: live ? 'applied over another' : 'applied' });
    live = (await synced(cluster, config)) ?? stored;
    asked.push({ config, live, what: 'applied again' });
  }
  return asked;
}

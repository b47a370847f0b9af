import { listPages, type Client } from '../../runtime/client/client.ts';
import { ApiError } from '../../runtime/errors/api-error.ts';
import { ifGone } from '../../runtime/errors/expected.ts';
import { CustomResourceDefinition } from '../../runtime/kinds/apiextensions.ts';
import { resourceOf, type Kind, type Live, type ObjectName } from '../../runtime/kinds/kind.ts';
import { customKindOf, DEFINITION, servedKind, type CustomKind } from '../objects/custom-kinds.ts';
import type { NamedObject } from '../objects/placed.ts';
import { namespacedKinds } from '../objects/namespaced-kinds.ts';
import type { Contents, FoundObject, Instances, Survey } from './survey.ts';

/**
 * Surveys which objects of manifests the cluster has, and what their deletion would delete. It
 * changes nothing.
 */
export async function surveyObjects(
  client: Client,
  manifests: readonly NamedObject[],
): Promise<Survey> {
  const objects: FoundObject[] = [];
  const absent: NamedObject[] = [];
  for (const { kind, name } of manifests) {
    const live = await client.get(kind, name).catch(ifGone);
    if (live) objects.push({ kind, name, metadata: live.metadata });
    else absent.push({ kind, name });
  }
  const instances = new Map<string, Instances>();
  const contents = new Map<string, Contents>();
  for (const { kind, name } of objects) {
    if (kind.kind === DEFINITION) instances.set(name.name, await instancesOf(client, name));
  }
  const namespaces = objects.filter(({ kind }) => kind.kind === 'Namespace' && kind.group === '');
  const custom = namespaces.length > 0 ? await customKinds(client) : [];
  for (const { name } of namespaces) {
    contents.set(name.name, await contentsOf(client, name.name, custom));
  }
  return { objects, absent, instances, contents };
}

/** Reads the kinds that the definitions of the cluster serve. */
export async function customKinds(client: Client): Promise<readonly CustomKind[]> {
  const kinds: CustomKind[] = [];
  for await (const { items } of listPages(client, CustomResourceDefinition, { limit: 50 })) {
    kinds.push(...items.map(customKindOf).filter((one) => one !== undefined));
  }
  return kinds;
}

async function instancesOf(client: Client, name: ObjectName): Promise<Instances> {
  const definition = await client.get(CustomResourceDefinition, name).catch(ifGone);
  const custom = definition && customKindOf(definition);
  const kind = custom && servedKind(custom);
  if (!kind) return { kind: undefined, found: [] };
  try {
    return { kind, found: await allOf(client, kind) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { kind, found: [], unknown: error.message };
  }
}

async function contentsOf(
  client: Client,
  namespace: string,
  custom: readonly CustomKind[],
): Promise<Contents> {
  const own = custom
    .filter(({ scope }) => scope === 'Namespaced')
    .map(servedKind)
    .filter((kind) => kind !== undefined);
  const found: FoundObject[] = [];
  const unknown: string[] = [];
  for (const kind of [...namespacedKinds, ...own]) {
    try {
      found.push(...(await allOf(client, kind, namespace)));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // A kind of another minor version of Kubernetes.
      if (!error.isNotFound) unknown.push(`${resourceOf(kind)}: ${error.message}`);
    }
  }
  return { found, unknown };
}

/** Lists all objects of a kind with their identity and owners. */
export async function allOf(
  client: Client,
  kind: Kind,
  namespace?: string,
): Promise<FoundObject[]> {
  const found: FoundObject[] = [];
  for await (const { items } of listPages(client, kind, { namespace, metadataOnly: true })) {
    found.push(...items.map(({ metadata }) => ({ kind, name: nameOf(metadata), metadata })));
  }
  return found;
}

function nameOf({ name, namespace }: Live['metadata']): ObjectName {
  return { name, namespace };
}

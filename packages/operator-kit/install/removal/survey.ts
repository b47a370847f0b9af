import {
  resourceOf,
  type Kind,
  type ObjectMeta,
  type Live,
  type ObjectName,
} from '@tenantry/runtime/kinds/kind';
import { listPages, type Client } from '@tenantry/runtime/client/client';
import { ApiError } from '@tenantry/runtime/errors/api-error';
import { ifGone } from '@tenantry/runtime/errors/reaction';
import { CustomResourceDefinition } from '@tenantry/runtime/kinds/apiextensions';
import { isNonPersisted } from '@tenantry/kube/builtin-kinds';
import * as apps from '@tenantry/runtime/kinds/apps';
import * as autoscaling from '@tenantry/runtime/kinds/autoscaling';
import * as batch from '@tenantry/runtime/kinds/batch';
import * as coordination from '@tenantry/runtime/kinds/coordination';
import * as core from '@tenantry/runtime/kinds/core';
import * as discovery from '@tenantry/runtime/kinds/discovery';
import * as networking from '@tenantry/runtime/kinds/networking';
import * as policy from '@tenantry/runtime/kinds/policy';
import * as rbac from '@tenantry/runtime/kinds/rbac';
import * as storage from '@tenantry/runtime/kinds/storage';
import {
  readCustomKind,
  DEFINITION,
  servedKind,
  type NamedObject,
  type CustomKind,
} from '../objects/placed-objects.ts';

/** An object that the cluster has. */
export interface FoundObject extends NamedObject {
  readonly metadata: ObjectMeta;
}

/** The objects of manifests in a cluster, and what their deletion would delete. */
export interface Survey {
  /** In the order of the manifests. */
  readonly objects: readonly FoundObject[];
  /** The objects that the cluster lacks. */
  readonly absent: readonly NamedObject[];
  /** The objects of each definition, by its name. */
  readonly instances: ReadonlyMap<string, Instances>;
  /** The content of each namespace, by its name. */
  readonly contents: ReadonlyMap<string, Contents>;
}

/** The objects of a definition. */
interface Instances {
  /** Undefined if no version of the definition is served. */
  readonly kind: Kind | undefined;
  readonly found: readonly FoundObject[];
  /** The reason why the objects are unknown. */
  readonly unknown?: string;
}

/** The content of a namespace. */
interface Contents {
  readonly found: readonly FoundObject[];
  /** Kinds that could not be listed, so that the namespace may hold foreign objects. */
  readonly unknown: readonly string[];
}

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
    if (kind.kind === DEFINITION) instances.set(name.name, await readInstances(client, name));
  }
  const namespaces = objects.filter(({ kind }) => kind.kind === 'Namespace' && kind.group === '');
  const custom = namespaces.length > 0 ? await customKinds(client) : [];
  for (const { name } of namespaces) {
    contents.set(name.name, await readContents(client, name.name, custom));
  }
  return { objects, absent, instances, contents };
}

/** Reads the kinds that the definitions of the cluster serve. */
export async function customKinds(client: Client): Promise<readonly CustomKind[]> {
  const kinds: CustomKind[] = [];
  for await (const { items } of listPages(client, CustomResourceDefinition, { limit: 50 })) {
    kinds.push(...items.map(readCustomKind).filter((one) => one !== undefined));
  }
  return kinds;
}

async function readInstances(client: Client, name: ObjectName): Promise<Instances> {
  const definition = await client.get(CustomResourceDefinition, name).catch(ifGone);
  const custom = definition && readCustomKind(definition);
  const kind = custom && servedKind(custom);
  if (!kind) return { kind: undefined, found: [] };
  try {
    return { kind, found: await listObjects(client, kind) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { kind, found: [], unknown: error.message };
  }
}

async function readContents(
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
      found.push(...(await listObjects(client, kind, namespace)));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // A kind of another minor version of Kubernetes.
      if (!error.isNotFound) unknown.push(`${resourceOf(kind)}: ${error.message}`);
    }
  }
  return { found, unknown };
}

/** Lists all objects of a kind with their identity and owners. */
async function listObjects(client: Client, kind: Kind, namespace?: string): Promise<FoundObject[]> {
  const found: FoundObject[] = [];
  for await (const { items } of listPages(client, kind, { namespace, metadataOnly: true })) {
    found.push(...items.map(({ metadata }) => ({ kind, name: nameOf(metadata), metadata })));
  }
  return found;
}

/** Returns the name and the namespace of an object. */
export function nameOf({ name, namespace }: Live['metadata']): ObjectName {
  return { name, namespace };
}

const groups = [
  core,
  apps,
  autoscaling,
  batch,
  coordination,
  discovery,
  networking,
  policy,
  rbac,
  storage,
];

/** The built-in kinds whose objects are namespaced and stored. */
const namespacedKinds: readonly Kind[] = groups
  .flatMap((group) => Object.values(group) as readonly unknown[])
  .filter(isKind)
  .filter(({ scope, group, kind }) => scope === 'Namespaced' && !isNonPersisted(group, kind));

function isKind(value: unknown): value is Kind {
  return typeof value === 'object' && value !== null && 'plural' in value;
}

import { errorAt, toProblem } from '@tenantry/kube/finding';
import { formatList, type Problem } from '@tenantry/kube/problem';
import { keyOf, resourceOf } from '@tenantry/runtime/kinds/kind';
import {
  DEFINITION,
  identityOf,
  formatObjectName,
  type NamedObject,
} from '../objects/placed-objects.ts';
import { findKeepReason } from '../objects/ownership.ts';
import type { FoundObject, Survey } from './survey.ts';

interface RemovalOptions {
  /** Also deletes all objects of the definitions. @default false */
  readonly deleteObjects?: boolean;
  /** Keeps definitions and their objects. @default false */
  readonly keepDefinitions?: boolean;
  /** Keeps Namespaces. @default false */
  readonly keepNamespaces?: boolean;
}

/** An object that is kept, and the reason. */
export interface RetainedObject {
  readonly named: NamedObject;
  readonly because: string;
}

/** The objects to delete, before anything is deleted. */
export interface RemovalPlan {
  /** The objects to delete, in the order of the manifests. */
  readonly going: readonly FoundObject[];
  /** The objects of deleted definitions, by the name of the definition. They are deleted first. */
  readonly instances: ReadonlyMap<string, readonly FoundObject[]>;
  /** The resources of all definitions in the manifests, deleted or kept. */
  readonly defined: ReadonlySet<string>;
  readonly staying: readonly RetainedObject[];
  readonly absent: readonly NamedObject[];
  /** Reasons not to delete anything. */
  readonly refusals: readonly Problem[];
  /** The survey that the plan is based on. */
  readonly survey: Survey;
  /** True if all objects of the definitions are deleted, including those created later. */
  readonly deleteObjects: boolean;
}

/**
 * Plans the deletion of the deployed objects in the manifests. Objects that others apply, own or
 * created before are kept. Definitions with objects, and Namespaces with objects of others, are
 * refused.
 */
export function planRemoval(survey: Survey, options: RemovalOptions = {}): RemovalPlan {
  const { deleteObjects = false, keepDefinitions = false, keepNamespaces = false } = options;
  const going: FoundObject[] = [];
  const staying: RetainedObject[] = [];
  for (const found of survey.objects) {
    const because =
      (keepDefinitions && found.kind.kind === DEFINITION) || (keepNamespaces && isNamespace(found))
        ? 'it is to be kept'
        : findKeepReason(found.metadata);
    if (because === undefined) going.push(found);
    else staying.push({ named: found, because });
  }
  const gone = new Set(going.map(identityOf));
  const definitions = going.filter(({ kind }) => kind.kind === DEFINITION);
  const instances = new Map(
    definitions.map(({ name }) => [name.name, survey.instances.get(name.name)?.found ?? []]),
  );
  const kinds = goingKinds(going, survey);
  const refusals = [
    ...definitions.flatMap((one) => definitionRefusals(one, survey, gone, { deleteObjects })),
    ...going.filter(isNamespace).flatMap((one) => {
      const { found = [], unknown = [] } = survey.contents.get(one.name.name) ?? {};
      return namespaceRefusals(one, findForeignObjects(found, gone, kinds), unknown);
    }),
  ].map(problemFor);
  const defined = [...survey.instances.values()].flatMap(({ kind }) => kind ?? []);
  return {
    going,
    instances,
    defined: new Set(defined.map(resourceOf)),
    staying,
    absent: survey.absent,
    refusals,
    survey,
    deleteObjects,
  };
}

/**
 * Returns the objections to deleting definitions and Namespaces, from a second survey right before
 * the deletion. Objects may have been created since, during the confirmation or while an operator
 * stopped.
 */
export function findObjections(removal: RemovalPlan, now: Survey): readonly Problem[] {
  const { going, survey, deleteObjects } = removal;
  const gone = new Set(going.map(identityOf));
  const kinds = goingKinds(going, survey);
  return now.objects
    .flatMap((one) => {
      // The objects of the first survey are deleted by now.
      if (!isNamespace(one)) return definitionRefusals(one, now, new Set(), { deleteObjects });
      const { found = [], unknown = [] } = now.contents.get(one.name.name) ?? {};
      const before = survey.contents.get(one.name.name)?.found ?? [];
      const known = new Set(before.map(({ metadata }) => metadata.uid));
      const since = found.filter(({ metadata }) => !known.has(metadata.uid));
      const foreign = findForeignObjects([...before, ...since], gone, kinds);
      return namespaceRefusals(
        one,
        foreign.filter((other) => since.includes(other)),
        unknown,
      );
    })
    .map(problemFor);
}

function goingKinds(going: readonly FoundObject[], { instances }: Survey): ReadonlySet<string> {
  const definitions = going.filter(({ kind }) => kind.kind === DEFINITION);
  const kinds = definitions.flatMap(({ name }) => instances.get(name.name)?.kind ?? []);
  return new Set(kinds.map(resourceOf));
}

function problemFor(message: string): Problem {
  return toProblem(errorAt([], message, 'removal'), {});
}

/** Explains why a definition cannot be deleted. */
export function definitionRefusals(
  { name }: FoundObject,
  { instances }: Survey,
  gone: ReadonlySet<string>,
  { deleteObjects }: { readonly deleteObjects: boolean },
): readonly string[] {
  const { found = [], unknown } = instances.get(name.name) ?? {};
  if (unknown !== undefined) {
    return [`${name.name} must be known to have no objects, got: ${unknown}`];
  }
  const others = found.filter((one) => !gone.has(identityOf(one)));
  if (others.length === 0 || deleteObjects) return [];
  const names = formatList(others.map((one) => keyOf(one.name)));
  return [
    `${name.name} must have no objects, got ${others.length} (${names}), which would be deleted with it: give --delete-objects to delete them`,
  ];
}

function namespaceRefusals(
  { name }: FoundObject,
  foreign: readonly FoundObject[],
  unknown: readonly string[],
): readonly string[] {
  const where = `Namespace ${name.name}`;
  if (foreign.length > 0) {
    const names = formatList(foreign.map((one) => `${one.kind.kind} ${one.name.name}`));
    return [
      `${where} must hold nothing of others, got ${foreign.length} (${names}), which would be deleted with it: move them, or give --keep-namespaces`,
    ];
  }
  if (unknown.length === 0) return [];
  return [`${where} must be known to hold nothing of others, got: ${unknown.join('; ')}`];
}

export function isNamespace({ kind }: NamedObject): boolean {
  return kind.kind === 'Namespace' && kind.group === '';
}

/** Lists what is deleted, one line each, with the number of objects of each definition. */
export function removalLines({ going, instances }: RemovalPlan): readonly string[] {
  return going.map((found) => {
    const own = instances.get(found.name.name);
    if (found.kind.kind !== DEFINITION || !own) return formatObjectName(found);
    const count = own.length === 0 ? 'no objects' : `all of its ${own.length} objects`;
    return `${formatObjectName(found)} with ${count}`;
  });
}

/** Kinds of objects that Kubernetes itself creates in every namespace, or records about other objects. */
const passing: ReadonlySet<string> = new Set([
  'events',
  'events.events.k8s.io',
  'endpoints',
  'endpointslices.discovery.k8s.io',
  'leases.coordination.k8s.io',
  'controllerrevisions.apps',
]);

const everywhere: ReadonlySet<string> = new Set([
  'serviceaccounts default',
  'configmaps kube-root-ca.crt',
  'configmaps openshift-service-ca.crt',
]);

/** The annotation of a token that names its account. */
const TOKEN_OF = 'kubernetes.io/service-account.name';

/**
 * Finds the foreign objects of a namespace: not deployed, not created by Kubernetes in every
 * namespace, not owned by deleted objects.
 * @param going the deleted objects, by `identityOf`
 * @param kinds resources of which all objects are deleted
 */
function findForeignObjects(
  contents: readonly FoundObject[],
  going: ReadonlySet<string>,
  kinds: ReadonlySet<string>,
): readonly FoundObject[] {
  const here = new Map(contents.map((found) => [found.metadata.uid, found]));
  const isForeign = (found: FoundObject, seen: ReadonlySet<string> = new Set()): boolean => {
    const { kind, name, metadata } = found;
    const resource = resourceOf(kind);
    if (going.has(identityOf(found)) || kinds.has(resource) || passing.has(resource)) return false;
    if (everywhere.has(`${resource} ${name.name}`)) return false;
    if (resource === 'secrets' && metadata.annotations?.[TOKEN_OF] !== undefined) return false;
    const { ownerReferences = [] } = metadata;
    // Kubernetes deletes it when all of its owners are deleted.
    return !(
      ownerReferences.length > 0 &&
      ownerReferences.every(({ uid }) => {
        const owner = here.get(uid);
        return owner && !seen.has(uid) && !isForeign(owner, new Set([...seen, uid]));
      })
    );
  };
  return contents.filter((found) => isForeign(found));
}

import { dirname } from 'node:path';
import { groupOf, identityOf, type KubeObject } from '@tenantry/kube/object';
import type { Problem } from '@tenantry/kube/problem';
import type { BindingObject, Subject } from '../access.ts';
import { diffObjects } from '../diff-objects.ts';
import type { FoundObject } from '../manifests.ts';
import { IN_CLUSTER } from '../../model/argocd-names.ts';
import { findFolderNamespaces, type LeftOut } from '../namespaces.ts';
import { argocd } from './argocd/projects.ts';
import { capsule } from './capsule/capsule.ts';
import { flux } from './flux.ts';
import { hnc } from './hnc/hnc.ts';
import { openshift } from './openshift/openshift.ts';
import { rancher } from './rancher/rancher.ts';
import { rbacManager } from './rbac-manager.ts';
import { sortObjects } from './sorted-objects.ts';
import type { FieldOutcome, SystemObject } from './system-object.ts';
import type { SourceCluster, TenancySystem } from './tenancy-system.ts';
import { renamedKinds, Translation, type ExplainedObject } from './translation.ts';
import type { Bookkeeping, TenantSetting } from './translated-parts.ts';

/** The tenancy systems whose objects an import translates. */
export const tenancySystems: readonly TenancySystem[] = [
  openshift,
  hnc,
  rancher,
  capsule,
  rbacManager,
  flux,
  argocd,
];

/** An object of another system, and what became of its fields. */
export interface TranslatedObject {
  readonly system: string;
  readonly found: FoundObject;
  readonly fields: readonly FieldOutcome[];
}

/** The objects of a source after the translation of tenancy systems. */
export interface TranslatedSource {
  /** All objects to import: those of the source, and those that controllers make of the systems' objects. */
  readonly objects: readonly FoundObject[];
  /** Of `objects`, those that the source does not have. */
  readonly derived: ReadonlySet<FoundObject>;
  /** Objects that the translation explains. Their effect is in `derived`, or they need an acceptance. */
  readonly made: readonly LeftOut[];
  /** The tenants of namespaces. */
  readonly tenants: ReadonlyMap<string, string>;
  readonly settings: readonly TenantSetting[];
  readonly bookkeeping: readonly Bookkeeping[];
  /** What the systems say twice and differently, for people. */
  readonly notes: readonly string[];
  /** Errors in objects of the systems; with any, the translation is incomplete. */
  readonly problems: readonly Problem[];
  /** Lists what became of the objects of the systems. It includes what was recorded after the translation. */
  listTranslated(): readonly TranslatedObject[];
}

/**
 * Translates the objects of other tenancy systems into what their controllers make of them. Every field of such an
 * object gets an outcome.
 */
export function translateSystems(
  found: readonly FoundObject[],
  systems: readonly TenancySystem[] = tenancySystems,
  clusters: readonly SourceCluster[] = [{ name: IN_CLUSTER }],
): TranslatedSource {
  const sorted = sortObjects(found, systems);
  const { valid, namespaces, objects } = sorted;
  const problems = [...sorted.problems];
  const translation = new Translation();
  const folders = findFolderNamespaces(found);
  const namespaceOf = ({ object, file }: FoundObject): string | undefined =>
    object.metadata.namespace ?? (file === undefined ? undefined : folders.get(dirname(file)));
  for (const system of systems) {
    const own = valid.flatMap((one) => (one.system === system ? [one.object] : []));
    const objectsOf = <Content>(kind: string) =>
      own.filter(({ found: { object } }) => object.kind === kind) as SystemObject<Content>[];
    const added = translation.namespaces.map((one) => translation.applyKeys(one));
    const all = [...namespaces, ...added];
    system.translate({ clusters, objectsOf, namespaces: all, objects, namespaceOf }, translation);
  }
  // Most sources have nothing to translate.
  let existing: ReadonlySet<string> | undefined;
  const derived = translation.buildObjects((object) => {
    existing ??= listWritten(objects, systems, namespaceOf);
    return existing.has(identityOf(object));
  });
  problems.push(...translation.problems);
  const newNamespaces = translation.namespaces.map((one) => translation.applyKeys(one));
  const made = listMade(objects, derived, systems, translation.explained);
  const gone = new Set(made.map((one) => one.found));
  return {
    objects: [
      ...namespaces.filter((one) => !gone.has(one)).map((one) => translation.applyKeys(one)),
      ...newNamespaces,
      ...objects.flatMap((one) => (gone.has(one) ? [] : (translation.replaced.get(one) ?? one))),
      ...derived,
    ],
    derived: new Set([...newNamespaces, ...derived]),
    made,
    tenants: translation.tenants,
    settings: translation.settings,
    bookkeeping: translation.bookkeeping,
    notes: translation.notes,
    problems,
    listTranslated: () =>
      valid.flatMap(({ system, object }) =>
        translation.explained.has(object.found)
          ? []
          : { system: system.name, found: object.found, fields: object.listOutcomes() },
      ),
  };
}

/** Returns the identities of the objects that no controller of a system made. */
function listWritten(
  objects: readonly FoundObject[],
  systems: readonly TenancySystem[],
  namespaceOf: (found: FoundObject) => string | undefined,
): ReadonlySet<string> {
  const isMade = ({ object }: FoundObject): boolean =>
    systems.some((system) => system.isMade?.(object));
  const written = objects.filter((one) => !isMade(one));
  return new Set(
    written.map((one) => {
      const namespace = namespaceOf(one);
      const metadata = { ...one.object.metadata, ...(namespace !== undefined && { namespace }) };
      return identityOf({ ...one.object, metadata });
    }),
  );
}

/** Lists the objects that a translation explains, and those that the controllers of systems made. */
function listMade(
  objects: readonly FoundObject[],
  derived: readonly FoundObject[],
  systems: readonly TenancySystem[],
  explained: ReadonlyMap<FoundObject, ExplainedObject>,
): LeftOut[] {
  const byNamespace = Map.groupBy(derived, ({ object }) => object.metadata.namespace);
  const stated = [...explained].map(([found, { reason, isMade }]): LeftOut =>
    isMade ? { found, reason, made: { reason, summary: reason } } : { found, reason },
  );
  const others = objects.flatMap((found): LeftOut[] => {
    if (explained.has(found)) return [];
    const maker = systems.find((system) => system.isMade?.(found.object));
    if (!maker) return [];
    const own = byNamespace.get(found.object.metadata.namespace) ?? [];
    const same = own.find(({ object }) => covers(object, found.object));
    if (!same) {
      const message = `${maker.name} made it, and no object of ${maker.name} in the source explains it`;
      return [{ found, reason: message }];
    }
    const made = `${maker.name} makes it; ${same.object.metadata.name} has its effect`;
    return [{ found, reason: made, made: { reason: made, summary: `${maker.name} makes it` } }];
  });
  return [...stated, ...others];
}

/** Whether an object has all the effect of another one of its kind. */
function covers(own: KubeObject, made: KubeObject): boolean {
  if (own.kind !== made.kind || groupOf(own.apiVersion) !== groupOf(made.apiVersion)) return false;
  if (own.kind === 'RoleBinding') {
    const [a, b] = [own, made] as [BindingObject, BindingObject];
    const isSameRole = a.roleRef.kind === b.roleRef?.kind && a.roleRef.name === b.roleRef.name;
    const subjects = Array.isArray(b.subjects) ? b.subjects : [];
    const namespace = made.metadata.namespace;
    const same = (one: Subject, other: Subject): boolean =>
      one.kind === other.kind &&
      one.name === other.name &&
      (one.kind !== 'ServiceAccount' ||
        (one.namespace ?? namespace) === (other.namespace ?? namespace));
    return isSameRole && subjects.every((one) => a.subjects?.some((other) => same(one, other)));
  }
  if (!renamedKinds.has(own.kind) && own.metadata.name !== made.metadata.name) return false;
  return diffObjects(made, own).every(({ path }) => path[0] === 'metadata');
}

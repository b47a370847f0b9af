import { A_DNS_LABEL, isDnsLabel } from '@tenantry/kube/names';
import type { KubeObject } from '@tenantry/kube/object';
import { show, type Problem } from '@tenantry/kube/problem';
import { emitYaml } from '@tenantry/kube/yaml/write';
import { RBAC_GROUP, resolveBindingName } from '../../model/layers/grants.ts';
import type { Subject } from '../access.ts';
import { isEqual } from '../counting.ts';
import type { FoundObject } from '../manifests.ts';
import type { SystemObject } from './system-object.ts';
import type { Bookkeeping, RoleRef, TenantSetting } from './translated-parts.ts';

/** Kinds to whose objects others do not refer by name. */
export const renamedKinds: ReadonlySet<string> = new Set([
  'RoleBinding',
  'ResourceQuota',
  'LimitRange',
  'NetworkPolicy',
]);

/**
 * An object without its namespace. If the namespace has another object of that name, its name is changed, provided that
 * no other object can refer to it. Otherwise it is left out, and a Role is an error.
 */
export type NewObject = KubeObject;

/** An object of the source that is no part of the result, and whether the result has its effect without it. */
export interface ExplainedObject {
  readonly reason: string;
  readonly isMade: boolean;
}

/** The object of the source from which a translated one comes. */
export type Origin = Pick<SystemObject, 'found'>;

interface AddedObject {
  readonly namespace: string;
  readonly object: NewObject;
  readonly origin: FoundObject;
}

interface NewBinding {
  readonly role: RoleRef;
  readonly subjects: Subject[];
  readonly origin: FoundObject;
}

/** Collects what the controllers of tenancy systems make. */
export class Translation {
  readonly #bindings = new Map<string, Map<string, NewBinding>>();
  readonly #objects = new Map<string, AddedObject[]>();
  readonly #tenants = new Map<string, string>();
  readonly #keys = new Map<
    string,
    Record<'labels' | 'annotations', Map<string, string | undefined>>
  >();
  readonly #bookkeeping = new Map<
    string,
    { system: string; key: string; namespaces: Set<string> }
  >();
  readonly #settings: TenantSetting[] = [];
  readonly #explained = new Map<FoundObject, ExplainedObject>();
  readonly #replaced = new Map<FoundObject, FoundObject>();
  readonly #namespaces = new Map<string, FoundObject>();
  readonly #problems: Problem[] = [];
  readonly #notes: string[] = [];

  /** Adds an object to a namespace, once if it is added twice. */
  addObject(namespace: string, object: NewObject, origin: Origin): void {
    const id = `${namespace} ${object.kind} ${object.metadata.name}`;
    const objects = this.#objects.get(id) ?? [];
    this.#objects.set(id, objects);
    if (objects.some((other) => isEqual(other.object, object))) return;
    objects.push({ namespace, object, origin: origin.found });
  }

  /** Binds subjects to a role in a namespace. All bindings of a role become one. */
  bind(namespace: string, role: RoleRef, subjects: readonly Subject[], origin: Origin): void {
    const bindings = this.#bindings.get(namespace) ?? new Map<string, NewBinding>();
    this.#bindings.set(namespace, bindings);
    const key = `${role.kind}/${role.name}`;
    const binding = bindings.get(key) ?? { role, subjects: [], origin: origin.found };
    bindings.set(key, binding);
    for (const subject of subjects) {
      if (!binding.subjects.some((other) => isEqual(other, subject)))
        binding.subjects.push(subject);
    }
  }

  /**
   * Makes a namespace a part of a tenant. The first assignment wins; another one is reported, and so is a name that no
   * tenant can have.
   */
  assignTenant(namespace: string, tenant: string): void {
    if (!isDnsLabel(tenant)) {
      this.#notes.push(`no tenant can be named ${show(tenant)}: a tenant is ${A_DNS_LABEL}`);
      return;
    }
    const before = this.#tenants.get(namespace);
    if (before !== undefined && before !== tenant) {
      this.#notes.push(
        `namespace ${namespace} belongs to ${before} and to ${tenant}: it is declared for ${before}`,
      );
    } else this.#tenants.set(namespace, tenant);
  }

  /** Sets a label or an annotation of a Namespace, as the controllers of the system do. */
  setKey(namespace: string, part: 'labels' | 'annotations', key: string, value: string): void {
    this.#keysOf(namespace)[part].set(key, value);
  }

  /** Leaves out a label or an annotation of a Namespace that only the system reads. */
  dropKey(system: string, namespace: string, part: 'labels' | 'annotations', key: string): void {
    this.#keysOf(namespace)[part].set(key, undefined);
    this.#record(system, namespace, key);
  }

  /** Sets a field of a Tenant. The field of the origin is left if the tenant cannot have the setting. */
  setForTenant(setting: TenantSetting): void {
    this.#settings.push(setting);
  }

  /**
   * States that a controller of the system made an object of the source, and that the translation has its effect. It
   * then needs no acceptance. `translateSystems` finds objects with the content of a translated one without this.
   */
  explainMade(found: FoundObject, reason: string): void {
    this.#explained.set(found, { reason, isMade: true });
  }

  /** Leaves out an object of the source whose effect the translation lacks. It must be accepted by name. */
  leaveOut(found: FoundObject, reason: string): void {
    this.#explained.set(found, { reason, isMade: false });
  }

  /** Leaves out labels and annotations of an object in a namespace that only a system reads. */
  dropObjectKeys(
    system: string,
    namespace: string,
    found: FoundObject,
    isDropped: (key: string) => boolean,
  ): void {
    const before = this.#replaced.get(found)?.object ?? found.object;
    // Most objects stay as they are.
    const isChanged = [before.metadata.labels, before.metadata.annotations].some((entries) => {
      const keys = Object.keys(entries ?? {});
      return entries !== undefined && (keys.length === 0 || keys.some(isDropped));
    });
    if (!isChanged) return;
    const metadata = { ...before.metadata };
    for (const part of ['labels', 'annotations'] as const) {
      const [dropped, kept] = splitEntries(metadata[part], isDropped);
      for (const [key] of dropped) this.#record(system, namespace, key);
      if (kept.length > 0) metadata[part] = Object.fromEntries(kept);
      else delete metadata[part];
    }
    const object = { ...before, metadata };
    if (!isEqual(object, before)) this.replaceObject(found, object);
  }

  /** Replaces an object of the source with one without what controllers write into it. */
  replaceObject(found: FoundObject, object: KubeObject): void {
    this.#replaced.set(found, { ...found, object, text: emitYaml([object]) });
  }

  /** Adds a Namespace that a controller makes; it must not be in the source. */
  addNamespace(name: string, { found }: Origin): void {
    const object = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
    this.#namespaces.set(name, { ...found, object, text: emitYaml([object]) });
  }

  /** Adds a sentence to the report. It needs no acceptance. */
  note(text: string): void {
    this.#notes.push(text);
  }

  /** Reports an error in an object of the source. The import then ends with it. */
  reportProblem({ file, line }: FoundObject, message: string, rule: string): void {
    const place = file === undefined || line === undefined ? {} : { file, line, column: 1 };
    this.#problems.push({ ...place, path: '', message, rule });
  }

  get tenants(): ReadonlyMap<string, string> {
    return this.#tenants;
  }

  get settings(): readonly TenantSetting[] {
    return this.#settings;
  }

  get explained(): ReadonlyMap<FoundObject, ExplainedObject> {
    return this.#explained;
  }

  /** Objects of the source without what `dropObjectKeys` dropped. */
  get replaced(): ReadonlyMap<FoundObject, FoundObject> {
    return this.#replaced;
  }

  /** The Namespaces that were added. */
  get namespaces(): readonly FoundObject[] {
    return [...this.#namespaces.values()];
  }

  get problems(): readonly Problem[] {
    return this.#problems;
  }

  get notes(): readonly string[] {
    return [...new Set(this.#notes)];
  }

  get bookkeeping(): readonly Bookkeeping[] {
    return [...this.#bookkeeping.values()].map((one) => ({
      ...one,
      namespaces: [...one.namespaces],
    }));
  }

  /** Returns a Namespace with the metadata that was set, and without what was dropped. */
  applyKeys(found: FoundObject): FoundObject {
    const keys = this.#keys.get(found.object.metadata.name);
    if (!keys) return found;
    const metadata = { ...found.object.metadata };
    for (const part of ['labels', 'annotations'] as const) {
      const entries = new Map<string, string | undefined>(Object.entries(metadata[part] ?? {}));
      for (const [key, value] of keys[part]) entries.set(key, value);
      const kept = [...entries].filter(
        (entry): entry is [string, string] => entry[1] !== undefined,
      );
      if (kept.length > 0) metadata[part] = Object.fromEntries(kept);
      else delete metadata[part];
    }
    return { ...found, object: { ...found.object, metadata } };
  }

  /**
   * Builds the objects that were added, each with the place of the object that it comes from.
   * @param isTaken whether the source has an object of this kind and name in the namespace
   */
  buildObjects(isTaken: (object: KubeObject) => boolean): FoundObject[] {
    const added = [...this.#objects.values()].flat();
    const bindings = [...this.#bindings].flatMap(([namespace, byRole]) =>
      [...byRole.values()].map(({ role, subjects, origin }) => ({
        namespace,
        object: buildBinding(role, subjects),
        origin,
      })),
    );
    const names = new Set<string>();
    return [...added, ...bindings].flatMap(({ namespace, object, origin }): FoundObject[] => {
      for (let number = 1; ; number += 1) {
        const own = object.metadata.name;
        const name = number === 1 ? own : `${own}-${number}`;
        const placed = { ...object, metadata: { ...object.metadata, name, namespace } };
        const id = `${object.apiVersion}/${object.kind} ${namespace}/${name}`;
        if (!names.has(id) && !isTaken(placed)) {
          names.add(id);
          return [{ ...origin, object: placed, text: emitYaml([placed]) }];
        }
        if (renamedKinds.has(object.kind)) continue;
        this.#refuseName({ ...origin, object: placed, text: emitYaml([placed]) });
        return [];
      }
    });
  }

  /** Bindings name a Role, so subjects of a translated Role would get the rights of the other one. */
  #refuseName(found: FoundObject): void {
    const { kind, metadata } = found.object;
    const other = `namespace ${metadata.namespace} has another ${kind} ${metadata.name}`;
    if (kind !== 'Role') this.leaveOut(found, other);
    else
      this.reportProblem(found, `${kind} ${metadata.name} must be unique: ${other}`, 'duplicate');
  }

  #record(system: string, namespace: string, key: string): void {
    const entry = this.#bookkeeping.get(`${system}/${key}`) ?? {
      system,
      key,
      namespaces: new Set<string>(),
    };
    this.#bookkeeping.set(`${system}/${key}`, entry);
    entry.namespaces.add(namespace);
  }

  #keysOf(namespace: string) {
    const keys = this.#keys.get(namespace) ?? { labels: new Map(), annotations: new Map() };
    this.#keys.set(namespace, keys);
    return keys;
  }
}

type Entry = [key: string, value: string];

function splitEntries(
  entries: Readonly<Record<string, string>> = {},
  isFirst: (key: string) => boolean,
): [Entry[], Entry[]] {
  const all = Object.entries(entries);
  return [all.filter(([key]) => isFirst(key)), all.filter(([key]) => !isFirst(key))];
}

function buildBinding(role: RoleRef, subjects: readonly Subject[]): KubeObject {
  return {
    apiVersion: `${RBAC_GROUP}/v1`,
    kind: 'RoleBinding',
    metadata: { name: resolveBindingName({ role }) },
    roleRef: { apiGroup: RBAC_GROUP, ...role },
    subjects: subjects.map((subject) =>
      subject.kind === 'ServiceAccount' ? subject : { apiGroup: RBAC_GROUP, ...subject },
    ),
  };
}

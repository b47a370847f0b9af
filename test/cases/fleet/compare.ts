import { groupOf, type KubeObject } from '@tenantry/kube/object';
import { parseQuantity } from '@tenantry/kube/quantity';
import {
  CONCERNS,
  concernLabel,
  ENVIRONMENT_LABEL,
  FACTS,
  MANAGED_BY_LABEL,
  COMPARE_OPTIONS,
  SYNC_OPTIONS,
  SYNC_WAVE,
  TENANT_LABEL,
} from '../../../model/ownership.ts';
import { canonical, same } from './counting.ts';

/** An object and its cluster. */
export interface Placed {
  readonly cluster: string;
  readonly object: KubeObject;
}

export interface KindCount {
  readonly originals: number;
  readonly equal: number;
}

export interface Comparison {
  /** Counts by `kind.group`. */
  readonly kinds: ReadonlyMap<string, KindCount>;
  /** Missing, additional and different objects, by identity. */
  readonly unequal: readonly string[];
  /** Quantities of equal value that are a number in the original and a string in the rendered object. */
  readonly numbersAsStrings: number;
  /** Subjects that occur repeatedly in the original of an equal RoleBinding. */
  readonly repeatedSubjects: number;
  /** Quantities of equal value with another difference in spelling. */
  readonly respelled: readonly string[];
}

/** The complete list of Tenantry's own metadata: labels on every object, and Argo CD's annotations. */
const ownLabels = [
  TENANT_LABEL,
  ENVIRONMENT_LABEL,
  MANAGED_BY_LABEL,
  ...CONCERNS.map(concernLabel),
];
const ownAnnotations = [COMPARE_OPTIONS, SYNC_OPTIONS, SYNC_WAVE];
const ownNamespaceAnnotations = [...ownAnnotations, ...Object.values(FACTS)];

/**
 * Compares the teams' objects with the rendered ones, by cluster, group, kind, namespace and name.
 *
 * Equal objects have the same apiVersion, kind, metadata (without Tenantry's own) and content. The subjects of a
 * RoleBinding are a set, and quantities are compared by value. Every other difference counts, including order.
 */
export function compare(originals: readonly Placed[], rendered: readonly Placed[]): Comparison {
  const ours = new Map<string, KubeObject>();
  const unequal: string[] = [];
  for (const placed of rendered) {
    const id = idOf(placed);
    if (ours.has(id)) unequal.push(`${id} is rendered twice`);
    ours.set(id, withoutOwn(placed.object));
  }
  const kinds = new Map<string, KindCount>();
  const respelled: string[] = [];
  let numbersAsStrings = 0;
  let repeatedSubjects = 0;
  for (const placed of originals) {
    const id = idOf(placed);
    const our = ours.get(id);
    ours.delete(id);
    const { object } = placed;
    const equal = our !== undefined && same(meaning(object), meaning(our));
    if (!equal) unequal.push(`${id} is ${our ? 'different' : 'missing'}`);
    else {
      const subjects = (object['subjects'] ?? []) as readonly Subject[];
      repeatedSubjects += subjects.length - new Set(subjects.map(canonical)).size;
      for (const [theirs, own] of pairs(quantitiesOf(object), quantitiesOf(our))) {
        if (typeof theirs === 'number' && own === String(theirs)) numbersAsStrings += 1;
        else if (theirs !== own) respelled.push(`${id}: ${theirs} is ${own}`);
      }
    }
    const name = kindOf(object);
    const { originals = 0, equal: before = 0 } = kinds.get(name) ?? {};
    kinds.set(name, { originals: originals + 1, equal: before + (equal ? 1 : 0) });
  }
  unequal.push(...[...ours.keys()].map((id) => `${id} is too many`));
  return { kinds, unequal, numbersAsStrings, repeatedSubjects, respelled };
}

/** `Role.rbac.authorization.k8s.io`, and `Namespace` for the core group. */
export function kindOf({ apiVersion, kind }: KubeObject): string {
  const group = groupOf(apiVersion);
  return group === '' ? kind : `${kind}.${group}`;
}

function idOf({ cluster, object }: Placed): string {
  const { namespace = '', name } = object.metadata;
  return `${cluster}/${kindOf(object)}/${namespace}/${name}`;
}

function withoutOwn(object: KubeObject): KubeObject {
  const { labels, annotations, ...metadata } = object.metadata;
  const ignored = object.kind === 'Namespace' ? ownNamespaceAnnotations : ownAnnotations;
  return {
    ...object,
    metadata: {
      ...metadata,
      labels: without(labels, ownLabels),
      annotations: without(annotations, ignored),
    },
  };
}

function without(map: Readonly<Record<string, string>> = {}, keys: readonly string[]) {
  return Object.fromEntries(Object.entries(map).filter(([key]) => !keys.includes(key)));
}

type Subject = Readonly<Record<string, string>>;

/** Returns an object as data that is equal for equivalent objects. */
function meaning(object: KubeObject): object {
  const { labels = {}, annotations = {}, ...metadata } = object.metadata;
  const whole = mapQuantities(object, (value) => String(parseQuantity(value) ?? value));
  if (object.kind !== 'RoleBinding') {
    return { ...whole, metadata: { ...metadata, labels, annotations } };
  }
  const subjects = ((object['subjects'] ?? []) as readonly Subject[]).map((subject) =>
    canonical(
      subject['kind'] === 'ServiceAccount'
        ? { namespace: metadata.namespace, ...subject }
        : subject,
    ),
  );
  return {
    ...whole,
    subjects: [...new Set(subjects)].toSorted(),
    metadata: { ...metadata, labels, annotations },
  };
}

type Amount = string | number;
type Amounts = Readonly<Record<string, Amount>>;

/** Returns the object with every quantity of a ResourceQuota or a LimitRange replaced. */
function mapQuantities(object: KubeObject, replace: (value: Amount) => Amount): KubeObject {
  const all = (amounts: Amounts): Amounts =>
    Object.fromEntries(Object.entries(amounts).map(([key, value]) => [key, replace(value)]));
  const spec = object['spec'] as Readonly<Record<string, unknown>>;
  if (object.kind === 'ResourceQuota') {
    return { ...object, spec: { ...spec, hard: all(spec['hard'] as Amounts) } };
  }
  if (object.kind === 'LimitRange') {
    const limits = (spec['limits'] as readonly Readonly<Record<string, unknown>>[]).map((item) =>
      Object.fromEntries(
        Object.entries(item).map(([field, value]) => [
          field,
          typeof value === 'string' ? value : all(value as Amounts),
        ]),
      ),
    );
    return { ...object, spec: { ...spec, limits } };
  }
  return object;
}

/** Returns the quantities in the order of their keys. */
function quantitiesOf(object: KubeObject): Amount[] {
  const found: Amount[] = [];
  mapQuantities(JSON.parse(canonical(object)) as KubeObject, (value) => {
    found.push(value);
    return value;
  });
  return found;
}

function pairs<T>(left: readonly T[], right: readonly T[]): (readonly [T, T])[] {
  return left.map((value, i) => [value, right[i]!]);
}

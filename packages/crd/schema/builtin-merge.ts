import { builtinFields, builtinListKeys, type ListKey } from '@tenantry/kube/builtin-fields';
import { errorAt, prefixFinding, type Finding } from '@tenantry/kube/finding';
import { isMapping, entryOf } from '@tenantry/kube/mapping';
import type { KubeObject } from '@tenantry/kube/object';
import { show, type Path } from '@tenantry/kube/problem';
import { computeEqualityKey } from './validator/equality.ts';

/**
 * Validates what server-side apply requires to merge an object of a built-in kind.
 *
 * In lists that are merged item by item, it reports a duplicate item, a null, and an item without the key field of the
 * list. It also reports `managedFields` entries whose fields are not a mapping. The API server accepts all of these
 * when such an object is created or updated without server-side apply. A null field counts as absent. Values of wrong
 * types are not reported here: `validateBuiltinObject` reports them.
 *
 * It also reports an empty name of a pull secret. A server accepts it and answers without the name, which Argo CD
 * cannot compare under server-side diff: the OpenAPI v2 that it reads has no defaults.
 *
 * Source: Kubernetes 1.36, sigs.k8s.io/structured-merge-diff/typed (validate.go, helpers.go); Argo CD 3.5,
 * gitops-engine/pkg/diff (removeWebhookMutation)
 *
 * @returns nothing for a kind under an apiVersion that Kubernetes does not have, or that lies in no namespace
 */
export function validateBuiltinMerge(object: KubeObject): readonly Finding[] {
  const type = `${object.apiVersion}/${object.kind}`;
  // A name that is not a built-in type is not cached.
  if (!builtinFields(type)) return [];
  const walk: Walk = { path: [], found: [] };
  visitOf(type)?.(object, walk);
  return walk.found;
}

/** The position of the walk, and its findings. */
interface Walk {
  readonly path: (string | number)[];
  readonly found: Finding[];
}

type Visit = (value: unknown, walk: Walk) => void;

const made = new Map<string, Visit | undefined>();

/**
 * Returns the visitor for values of a type, one for each type; undefined if nothing in them can be refused. No visitor
 * exists for maps of Kubernetes: a test verifies this in the table of fields.
 */
function visitOf(type: string): Visit | undefined {
  if (made.has(type)) return made.get(type);
  const visit = makeVisit(type);
  made.set(type, visit);
  return visit;
}

function makeVisit(type: string): Visit | undefined {
  if (type === 'ManagedFieldsEntry') return visitFields;
  if (type.startsWith('[]')) return visitItems(visitOf(type.slice(2)));
  const fields = new Map<string, Visit>();
  for (const [field, inner] of builtinFields(type) ?? []) {
    const visit = both(visitList(builtinListKeys(type, field)), visitOf(inner));
    if (visit) fields.set(field, visit);
  }
  if (fields.size === 0) return undefined;
  return (value, walk) => {
    if (!isMapping(value)) return;
    for (const field of Object.keys(value)) {
      const visit = fields.get(field);
      if (visit) step(field, value[field], visit, walk);
    }
  };
}

function both(one: Visit | undefined, other: Visit | undefined): Visit | undefined {
  if (!one || !other) return one ?? other;
  return (value, walk) => {
    one(value, walk);
    other(value, walk);
  };
}

function visitItems(visit: Visit | undefined): Visit | undefined {
  if (!visit) return undefined;
  return (list, walk) => {
    if (!Array.isArray(list)) return;
    for (const [i, item] of list.entries()) step(i, item, visit, walk);
  };
}

function step(part: string | number, value: unknown, visit: Visit, walk: Walk): void {
  if (value === undefined || value === null) return;
  walk.path.push(part);
  visit(value, walk);
  walk.path.pop();
}

function visitFields(entry: unknown, { path, found }: Walk): void {
  const { fieldsV1 } = isMapping(entry) ? entry : {};
  if (fieldsV1 === undefined || fieldsV1 === null || isMapping(fieldsV1)) return;
  const message = `must be a mapping, got ${show(fieldsV1)}`;
  found.push(errorAt([...path, 'fieldsV1'], message, 'type'));
}

function visitList(keys: readonly ListKey[] | undefined): Visit | undefined {
  if (!keys) return undefined;
  return (list, { path, found }) => {
    if (!Array.isArray(list) || list.length === 0) return;
    for (const fault of validateListItems(keys, list)) found.push(prefixFinding([...path], fault));
  };
}

/**
 * Validates the items of a list as server-side apply does. Items are identified by keys, or by their own value if the
 * list has no keys. Items of other types are skipped.
 *
 * The first key must be present. An API server uses an empty value in its place, and then refuses that item alone. Argo
 * CD, which merges by this key, can no longer compare anything in the Application.
 *
 * Source: Kubernetes 1.36, sigs.k8s.io/structured-merge-diff/typed (validate.go, helpers.go) and
 * k8s.io/apimachinery/pkg/util/strategicpatch (mergePatchIntoOriginal); Argo CD 3.5, gitops-engine/pkg/diff
 */
function validateListItems(keys: readonly ListKey[], list: readonly unknown[]): readonly Finding[] {
  const found: Finding[] = [];
  const seen = new Map<unknown, number>();
  for (const [i, item] of list.entries()) {
    if (item === null) found.push(buildNullError(i, keys));
    // Items of other types are reported by `validateBuiltinObject`.
    else if (keys.length > 0 === isMapping(item)) {
      const id = computeItemKey(keys, item);
      const first = seen.get(id);
      if (id === undefined) found.push(buildMissingKeyError(i, keys, item));
      else if (first === undefined) seen.set(id, i);
      else found.push(buildDuplicateError(i, first, keys, item));
    }
  }
  return found;
}

/** Computes the identity of an item, of which the list may contain one; undefined for an item without the first key. */
function computeItemKey(keys: readonly ListKey[], item: unknown): unknown {
  const [key] = keys;
  if (!key) return item;
  if (isLacking(item, key)) return undefined;
  return keys.length === 1
    ? keyOf(item, key)
    : computeEqualityKey(keys.map((one) => keyOf(item, one)));
}

/** Whether an item lacks a key. A server leaves an empty text out of its answer where a key may be. */
function isLacking(item: unknown, { name, default: otherwise }: ListKey): boolean {
  const written = writtenIn(item, name);
  return written === undefined || (written === '' && otherwise === undefined);
}

/**
 * Returns the effective value of a key. For a further key that the item leaves out or leaves empty it is the default.
 * Such a key is not applied (`normalizeBuiltinObject`).
 */
function keyOf(item: unknown, { name, default: otherwise }: ListKey): unknown {
  const written = writtenIn(item, name);
  return written === undefined || (written === '' && otherwise !== undefined) ? otherwise : written;
}

function writtenIn(item: unknown, key: string): unknown {
  return isMapping(item) ? (entryOf(item, key) ?? undefined) : undefined;
}

function buildNullError(index: number, keys: readonly ListKey[]): Finding {
  const must = keys.length === 0 ? 'a value' : `a mapping with ${namesOf(keys)}`;
  return errorAt([index], `must be ${must}, got null`, LIST_TYPE);
}

function buildMissingKeyError(index: number, keys: readonly ListKey[], item: unknown): Finding {
  const must = 'must not be empty: it identifies the items of the list';
  const [key] = keys;
  return errorAt(
    placeOf(index, keys),
    `${must}, got ${show(key && writtenIn(item, key.name))}`,
    LIST_KEYS,
  );
}

/** Builds the error at the first key, as in lists of custom resources. */
function buildDuplicateError(
  index: number,
  first: number,
  keys: readonly ListKey[],
  item: unknown,
): Finding {
  const got = `got ${shownOf(keys, item)} again (first at [${first}])`;
  const finding = errorAt(placeOf(index, keys), `must be unique in the list, ${got}`, LIST_TYPE);
  return { ...finding, about: { firstItem: first } };
}

const placeOf = (index: number, [key]: readonly ListKey[]): Path =>
  key ? [index, key.name] : [index];

const namesOf = (keys: readonly ListKey[]): string => keys.map(({ name }) => name).join(' or ');

/**
 * Formats the keys of an item: `'A'`; several keys each with its name: `containerPort 80 and protocol 'TCP', the
 * default`.
 */
function shownOf(keys: readonly ListKey[], item: unknown): string {
  if (keys.length === 0) return show(item);
  const [only] = keys;
  if (only && keys.length === 1) return show(writtenIn(item, only.name));
  const parts = keys.map((key) => {
    const written = writtenIn(item, key.name);
    // An empty default does not help the reader.
    if (written !== undefined && (written !== '' || !key.default)) {
      return `${key.name} ${show(written)}`;
    }
    return key.default ? `${key.name} ${show(key.default)} (the default)` : `no ${key.name}`;
  });
  return `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

const LIST_TYPE = 'x-kubernetes-list-type';
const LIST_KEYS = 'x-kubernetes-list-map-keys';

import { builtinFields, builtinListKeys, type ListKey } from '../kube/builtin-fields.ts';
import { errorAt, prefixFinding, type Finding } from '../kube/finding.ts';
import { isMapping } from '../kube/mapping.ts';
import type { KubeObject } from '../kube/object.ts';
import { show } from '../kube/problem.ts';
import { validateListItems } from './builtin/items.ts';

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

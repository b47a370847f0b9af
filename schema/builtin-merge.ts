import { builtinFields } from '../kube/builtin-fields.ts';
import { builtinListKeys, type ListKey } from '../kube/builtin-lists.ts';
import { errorAt, prefixFinding, type Finding } from '../kube/finding.ts';
import { isMapping } from '../kube/mapping.ts';
import type { KubeObject } from '../kube/object.ts';
import { show } from '../kube/problem.ts';
import { validateListItems } from './builtin/items.ts';

/**
 * What server-side apply refuses to merge of an object of a kind of Kubernetes' own: in lists whose items
 * it merges one by one, an item that is there twice, a null, and one without the field by which items are
 * told apart; the fields of a manager that are no mapping. Who creates or updates such an object is let
 * through. A field that is null counts as one that is not there. Nothing is said of values of other types:
 * `validateBuiltinObject` does.
 *
 * Refused is also an empty name of a pull secret. A server takes it and answers without the name, which
 * Argo CD cannot compare under server-side diff: the OpenAPI v2 that it reads has no defaults.
 *
 * Source: Kubernetes 1.36, sigs.k8s.io/structured-merge-diff/typed (validate.go, helpers.go); Argo CD 3.5,
 * gitops-engine/pkg/diff (removeWebhookMutation)
 *
 * @returns nothing for a kind under an apiVersion that Kubernetes does not have, or that lies in no namespace
 */
export function validateBuiltinMerge(object: KubeObject): readonly Finding[] {
  const type = `${object.apiVersion}/${object.kind}`;
  // Of what is no type nothing is remembered.
  if (!builtinFields(type)) return [];
  const walk: Walk = { path: [], found: [] };
  visitOf(type)?.(object, walk);
  return walk.found;
}

/** Where the walk is, and what it found. */
interface Walk {
  readonly path: (string | number)[];
  readonly found: Finding[];
}

type Visit = (value: unknown, walk: Walk) => void;

const made = new Map<string, Visit | undefined>();

/**
 * Goes through values of a type; undefined where nothing in them can be refused. One for each type.
 * In maps of Kubernetes there is none: a test asks the table of fields.
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

import { isMapping } from '../../kube/mapping.ts';
import { groupOf } from '../../kube/object.ts';
import { readLoosely } from '../../kube/yaml/read.ts';
import { compilePattern } from '../../schema/pattern.ts';
import { applyJsonPatch, PatchFailed } from './jsonpatch.ts';
import { mergeInto } from './strategicmerge.ts';
import { joined, kindOf, textAt, type Built, type Editable, type Tree } from './tree.ts';

/** Patches the objects as a field `patches` (or an older one) of a kustomization says. */
export function patchObjects(
  objects: Built[],
  entry: unknown,
  folder: string,
  tree: Tree,
  file: string,
): void {
  const said = typeof entry === 'string' ? { path: entry } : entry;
  if (!isMapping(said)) return;
  const { path, patch, target } = said;
  const from = typeof path === 'string' ? joined(folder, path) : undefined;
  const texts =
    typeof patch === 'string' ? readLoosely(patch).documents.map(({ value }) => value) : [];
  const documents = from === undefined ? texts : tree.documents(from);
  if (documents.length === 0) tree.lost(from ?? file, 'is not carried over: no patch is in it');
  for (const document of documents) patchWith(objects, document, target, tree, from ?? file);
}

function patchWith(
  objects: Built[],
  patch: unknown,
  target: unknown,
  tree: Tree,
  file: string,
): void {
  const wanted = isMapping(target) ? target : targetOf(patch);
  const found = objects.filter((one) => isTarget(one, wanted, !isMapping(target)));
  if (found.length === 0) {
    tree.warn(file, 'must patch an object of the kustomization, got a patch of none');
  }
  for (const one of found) {
    try {
      if (Array.isArray(patch)) applyJsonPatch(one.value, patch as unknown[]);
      else if (isMapping(patch)) mergeNamed(objects, one, patch, isMapping(target));
    } catch (error) {
      if (!(error instanceof PatchFailed)) throw error;
      tree.lost(file, `is not carried over: a patch ${error.message}`);
    }
  }
}

/** A patch with a target may call it by another name, which does not become the object's. */
function mergeNamed(objects: Built[], one: Built, patch: Editable, isAimed: boolean): void {
  if (patch['$patch'] === 'delete') {
    objects.splice(objects.indexOf(one), 1);
    return;
  }
  const { metadata, ...others } = patch;
  const { name: _, namespace: __, ...rest } = isMapping(metadata) ? metadata : {};
  const body = isAimed ? withoutKind(others) : others;
  mergeInto(one.value, { ...body, ...(Object.keys(rest).length > 0 && { metadata: rest }) });
}

function withoutKind(patch: Editable): Editable {
  const { apiVersion: _, kind: __, ...others } = patch;
  return others;
}

function targetOf(patch: unknown): Editable {
  const apiVersion = textAt(patch, 'apiVersion');
  return {
    group: groupOf(apiVersion),
    version: apiVersion.slice(apiVersion.indexOf('/') + 1),
    kind: textAt(patch, 'kind'),
    name: textAt(patch, 'metadata', 'name'),
  };
}

/** Whether a selector of kustomize selects an object: by any name that it ever had. */
export function isTarget(one: Built, target: Editable, isExact = false): boolean {
  const apiVersion = textAt(one.value, 'apiVersion');
  const version = apiVersion.slice(apiVersion.indexOf('/') + 1);
  const is = (field: string, values: readonly string[]): boolean => {
    const said = target[field];
    if (typeof said !== 'string' || (said === '' && !isExact)) return true;
    return values.some((value) => (isExact ? value === said : matches(said, value)));
  };
  return (
    is('kind', [kindOf(one)]) &&
    is('group', [groupOf(apiVersion)]) &&
    is('version', [version]) &&
    is('name', one.names) &&
    is('namespace', one.namespaces) &&
    hasLabels(one, textAt(target, 'labelSelector'), 'labels') &&
    hasLabels(one, textAt(target, 'annotationSelector'), 'annotations')
  );
}

/** What targets say are patterns of Go, of the whole. */
function matches(pattern: string, value: string): boolean {
  return compilePattern(`^(?:${pattern})$`).test(value);
}

function hasLabels({ value }: Built, selector: string, field: string): boolean {
  return selector.split(',').every((part) => {
    const [key = '', expected] = part.split('=');
    return key === '' || textAt(value, 'metadata', field, key.trim()) === (expected ?? '').trim();
  });
}

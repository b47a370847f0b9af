import { isMapping } from '../../kube/mapping.ts';
import { isTarget } from './patches.ts';
import { listAt, mappingAt, textAt, type Built, type Editable, type Tree } from './tree.ts';

/**
 * Writes a field of one object into fields of others, as an entry of `replacements` says.
 *
 * Source: https://kubectl.docs.kubernetes.io/references/kustomize/kustomization/replacements/
 */
export function replaceFields(
  objects: readonly Built[],
  entry: unknown,
  tree: Tree,
  file: string,
): void {
  const source = mappingAt(entry, 'source');
  const from = source && objects.find((one) => isTarget(one, source));
  if (!source || !from) {
    tree.lost(file, 'is not carried over: a replacement has no source among the objects');
    return;
  }
  const keys = keysOf(textAt(source, 'fieldPath') || 'metadata.name');
  const value = piece(fieldAt(from.value, keys), mappingAt(source, 'options'));
  for (const target of listAt(entry, 'targets')) {
    const select = mappingAt(target, 'select') ?? {};
    const rejects = listAt(target, 'reject');
    const chosen = objects.filter(
      (one) =>
        isTarget(one, select) && !rejects.some((not) => isMapping(not) && isTarget(one, not)),
    );
    for (const one of chosen) {
      for (const path of listAt(target, 'fieldPaths')) {
        write(one.value, keysOf(String(path)), value, mappingAt(target, 'options') ?? {});
      }
    }
  }
}

/** `.metadata.annotations.[cert-manager.io/inject-ca-from]` in parts. */
export function keysOf(path: string): readonly string[] {
  const parts = path.match(/\[[^\]]*\]|(?:[^.[\\]|\\.)+/g) ?? [];
  return parts.map((part) =>
    part.startsWith('[') ? part.slice(1, -1) : part.replaceAll(/\\(.)/g, '$1'),
  );
}

export function fieldAt(value: unknown, keys: readonly string[]): unknown {
  let found = value;
  for (const key of keys) found = child(found, key);
  return found;
}

/** An item by its place, or by a field such as in `[name=manager]`. */
function child(value: unknown, key: string): unknown {
  if (isMapping(value)) return value[key];
  if (!Array.isArray(value)) return undefined;
  const [field = '', wanted] = key.split('=');
  if (wanted === undefined) return value[Number(key)] as unknown;
  return value.find((item) => textAt(item, field) === wanted) as unknown;
}

function piece(value: unknown, options: Editable | undefined): unknown {
  const { delimiter, index } = options ?? {};
  if (typeof delimiter !== 'string' || typeof value !== 'string') return value;
  return value.split(delimiter)[typeof index === 'number' ? index : 0];
}

function write(target: unknown, keys: readonly string[], value: unknown, options: Editable): void {
  let holder = target;
  for (const key of keys.slice(0, -1)) {
    let next = child(holder, key);
    if (next === undefined && options['create'] === true && isMapping(holder)) {
      next = {};
      (holder as Editable)[key] = next;
    }
    holder = next;
  }
  const key = keys.at(-1);
  const old = key === undefined ? undefined : child(holder, key);
  if (key === undefined || (old === undefined && options['create'] !== true)) return;
  const whole = within(old, value, options);
  if (Array.isArray(holder) && Number.isInteger(Number(key))) holder[Number(key)] = whole;
  else if (isMapping(holder)) (holder as Editable)[key] = whole;
}

function within(old: unknown, value: unknown, { delimiter, index }: Editable): unknown {
  if (typeof delimiter !== 'string' || delimiter === '') return value;
  const parts = typeof old === 'string' ? old.split(delimiter) : [];
  const at = typeof index === 'number' ? index : 0;
  if (at < 0) parts.unshift(String(value));
  else if (at >= parts.length) parts.push(String(value));
  else parts[at] = String(value);
  return parts.join(delimiter);
}

/**
 * Reads a CustomResourceDefinition for tools that go on with it, with the fields of
 * validation/shapes.ts. `validation/decode.ts` reads the same fields for a verdict: it gives what the
 * API server holds in memory, where false and absence are one, and tells what strict validation
 * refuses. Here values stay as they are written; what the API server would drop without a word (null,
 * fields that it does not know) is dropped, and what its decoder would refuse is told, as is what is
 * missing.
 *
 * Source: https://kubernetes.io/docs/reference/kubernetes-api/extend-resources/custom-resource-definition-v1/
 */
import type { Json } from '../../kube/object.ts';
import { nearest, show, type Path } from '../../kube/problem.ts';
import { isScalar, nouns } from './decode.ts';
import type { Shape } from './fieldtype.ts';
import { isMapping } from '../../kube/mapping.ts';
import { MAX_DEPTH } from '../../kube/yaml/read.ts';

/** Who is told what is wrong, and what is dropped. */
export interface Listener {
  wrong(path: Path, message: string, rule: string): void;
  dropped(path: Path, message: string): void;
}

/**
 * A copy of a value in which every field has its type; what has not is told and left out. Never
 * throws, whatever the value, and never recurses deeper than a file may nest.
 */
export function shaped(shape: Shape, value: unknown, path: Path, listener: Listener): Json {
  if (path.length > MAX_DEPTH) {
    listener.wrong(path, `must be nested at most ${MAX_DEPTH} deep, got more`, 'nesting');
    return null;
  }
  switch (shape.is) {
    case 'struct':
      return shapedFields(shape, value, path, listener);
    case 'list':
      if (!Array.isArray(value)) return refuse('a list', value, path, listener);
      return value.map((item, i) => shaped(shape.of, item, [...path, i], listener));
    case 'map':
      if (!isMapping(value)) return refuse('a mapping', value, path, listener);
      return Object.fromEntries(
        Object.entries(value).map(([key, item]) => [
          key,
          shaped(shape.of, item, [...path, key], listener),
        ]),
      );
    case 'items':
      return shaped(shape.schema(), value, path, listener);
    case 'schema or boolean':
      return typeof value === 'boolean' ? value : shaped(shape.schema(), value, path, listener);
    case 'schema or names':
      return shaped(Array.isArray(value) ? names : shape.schema(), value, path, listener);
    case 'json':
      return copied(value, path, listener);
    default:
      if (isScalar[shape.is](value) && (shape.words?.includes(value as string) ?? true)) {
        return value as Json;
      }
      return refuse(wordsFor(shape), value, path, listener);
  }
}

const names: Shape = { is: 'list', of: { is: 'string' } };

type Struct = Extract<Shape, { readonly is: 'struct' }>;

function shapedFields(struct: Struct, value: unknown, path: Path, listener: Listener): Json {
  if (!isMapping(value)) return refuse('a mapping', value, path, listener);
  const fields = struct.fields();
  const kept: { [key: string]: Json } = {};
  for (const key of Object.keys(value)) {
    const item = value[key];
    if (item === null || item === undefined) continue;
    const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
    if (field !== undefined) {
      if (key === '$ref') {
        const must = 'must be the schema itself (the API server follows no reference)';
        listener.wrong([...path, key], `${must}, got ${show(item)}`, 'reference');
      }
      kept[key] = shaped(field, item, [...path, key], listener);
    } else {
      const meant = nearest(key, Object.keys(fields));
      const hint = meant === undefined ? '' : `; did you mean ${show(meant)}?`;
      const message = `must be a field of the API server's, got ${show(key)}, which it drops${hint}`;
      listener.dropped([...path, key], message);
    }
  }
  for (const name of struct.required) {
    if (Object.hasOwn(kept, name)) continue;
    listener.wrong([...path, name], `must be ${wordsFor(fields[name]!)}, got nothing`, 'shape');
  }
  return kept;
}

/** A copy of plain data, so deep that it could not come from a file excepted. */
function copied(value: unknown, path: Path, listener: Listener): Json {
  if (typeof value !== 'object' || value === null) return value as Json;
  if (path.length >= MAX_DEPTH) {
    listener.wrong(path, `must be nested at most ${MAX_DEPTH} deep, got more`, 'nesting');
    return null;
  }
  if (Array.isArray(value)) return value.map((item, i) => copied(item, [...path, i], listener));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, copied(item, [...path, key], listener)]),
  );
}

function wordsFor(shape: Shape): string {
  if (shape.is === 'list') return 'a list';
  if (shape.is in nouns) {
    const { words } = shape as { readonly words?: readonly string[] };
    return words ? `one of ${words.join(', ')}` : nouns[shape.is as keyof typeof nouns];
  }
  return 'a mapping';
}

function refuse(must: string, value: unknown, path: Path, listener: Listener): null {
  listener.wrong(path, `must be ${must}, got ${show(value)}`, 'shape');
  return null;
}

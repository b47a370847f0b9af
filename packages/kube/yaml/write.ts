import { formatInlineString, formatStringValue } from './write-string.ts';
import { formatPath, show } from '../problem.ts';

export { formatCompactYaml } from './write-compact.ts';

/** The options of writing objects. */
export interface EmitOptions {
  /**
   * Writes keys in the order of code units and leaves out null fields, as cdk8s renders objects: apiVersion, kind and
   * metadata first. Only `apiGroup` may be null: an API server stores it in a reference within a group, and for an
   * apply of the whole reference it is a part of it.
   * @default false
   */
  readonly canonical?: boolean;
}

/**
 * Writes YAML documents of Kubernetes objects, separated by `---`. kubectl (sigs.k8s.io/yaml) and `readDocuments` read
 * each of them as the JSON that `JSON.stringify` gives of the object, except that `readDocuments` refuses integers
 * beyond 2^53.
 *
 * It uses block style as kubectl does: two spaces, lists not indented below their key, keys in JavaScript's order.
 * Strings are plain where that is safe, literal blocks if they have several lines, and double-quoted otherwise.
 * Undefined fields are left out.
 *
 * @throws {TypeError} with the path for anything but plain data: NaN and infinities, bigints, functions, objects of a
 * class (a `Date`), undefined in a list, half of a surrogate pair, a value inside itself, more than 500 levels
 *
 * @example
 * ```ts
 * import { emitYaml } from 'tenantry';
 *
 * const text = emitYaml([{ kind: 'ConfigMap', data: { debug: 'no' } }]);
 * console.log(text.split('\n')[2]); //   debug: "no"
 * ```
 */
export function emitYaml(objects: readonly object[], options: EmitOptions = {}): string {
  const parts: string[] = [];
  const emitter = new Emitter(options.canonical ?? false);
  try {
    for (const object of objects) {
      if (emitter.text.length > PART) parts.push(emitter.flush());
      if (emitter.text !== '' || parts.length > 0) emitter.text += '---\n';
      emitter.document(object);
    }
  } catch (error) {
    const refusal = validatePlainData(objects);
    if (refusal === undefined) throw error;
    throw new TypeError(refusal, { cause: error });
  }
  parts.push(emitter.flush());
  return parts.join('');
}

/**
 * The size of a part in characters. V8 keeps a concatenation as a tree of its parts until a character of it is read. A
 * large output made of one tree, or of as many as it has objects, takes twice as long.
 */
const PART = 65_536;

function isSorted(keys: readonly string[]): boolean {
  for (let i = 1; i < keys.length; i += 1) if (keys[i - 1]! > keys[i]!) return false;
  return true;
}

/** The fields that come first in a canonical object. */
const FIRST = ['apiVersion', 'kind', 'metadata'];

class NotPlainData extends Error {}

/** The maximum number of cached keys. When there are more, the cache is cleared, so that memory stays bounded. */
const CACHE_SIZE = 8192;
/** Caches the texts of keys, because the same few keys occur in all files. */
const keyTexts = new Map<string, string>();
/**
 * The maximum length of a cached key. Longer keys are rare, and a YAML key may have 1,024 characters before its colon.
 */
const LONG_KEY = 1000;

class Emitter {
  text = '';
  readonly #canonical: boolean;

  constructor(canonical: boolean) {
    this.#canonical = canonical;
  }

  /** Returns what was written since the last call, in one piece. */
  flush(): string {
    const text = this.text;
    text.charCodeAt(0);
    this.text = '';
    return text;
  }

  document(object: object): void {
    if (Array.isArray(object) || !isPlainObject(object)) throw new NotPlainData();
    if (this.#isEmpty(object)) this.text += '{}\n';
    else this.#mapping(object as Record<string, unknown>, '', '', 0);
  }

  /** Writes a mapping. `lead` is the text before the first key: the indentation, or nothing after a `- `. */
  #mapping(mapping: Record<string, unknown>, indent: string, lead: string, depth: number): void {
    if (depth > MAX_DEPTH) throw new NotPlainData();
    let before = lead;
    for (const key of this.#listKeys(mapping, depth)) {
      const value = mapping[key];
      if (!this.#isWritten(key, value)) continue;
      const name = this.#key(key);
      if (name.length > LONG_KEY) this.text += `${before}? ${name}\n${indent}:`;
      else this.text += before + name;
      before = indent;
      if (typeof value === 'object' && value !== null) this.#field(value, indent, depth);
      else this.text += ` ${this.#scalar(value, indent)}\n`;
    }
  }

  /** Writes a collection after its key. */
  #field(value: object, indent: string, depth: number): void {
    if (Array.isArray(value)) {
      if (value.length === 0) this.text += ' []\n';
      else {
        this.text += '\n';
        this.#list(value, indent, indent, depth + 1);
      }
    } else if (!isPlainObject(value)) throw new NotPlainData();
    else if (this.#isEmpty(value)) this.text += ' {}\n';
    else {
      const inner = `${indent}  `;
      this.text += '\n';
      this.#mapping(value as Record<string, unknown>, inner, inner, depth + 1);
    }
  }

  #listKeys(mapping: Record<string, unknown>, depth: number): string[] {
    const keys = Object.keys(mapping);
    if (!this.#canonical) return keys;
    if (!isSorted(keys)) keys.sort();
    if (depth > 0 || FIRST.every((key, i) => keys[i] === key)) return keys;
    return [
      ...FIRST.filter((key) => key in mapping),
      ...keys.filter((key) => !FIRST.includes(key)),
    ];
  }

  #list(list: readonly unknown[], indent: string, lead: string, depth: number): void {
    if (depth > MAX_DEPTH) throw new NotPlainData();
    let before = lead;
    for (let i = 0; i < list.length; i += 1) {
      const item = list[i];
      this.text += `${before}- `;
      before = indent;
      if (typeof item === 'object' && item !== null) this.#item(item, `${indent}  `, depth);
      else this.text += `${this.#scalar(item, indent)}\n`;
    }
  }

  /** Writes a collection after its dash. */
  #item(value: object, inner: string, depth: number): void {
    if (Array.isArray(value)) {
      if (value.length === 0) this.text += '[]\n';
      else this.#list(value, inner, '', depth + 1);
    } else if (!isPlainObject(value)) throw new NotPlainData();
    else if (this.#isEmpty(value)) this.text += '{}\n';
    else this.#mapping(value as Record<string, unknown>, inner, '', depth + 1);
  }

  #scalar(value: unknown, indent: string): string {
    switch (typeof value) {
      case 'string':
        return formatStringValue(value, indent);
      case 'number':
        // The shortest digits that give the same number, as in JSON; negative zero is 0.
        if (Number.isFinite(value)) return String(value);
        throw new NotPlainData();
      case 'boolean':
        return value ? 'true' : 'false';
      default:
        if (value === null) return 'null';
        throw new NotPlainData();
    }
  }

  /** Returns the text of a key with its colon, or without if the key is too long for one line. */
  #key(key: string): string {
    const known = keyTexts.get(key);
    if (known !== undefined) return known;
    const text = formatInlineString(key);
    const name = text.length > LONG_KEY ? text : `${text}:`;
    if (keyTexts.size >= CACHE_SIZE) keyTexts.clear();
    keyTexts.set(key, name);
    return name;
  }

  /** Whether a mapping has nothing to write. */
  #isEmpty(mapping: object): boolean {
    for (const key in mapping) {
      if (!Object.hasOwn(mapping, key)) continue;
      const value = (mapping as Record<string, unknown>)[key];
      if (this.#isWritten(key, value)) return false;
    }
    return true;
  }

  #isWritten(key: string, value: unknown): boolean {
    if (value === null) return !this.#canonical || key === 'apiGroup';
    return value !== undefined;
  }
}

/** The maximum depth of nested collections; the deepest schema of Kubernetes has about 50. */
const MAX_DEPTH = 500;

/** Whether a value is a mapping: an object without a class, from any realm. */
function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === null || prototype === Object.prototype) return true;
  return typeof prototype === 'object' && Object.getPrototypeOf(prototype) === null;
}

/**
 * Explains why a value is not plain JSON data and where, `objects[2].spec.replicas must be a finite number, got NaN`;
 * undefined if it is.
 */
function validatePlainData(value: unknown): string | undefined {
  return validateValue(value, ['objects'], new Set());
}

function validateValue(
  value: unknown,
  path: readonly (string | number)[],
  ancestors: Set<object>,
): string | undefined {
  const must = validateScalar(value);
  if (must !== undefined) return `${formatPath(path)} ${must}`;
  if (typeof value !== 'object' || value === null) return undefined;
  if (ancestors.has(value)) return `${formatPath(path)} must not contain itself`;
  if (ancestors.size > MAX_DEPTH) {
    return `${formatPath(path)} must be nested at most ${MAX_DEPTH} deep, got more`;
  }
  if (!Array.isArray(value) && !isPlainObject(value)) {
    const name = (value.constructor as { name?: string } | undefined)?.name ?? 'unknown';
    return `${formatPath(path)} must be plain data, got an object of class ${name}`;
  }
  ancestors.add(value);
  const found = Array.isArray(value)
    ? validateList(value, path, ancestors)
    : validateMapping(value, path, ancestors);
  ancestors.delete(value);
  return found;
}

function validateList(
  list: readonly unknown[],
  path: readonly (string | number)[],
  ancestors: Set<object>,
): string | undefined {
  for (const [index, item] of list.entries()) {
    const at = [...path, index];
    if (item === undefined) return `${formatPath(at)} must be a value, got nothing`;
    if (path.length === 1 && (typeof item !== 'object' || item === null || Array.isArray(item))) {
      return `${formatPath(at)} must be a mapping, got ${show(item)}`;
    }
    const found = validateValue(item, at, ancestors);
    if (found !== undefined) return found;
  }
  return undefined;
}

function validateMapping(
  mapping: object,
  path: readonly (string | number)[],
  ancestors: Set<object>,
): string | undefined {
  for (const [key, item] of Object.entries(mapping)) {
    const at = [...path, key];
    if (!key.isWellFormed()) return `${formatPath(at)} must be a key of whole characters`;
    const found = validateValue(item, at, ancestors);
    if (found !== undefined) return found;
  }
  return undefined;
}

function validateScalar(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      return value.isWellFormed()
        ? undefined
        : `must be text of whole characters, got half of a surrogate pair`;
    case 'number':
      return Number.isFinite(value) ? undefined : `must be a finite number, got ${value}`;
    case 'bigint':
      return `must be a number, got the bigint ${value}`;
    case 'function':
    case 'symbol':
      return `must be plain data, got a ${typeof value}`;
    default:
      return undefined;
  }
}

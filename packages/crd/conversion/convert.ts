import { listVersions, type Schemas, type Version } from '../definition.ts';
import type { Json, KubeObject } from '@tenantry/kube/object';
import { formatPath, show, type Path } from '@tenantry/kube/problem';
import { applyDefaults, pruneValue } from '../schema/admission.ts';
import { isMapping } from '@tenantry/kube/mapping';
import { MAX_ANNOTATIONS } from '@tenantry/kube/names';
import {
  addKeptAnnotation,
  formatKeptPath,
  KEPT_ANNOTATION,
  readKept,
  sizeOfAnnotations,
  removeKeptAnnotation,
  type KeptByVersion,
} from './kept-annotation.ts';
import type { Conversions, Spoke } from './conversions.ts';
import { isDeepEqual } from '@tenantry/kube/json';
import {
  findLostFields,
  type KeptField,
  restoreKeptFields,
  type UnrestoredField,
} from './kept-fields.ts';

/** An object cannot be converted. `cause` is the error of a conversion function, if one threw. */
export class ConversionError extends Error {
  constructor(message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = 'ConversionError';
  }
}

type Fields = Readonly<Record<string, Json>>;
/** A conversion function as it is called: its types were checked at its declaration. */
type ConversionFunction = (object: KubeObject) => unknown;

/**
 * Converts an object to another version, as the API server uses the result of a conversion webhook.
 *
 * Sets apiVersion and kind. Metadata stays unchanged, except for labels and annotations that a
 * conversion returns. Defaults are filled in before and after. The object itself is not changed,
 * and the result shares nothing with it. An object of the desired version is returned unchanged.
 *
 * Source:
 * https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definition-versioning/#write-a-conversion-webhook-server
 *
 * @example
 * ```ts
 * import { convertObject } from '@tenantry/crd';
 * import { boxConversions } from './box.ts';
 *
 * const old = {
 *   apiVersion: 'example.com/v1beta1',
 *   kind: 'Box',
 *   metadata: { name: 'small' },
 *   spec: { size: 3 },
 * };
 * console.log(convertObject(boxConversions, old, 'example.com/v1')['spec']); // { width: 3 }
 * ```
 *
 * @throws {ConversionError} for an object that is not of the kind or of a version that is not known,
 * and where a conversion throws or returns what is no object of JSON
 */
export function convertObject<S extends Schemas, Hub extends keyof S>(
  conversions: Conversions<S, Hub>,
  object: unknown,
  desiredAPIVersion: string,
): KubeObject {
  return convertWithKeptFields(conversions, object, desiredAPIVersion).object;
}

/** A converted object. */
export interface ConversionResult {
  readonly object: KubeObject;
  /** Fields that were kept for the object's version and could not be restored. */
  readonly left: readonly UnrestoredField[];
}

/**
 * Converts as `convertObject` does, and also returns which kept fields were not restored.
 * @throws {ConversionError} as `convertObject` does
 */
export function convertWithKeptFields<S extends Schemas, Hub extends keyof S>(
  conversions: Conversions<S, Hub>,
  object: unknown,
  desiredAPIVersion: string,
): ConversionResult {
  const all = conversions as unknown as Conversions;
  const from = resolveSourceVersion(all, object);
  const to = resolveVersion(all, desiredAPIVersion, 'The desired apiVersion');
  const start = copyJson(object, []) as unknown as KubeObject;
  if (from === to) return { object: start, left: [] };
  const first = applyDefaults(from.schema, start) as KubeObject;
  const { hub } = all;
  if (from.name === hub || to.name === hub) return convertThroughSpoke(all, first, from, to);
  const middle = listVersions(all.definition).find(({ name }) => name === hub)!;
  return convertThroughSpoke(all, convertThroughSpoke(all, first, from, middle).object, middle, to);
}

function resolveSourceVersion(conversions: Conversions, object: unknown): Version {
  const { kind } = conversions.definition;
  if (!isMapping(object))
    throw new ConversionError(`The object must be a mapping, got ${show(object)}`);
  if (object['kind'] !== kind) {
    throw new ConversionError(
      `${nameOf(object)} kind must be ${kind}, got ${show(object['kind'])}`,
    );
  }
  if (!isMapping(object['metadata'])) {
    throw new ConversionError(
      `${kind} metadata must be a mapping, got ${show(object['metadata'])}`,
    );
  }
  return resolveVersion(conversions, object['apiVersion'], `${nameOf(object)} apiVersion`);
}

function resolveVersion(conversions: Conversions, apiVersion: unknown, what: string): Version {
  const versions = listVersions(conversions.definition);
  const found = versions.find((version) => version.apiVersion === apiVersion);
  if (found) return found;
  const known = versions.map((version) => version.apiVersion).join(', ');
  const { kind } = conversions.definition;
  throw new ConversionError(
    `${what} must be a version of ${kind}: ${known}; got ${show(apiVersion)}`,
  );
}

/** Formats `Redis default/cache`. */
function nameOf(object: Readonly<Record<string, unknown>>): string {
  const metadata = isMapping(object['metadata']) ? object['metadata'] : {};
  const name = [metadata['namespace'], metadata['name']].filter((part) => typeof part === 'string');
  return `${String(object['kind'] ?? 'The object')} ${name.join('/')}`.trim();
}

function convertThroughSpoke(
  conversions: Conversions,
  object: KubeObject,
  from: Version,
  to: Version,
): ConversionResult {
  const spokes = conversions.spokes as Readonly<Record<string, Spoke<object, object>>>;
  const away = from.name === conversions.hub;
  const spoke = spokes[away ? to.name : from.name]!;
  const toHub: ConversionFunction = (one) => spoke.toHub(one);
  const fromHub: ConversionFunction = (one) => spoke.fromHub(one);
  const [forth, back] = away ? [fromHub, toHub] : [toHub, fromHub];

  const { [to.name]: mine = [], [from.name]: _, ...others } = readKept(object);
  const bare = removeKeptAnnotation(object);
  const made = runConversion(forth, bare, from, to);
  const { value, left } = restoreKeptFields(to.schema, made as unknown as Json, mine);
  const result = value as unknown as KubeObject;
  if (!spoke.keep) return { object: attachKeptFields(result, others), left };
  const again = pruneUndeclared(from, runConversion(back, pruneUndeclared(to, result), to, from));
  const lost = findLostFields(from.schema, omitMetadata(bare), omitMetadata(again)).filter((one) =>
    isWanted(one, spoke.keep),
  );
  const kept = { ...others, ...(lost.length > 0 && { [from.name]: lost }) };
  return { object: attachKeptFields(result, kept), left };
}

/** Prunes fields that a version does not declare, as the API server does. */
function pruneUndeclared({ schema }: Version, object: KubeObject): KubeObject {
  return pruneValue(schema, object, { root: true }).value as KubeObject;
}

function attachKeptFields(object: KubeObject, kept: KeptByVersion): KubeObject {
  const large = Object.values(kept).flatMap((all) => all.filter(hasLargeInteger));
  if (large.length > 0) {
    const fields = large.map(({ path }) => formatKeptPath(path)).join(', ');
    throw new ConversionError(
      `${nameOf(object)} ${fields} must have no integer beyond 2^53 to be kept in ${KEPT_ANNOTATION}`,
    );
  }
  const result = addKeptAnnotation(object, kept);
  const size = sizeOfAnnotations(result);
  if (result === object || size <= MAX_ANNOTATIONS) return result;
  const fields = Object.values(kept).flatMap((all) => all.map(({ path }) => formatKeptPath(path)));
  const what = `with ${fields.join(', ')} kept in ${KEPT_ANNOTATION}`;
  throw new ConversionError(
    `${nameOf(object)} annotations must have at most ${MAX_ANNOTATIONS} bytes together, got ${size} ${what}`,
  );
}

/**
 * Returns whether a value contains a large integer. Validation of restored fields only knows
 * numbers, and would leave it out.
 */
function hasLargeInteger(value: unknown): boolean {
  if (typeof value === 'bigint') return true;
  return typeof value === 'object' && value !== null && Object.values(value).some(hasLargeInteger);
}

function isWanted({ path }: KeptField, keep: Spoke<object, object>['keep']): boolean {
  if (keep === 'everything') return true;
  const names = path.filter((step) => typeof step === 'string').join('.');
  return (keep ?? []).some((field) => names === field || names.startsWith(`${field}.`));
}

function omitMetadata(object: KubeObject): Json {
  const { apiVersion: _, kind: __, metadata: ___, ...fields } = object;
  return fields as { [key: string]: Json };
}

function runConversion(
  conversion: ConversionFunction,
  object: KubeObject,
  from: Version,
  to: Version,
): KubeObject {
  const way = `${nameOf(object)} from ${from.name} to ${to.name}`;
  let returned: unknown;
  try {
    // A copy, so that a conversion may change its argument.
    returned = conversion(structuredClone(object));
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new ConversionError(`${way} must be convertible, got an error: ${why}`, { cause });
  }
  if (!isMapping(returned)) {
    throw new ConversionError(`${way} must become a mapping, got ${show(returned)}`);
  }
  const { apiVersion: _, kind: __, metadata, ...fields } = copyJson(returned, [], way) as Fields;
  const kept = mergeMetadata(object, metadata, way);
  const made = { apiVersion: to.apiVersion, kind: object.kind, metadata: kept, ...fields };
  return applyDefaults(to.schema, made) as KubeObject;
}

function mergeMetadata(
  { metadata: original }: KubeObject,
  returned: Json | undefined,
  way: string,
): KubeObject['metadata'] {
  if (returned === undefined) return original;
  if (!isMapping(returned)) {
    throw new ConversionError(`${way}: metadata must be a mapping, got ${show(returned)}`);
  }
  const { labels: _, annotations: __, ...rest } = original;
  const changed: Record<string, unknown> = { ...rest };
  for (const field of ['labels', 'annotations'] as const) {
    const value = Object.hasOwn(returned, field) ? returned[field] : original[field];
    if (value === undefined) continue;
    if (!isMapping(value) || Object.values(value).some((one) => typeof one !== 'string')) {
      throw new ConversionError(
        `${way}: metadata.${field} must be strings by name, got ${show(value)}`,
      );
    }
    changed[field] = value;
  }
  for (const [field, value] of Object.entries(returned)) {
    if (field === 'labels' || field === 'annotations') continue;
    if (isDeepEqual(value, (original as Readonly<Record<string, unknown>>)[field])) continue;
    throw new ConversionError(
      `${way}: metadata.${field} must stay as it is, got ${show(value)}; a conversion may change labels and annotations alone`,
    );
  }
  return changed as unknown as KubeObject['metadata'];
}

/** Copies a value of JSON, without fields that are undefined. */
function copyJson(value: unknown, path: Path, way = 'The object'): Json {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  // An integer beyond 2^53, which exact readers parse as a bigint, keeps every digit.
  if (typeof value === 'bigint') return value as unknown as Json;
  if (Array.isArray(value)) return value.map((item, i) => copyJson(item, [...path, i], way));
  if (isMapping(value)) {
    return Object.fromEntries(
      Object.entries(value)
        .filter(([, field]) => field !== undefined)
        .map(([name, field]) => [name, copyJson(field, [...path, name], way)]),
    );
  }
  const got = typeof value === 'number' ? String(value) : show(value);
  throw new ConversionError(`${way}: ${formatPath(path)} must be a value of JSON, got ${got}`);
}

import { errorAt, Findings, type Finding, type Verdict } from '@tenantry/kube/finding';
import { show, type Path } from '@tenantry/kube/problem';
import { checkMetadata, resourceNameRules } from './admission/resource-names.ts';
import { readMetadata } from './admission/metadata.ts';
import {
  checkEmbeddedObjects,
  readEmbeddedObjects,
  normalizeEmbeddedObjects,
} from './admission/embedded-objects.ts';
import { applyDefaults, setField } from './admission/defaulting.ts';
import { schemaOfField, type JSONSchemaProps } from './json-schema.ts';
import { dropNulls, pruneValue } from './admission/pruning.ts';
import { isMapping } from '@tenantry/kube/mapping';
import { compileSchema } from './validator.ts';
import { buildUnknownFieldError } from './validator/messages.ts';

export { applyDefaults } from './admission/defaulting.ts';
export {
  checkEmbeddedObjects,
  normalizeEmbeddedObjects,
  readEmbeddedObjects,
} from './admission/embedded-objects.ts';
export { dropNulls, pruneValue, type Pruned, type PruneOptions } from './admission/pruning.ts';

/** Options of `admitValue`: further facts that the API server knows about the value. */
export interface AdmitOptions {
  /** The value that is stored now. @default - the value is new */
  readonly oldValue?: unknown;
  /** The kind and version of which the value is a custom resource. @default - the value is nested in an object */
  readonly root?: ResourceKind;
  /**
   * `status`: the value is written to the status subresource, and everything except the status keeps its stored value.
   * @default - the value is written to the object, and the status keeps its stored value
   */
  readonly subresource?: 'status';
}

/** A version of a kind. */
export interface ResourceKind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly scope: 'Namespaced' | 'Cluster';
  /**
   * Whether the version has the status subresource. If it has, a new object gets no status, and an update of the object
   * leaves the status unchanged. @default false
   */
  readonly status?: boolean;
}

/**
 * The result of admitting a value to the store. The rules of its findings are those of `Validator.check`, plus `kind`
 * (apiVersion and kind) and `metadata`, which apply to objects of every kind.
 */
export interface Admission extends Verdict {
  /**
   * The value that is stored, or that would be stored if nothing were wrong: pruned, without nulls, with defaults
   * filled in. Metadata that the API server itself writes (uid, creationTimestamp ...) is absent.
   */
  readonly value: unknown;
  /** The paths of undeclared fields. Under strict field validation each of them is an error. */
  readonly pruned: readonly Path[];
}

/**
 * Processes a custom resource as the API server does before it stores it, in the same order: prune undeclared fields,
 * drop nulls, read the metadata, fill in defaults, validate. Webhooks and quotas are not included. Never changes the
 * value and never throws, whatever the value is.
 *
 * Source: Kubernetes 1.36, k8s.io/apiextensions-apiserver
 *
 * @example
 * ```ts
 * import { admitValue, integer, object } from '@tenantry/crd/schema';
 *
 * const schema = object('A box.', { size: integer('How big.', { default: 3 }) });
 * const { value, pruned } = admitValue(schema, { color: 'red' });
 * console.log(value, pruned); // { size: 3 } [ [ 'color' ] ]
 * ```
 */
export function admitValue(
  schema: JSONSchemaProps,
  value: unknown,
  options: AdmitOptions = {},
): Admission {
  const { oldValue, root } = options;
  const subresource = root?.status ? options.subresource : undefined;
  const sent = decodeValue(schema, value, root);
  const before = oldValue === undefined ? undefined : decodeValue(schema, oldValue, root).value;
  const target = { ...(root && { root }), ...(subresource && { subresource }) };
  const write = buildWrite(sent.value, before, target);
  // A value that cannot be read is not validated.
  const verdict = sent.errors.length > 0 ? new Findings() : check(schema, write, target);
  return {
    value: write.value,
    pruned: sent.pruned,
    ...verdict,
    errors: [...sent.errors, ...verdict.errors],
  };
}

/** Decodes a value as the API server reads it from a request or from the store. */
function decodeValue(schema: JSONSchemaProps, value: unknown, root: ResourceKind | undefined) {
  const own = root ? readRoot(value, root) : { pruned: [], errors: [], value };
  const pruned = pruneValue(schema, own.value, { root: root !== undefined });
  const objects = readEmbeddedObjects(schema, dropNulls(schema, pruned.value));
  return {
    value: applyDefaults(schema, objects.value),
    pruned: [...own.pruned, ...pruned.pruned, ...objects.pruned],
    errors: [...own.errors, ...objects.errors],
  };
}

/** A value to be stored and the value that it replaces; undefined where there is none. */
interface Write {
  readonly value: unknown;
  readonly before: unknown;
}

function buildWrite(sent: unknown, before: unknown, { root, subresource }: AdmitOptions): Write {
  if (!root?.status || !isMapping(sent)) return { value: sent, before };
  if (subresource === undefined) return { value: copyStatus(before, sent), before };
  // Without a stored object, the sent one is used in its place, without its status.
  const stored = before ?? copyStatus(undefined, sent);
  return { value: copyStatus(sent, stored), before: stored };
}

/** Copies the object with the status of another one, or without a status. */
function copyStatus(other: unknown, object: unknown): unknown {
  if (!isMapping(object)) return object;
  const { status: _, ...rest } = object;
  const has = isMapping(other) && Object.hasOwn(other, 'status');
  return has ? { ...rest, status: other['status'] } : rest;
}

function check(
  schema: JSONSchemaProps,
  { value, before }: Write,
  { root, subresource }: AdmitOptions,
): Verdict {
  const validator = compileSchema(schema, { root: root !== undefined });
  const verdict = validator.check(value, before === undefined ? {} : { oldValue: before });
  const named = root && isMapping(value) ? checkRoot(value) : [];
  if (subresource) return { ...verdict, errors: [...named, ...verdict.errors.filter(isOfStatus)] };
  return {
    ...verdict,
    errors: [...named, ...verdict.errors, ...checkEmbeddedObjects(schema, value)],
  };
}

/**
 * Whether a finding belongs to a write to the status: CEL rules apply to the whole object, the rest of a schema only to
 * the status.
 */
function isOfStatus({ path, rule }: Finding): boolean {
  return path[0] === 'status' || rule === 'x-kubernetes-validations';
}

/** Reads the parts of a custom resource that are the same in every kind. */
function readRoot(value: unknown, { apiVersion, kind, scope }: ResourceKind) {
  if (!isMapping(value)) {
    const message = `must be a mapping, got ${show(value)}`;
    return { value, pruned: [], errors: [errorAt([], message, 'type')] };
  }
  const errors = Object.entries({ apiVersion, kind })
    .filter(([field, wanted]) => value[field] !== wanted)
    .map(([field, wanted]) =>
      errorAt([field], `must be ${wanted}, got ${show(value[field])}`, 'kind'),
    );
  if (!Object.hasOwn(value, 'metadata')) return { value, pruned: [], errors };
  const read = readMetadata(value['metadata'], ['metadata']);
  // The API server drops the namespace of a cluster-scoped object.
  const { namespace: _, ...rest } = read.value;
  return {
    value: { ...value, metadata: scope === 'Cluster' ? rest : read.value },
    pruned: read.unknown,
    errors: [...errors, ...read.errors],
  };
}

function checkRoot(value: Record<string, unknown>): Finding[] {
  const metadata = isMapping(value['metadata']) ? value['metadata'] : {};
  const found = checkMetadata(metadata, ['metadata'], resourceNameRules);
  const { name, generateName } = metadata;
  if (name === undefined && generateName === undefined) {
    const message = `must be ${resourceNameRules.must}, got nothing`;
    found.push(errorAt(['metadata', 'name'], message, 'metadata'));
  }
  return found;
}

/**
 * Normalizes a value so that a server-side apply of it reads back unchanged. Fills in the API server's defaults within
 * lists and atomic mappings, drops or replaces nulls as the API server does, and writes the metadata of embedded
 * objects as it is stored. Everything else stays as it is; the value is never changed.
 *
 * A list or an atomic mapping belongs as a whole to the manager that applies it, and so does each field that the
 * manager sets. A tool that compares without the API server would otherwise report what the server fills in, drops or
 * reads there as a permanent difference.
 *
 * Source: https://kubernetes.io/docs/reference/using-api/server-side-apply/#merge-strategy
 */
export function applyDefaultsInLists(schema: JSONSchemaProps, value: unknown): unknown {
  return filledIn(schema, normalizeEmbeddedObjects(schema, dropNulls(schema, value)));
}

function filledIn(schema: JSONSchemaProps, value: unknown): unknown {
  if (Array.isArray(value) || schema['x-kubernetes-map-type'] === 'atomic') {
    return applyDefaults(schema, value);
  }
  if (!isMapping(value)) return value;
  let copy: Record<string, unknown> | undefined;
  for (const [key, inner] of Object.entries(value)) {
    const field = schemaOfField(schema, key);
    if (!field) continue;
    // The API server replaces the null by the default, which no manager owns here.
    if (inner === null && field.nullable !== true) {
      copy ??= { ...value };
      delete copy[key];
      continue;
    }
    const filled = filledIn(field, inner);
    if (filled === inner) continue;
    copy ??= { ...value };
    setField(copy, key, filled);
  }
  return copy ?? value;
}

/** Builds the errors for fields that were pruned from a value, for strict field validation. */
export function buildUnknownFieldErrors(
  schema: JSONSchemaProps,
  pruned: readonly Path[],
): Finding[] {
  return pruned.map((path) => {
    const around = schemaAt(schema, path.slice(0, -1));
    const known = Object.keys(around?.properties ?? {});
    return buildUnknownFieldError(path, known.length > 0 ? known : undefined);
  });
}

function schemaAt(schema: JSONSchemaProps, path: Path): JSONSchemaProps | undefined {
  let at: JSONSchemaProps | undefined = schema;
  for (const part of path) {
    at = typeof part === 'number' ? at?.items : at && schemaOfField(at, part);
  }
  return at;
}

import { errorAt, Findings, type Finding, type Verdict } from '../kube/finding.ts';
import { show, type Path } from '../kube/problem.ts';
import { checkMetadata, resourceNameRules } from './admission/resource-names.ts';
import { readMetadata } from './admission/metadata.ts';
import { checkEmbeddedObjects, readEmbeddedObjects } from './admission/embedded.ts';
import { applyDefaults } from './admission/defaulting.ts';
import type { JSONSchemaProps } from './json-schema.ts';
import { dropNulls, pruneValue } from './admission/pruning.ts';
import { isMapping } from '../kube/mapping.ts';
import { compileSchema } from './validator.ts';

export { applyDefaults } from './admission/defaulting.ts';
export { applyDefaultsInLists } from './admission/list-defaults.ts';
export {
  checkEmbeddedObjects,
  normalizeEmbeddedObjects,
  readEmbeddedObjects,
} from './admission/embedded.ts';
export { buildUnknownFieldErrors } from './admission/unknown-fields.ts';
export { dropNulls, pruneValue, type Pruned, type PruneOptions } from './admission/pruning.ts';

/** What else the API server would know of the value. */
export interface AdmitOptions {
  /** The value that is stored now. @default - the value is new */
  readonly oldValue?: unknown;
  /** The value is a custom resource, of this version of this kind. @default - a value within one */
  readonly root?: ResourceKind;
  /**
   * `status`: the value is written to the status subresource, where all but the status stays as it
   * is stored. @default - to the object, where the status stays
   */
  readonly subresource?: 'status';
}

/** A version of a kind. */
export interface ResourceKind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly scope: 'Namespaced' | 'Cluster';
  /**
   * Whether the version has the status subresource: a new object gets no status then, and an update
   * of the object leaves it as it is. @default false
   */
  readonly status?: boolean;
}

/**
 * What becomes of a value on its way into the store. The rules of what is wrong are those of
 * `Validator.check`, and besides `kind` (apiVersion and kind) and `metadata`, which are asked of
 * objects of every kind.
 */
export interface Admission extends Verdict {
  /**
   * What is stored, or would be were nothing wrong: pruned, without nulls, defaults filled in. What
   * the API server writes into metadata itself (uid, creationTimestamp ...) is not there.
   */
  readonly value: unknown;
  /** The fields that are not declared. Under strict field validation each is a refusal. */
  readonly pruned: readonly Path[];
}

/**
 * What the API server does to a custom resource before it stores it, in its order: it prunes fields
 * that are not declared, drops nulls, reads the metadata, fills in defaults, and validates. Webhooks
 * and quotas come besides. The value is never changed, and nothing is thrown, whatever it is.
 *
 * Source: Kubernetes 1.36, k8s.io/apiextensions-apiserver
 *
 * @example
 * ```ts
 * import { admitValue, integer, object } from 'tenantry/schema';
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
  const asked = { ...(root && { root }), ...(subresource && { subresource }) };
  const write = writeOf(sent.value, before, asked);
  // What cannot be read is not validated.
  const verdict = sent.errors.length > 0 ? new Findings() : check(schema, write, asked);
  return {
    value: write.value,
    pruned: sent.pruned,
    ...verdict,
    errors: [...sent.errors, ...verdict.errors],
  };
}

/** A value as the API server reads it, from a request or from the store. */
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

/** What is to be stored, and what it replaces; undefined where that is nothing. */
interface Write {
  readonly value: unknown;
  readonly before: unknown;
}

function writeOf(sent: unknown, before: unknown, { root, subresource }: AdmitOptions): Write {
  if (!root?.status || !isMapping(sent)) return { value: sent, before };
  if (subresource === undefined) return { value: copyStatus(before, sent), before };
  // Without what is stored, all but the status is taken for it.
  const stored = before ?? copyStatus(undefined, sent);
  return { value: copyStatus(sent, stored), before: stored };
}

/** The object with the status of another one, or with none. */
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

/** Rules are asked of the whole object; all else of a schema is asked of the status alone. */
function isOfStatus({ path, rule }: Finding): boolean {
  return path[0] === 'status' || rule === 'x-kubernetes-validations';
}

/** The parts of a custom resource that are the same in every kind. */
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
  // The namespace of an object that lies in none is dropped.
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

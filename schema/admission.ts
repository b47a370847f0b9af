import { show, type Path } from '../kube/problem.ts';
import { checkMetadata, ofResource } from './admission/resourcenames.ts';
import { readMetadata } from './admission/metadata.ts';
import { checkObjects, readObjects } from './admission/embedded.ts';
import { applyDefaults } from './admission/defaulting.ts';
import type { JSONSchemaProps } from './jsonschema.ts';
import { dropNulls, pruneValue } from './admission/pruning.ts';
import { isMapping } from '../kube/mapping.ts';
import { compileSchema, type Mismatch, type NotChecked } from './validator.ts';

export { applyDefaults } from './admission/defaulting.ts';
export { checkObjects, readObjects } from './admission/embedded.ts';
export { dropNulls, pruneValue, type Pruned, type PruneOptions } from './admission/pruning.ts';

/** What else the API server would know of the value. */
export interface AdmitOptions {
  /** The value that is stored now. @default - the value is new */
  readonly oldValue?: unknown;
  /** The value is a custom resource, of this version of this kind. @default - a value within one */
  readonly root?: ResourceKind;
}

/** A version of a kind. */
export interface ResourceKind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly scope: 'Namespaced' | 'Cluster';
}

/** What becomes of a value on its way into the store. */
export interface Admission {
  /**
   * What is stored, or would be were nothing wrong: pruned, without nulls, defaults filled in. What
   * the API server writes into metadata itself (uid, creationTimestamp ...) is not there.
   */
  readonly value: unknown;
  /** The fields that are not declared. Under strict field validation each is a refusal. */
  readonly pruned: readonly Path[];
  /** Why the API server refuses it; empty where it does not. */
  readonly mismatches: readonly Mismatch[];
  /** What the API server alone can decide. */
  readonly notChecked: readonly NotChecked[];
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
  { oldValue, root }: AdmitOptions = {},
): Admission {
  const own = root ? readRoot(value, root) : { pruned: [], mismatches: [], value };
  const pruned = pruneValue(schema, own.value, { root: root !== undefined });
  const objects = readObjects(schema, dropNulls(schema, pruned.value));
  const complete = applyDefaults(schema, objects.value);
  const decoded = [...own.mismatches, ...objects.mismatches];
  // What cannot be read is not validated.
  const verdict = decoded.length > 0 ? NOTHING : check(schema, complete, oldValue, root);
  return {
    value: complete,
    pruned: [...own.pruned, ...pruned.pruned, ...objects.pruned],
    mismatches: [...decoded, ...verdict.mismatches],
    notChecked: verdict.notChecked,
  };
}

const NOTHING = { mismatches: [], notChecked: [] };

function check(
  schema: JSONSchemaProps,
  value: unknown,
  oldValue: unknown,
  root: ResourceKind | undefined,
) {
  const validator = compileSchema(schema, { root: root !== undefined });
  const old = oldValue === undefined ? {} : { oldValue };
  const { mismatches, notChecked } = validator.check(value, old);
  const named = root && isMapping(value) ? checkRoot(value) : [];
  return { mismatches: [...named, ...mismatches, ...checkObjects(schema, value)], notChecked };
}

/** The parts of a custom resource that are the same in every kind. */
function readRoot(value: unknown, { apiVersion, kind, scope }: ResourceKind) {
  const mismatches: Mismatch[] = [];
  if (!isMapping(value)) {
    mismatches.push({ path: [], message: `must be a mapping, got ${show(value)}` });
    return { value, pruned: [], mismatches };
  }
  for (const [field, wanted] of Object.entries({ apiVersion, kind })) {
    if (value[field] === wanted) continue;
    mismatches.push({ path: [field], message: `must be ${wanted}, got ${show(value[field])}` });
  }
  if (!Object.hasOwn(value, 'metadata')) return { value, pruned: [], mismatches };
  const read = readMetadata(value['metadata'], ['metadata']);
  // The namespace of an object that lies in none is dropped.
  const { namespace: _, ...rest } = read.value;
  return {
    value: { ...value, metadata: scope === 'Cluster' ? rest : read.value },
    pruned: read.unknown,
    mismatches: [...mismatches, ...read.mismatches],
  };
}

function checkRoot(value: Record<string, unknown>): Mismatch[] {
  const metadata = isMapping(value['metadata']) ? value['metadata'] : {};
  const found = checkMetadata(metadata, ['metadata'], ofResource);
  const { name, generateName } = metadata;
  if (name === undefined && generateName === undefined) {
    found.push({ path: ['metadata', 'name'], message: `must be ${ofResource.must}, got nothing` });
  }
  return found;
}

import type { Finding } from '../../kube/finding.ts';
import { validate } from '../../schema/validate.ts';
import type { DeclaredKind } from './declared-kind.ts';

/** Specs that were held against their schema, by the kind that they are of. */
const valid = new WeakMap<object, string>();

/** Notes that a spec fits its schema. It must not be changed afterwards. */
export function markValid({ kind }: DeclaredKind, spec: object): void {
  valid.set(spec, kind);
}

/**
 * What its schema says against a spec, wherever that comes from: what TypeScript was told, and what
 * a cluster holds, need not be what the types promise. A spec that was found valid once, as every
 * spec is that was read from a file, is not asked again. Of metadata nothing is said: a cluster
 * writes there what no declaration may.
 */
export function validateSpec(kind: DeclaredKind, spec: object): readonly Finding[] {
  const isObject = typeof spec === 'object' && spec !== null;
  if (isObject && valid.get(spec) === kind.kind) return [];
  const errors = validate(kind.spec, spec, ['spec']);
  if (isObject && errors.length === 0) markValid(kind, spec);
  return errors.map((error) => ({ ...error, rule: 'schema' }));
}

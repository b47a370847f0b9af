import type { Finding } from '../../kube/finding.ts';
import { validate } from '../../schema/validate.ts';
import type { DeclaredKind } from './declared-kind.ts';

/** Specs that were validated against their schema, by kind. */
const valid = new WeakMap<object, string>();

/** Records that a spec is valid. It must not be changed afterwards. */
export function markValid({ kind }: DeclaredKind, spec: object): void {
  valid.set(spec, kind);
}

/**
 * Returns the errors of a spec against its schema, whatever its source: TypeScript may have been
 * overridden, and a cluster may contain other values than the types promise. A spec that was found
 * valid once is not validated again; every spec from a file was. Metadata is not validated, because
 * a cluster adds fields there that no declaration may have.
 */
export function validateSpec(kind: DeclaredKind, spec: object): readonly Finding[] {
  const isObject = typeof spec === 'object' && spec !== null;
  if (isObject && valid.get(spec) === kind.kind) return [];
  const errors = validate(kind.spec, spec, ['spec']);
  if (isObject && errors.length === 0) markValid(kind, spec);
  return errors.map((error) => ({ ...error, rule: 'schema' }));
}

import { show, type Path } from '../../kube/problem.ts';
import type { JSONSchemaProps } from '../../schema/json-schema.ts';
import { warnOfContradictions } from './contradictions.ts';
import { checkDefaults } from './default-values.ts';
import type { Findings } from '../../kube/finding.ts';
import { warnOfFormats } from './format-warnings.ts';
import type { Leniency } from './leniency.ts';
import { checkEverySchema } from './every-schema.ts';
import { checkStructural } from './structural-schema.ts';

/** Fields that are not allowed at the root if status is a subresource, because status is then validated alone. */
const notBesideStatus = [
  'default',
  'enum',
  'maxProperties',
  'minProperties',
  'allOf',
  'oneOf',
  'anyOf',
  'not',
  'additionalProperties',
  'x-kubernetes-embedded-resource',
  'x-kubernetes-int-or-string',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-list-type',
  'x-kubernetes-map-type',
] as const;

/** Options for the schema of a version. */
export interface VersionSchemaOptions {
  /** Whether status is a subresource. */
  readonly hasStatus: boolean;
  /** Whether an update leaves the schema unchanged. */
  readonly isUnchanged: boolean;
}

/** Checks the schema of a version as a whole. */
export function checkVersionSchema(
  schema: JSONSchemaProps,
  path: Path,
  { hasStatus, isUnchanged }: VersionSchemaOptions,
  findings: Findings,
  leniency: Leniency,
): void {
  if (hasStatus) {
    for (const field of notBesideStatus) {
      if (schema[field] === undefined) continue;
      const message = `must be absent at the root, since status is a subresource, got ${show(schema[field])}`;
      findings.addError([...path, field], message, 'root-with-status');
    }
  }
  if (schema.nullable) {
    const message = 'must be absent at the root, got true';
    findings.addError([...path, 'nullable'], message, 'root-nullable');
  }
  const before = findings.errors.length;
  checkStructural(schema, path, findings);
  if (findings.errors.length === before) checkDefaults(schema, path, findings, leniency);
  const compiles = findings.errors.length === before;
  checkEverySchema(schema, path, findings, leniency, { compiles, isUnchanged });
  warnOfFormats(schema, path, findings);
  if (compiles) warnOfContradictions(schema, path, hasStatus, findings);
}

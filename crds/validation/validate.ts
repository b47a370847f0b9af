import { show } from '../../kube/problem.ts';
import { readAsServer } from '../fields/server-reading.ts';
import type { DecodedDefinition } from '../fields/decoded-definition.ts';
import { Findings, type Verdict } from '../../kube/finding.ts';
import { CREATION } from './leniency.ts';
import { checkFinalizers, checkMetadata } from './object-meta.ts';
import { APPROVAL, checkApproval, checkName } from './definition-names.ts';
import { plainJson } from './manifest-json.ts';
import { checkSize } from './manifest-size.ts';
import { checkSpec } from './definition-spec.ts';
import { warnOfVersionLosses } from './version-losses.ts';

/** The minor version of Kubernetes whose rules these are, with its default feature gates. */
export const KUBERNETES_MINOR = '1.36';

/**
 * Validates a new CustomResourceDefinition as the API server of Kubernetes 1.36 does with strict
 * field validation. Reports exactly what it refuses as errors, with the path in the manifest. What
 * only the server can decide is in `notChecked`, such as a CEL rule nested more than 100 deep.
 * Takes any value and never throws.
 *
 * @example
 * ```ts
 * import { crdManifest, validateDefinition } from 'tenantry/crd';
 * import { redis } from './redis.ts';
 *
 * const { spec, ...rest } = crdManifest(redis);
 * const { errors } = validateDefinition({ ...rest, spec: { ...spec, scope: 'Everywhere' } });
 * console.log(errors.map(({ path }) => path)); // [ [ 'spec', 'scope' ] ]
 * ```
 */
export function validateDefinition(manifest: unknown): Verdict {
  const findings = new Findings();
  const decoded = decodeDefinition(manifest, findings);
  if (!decoded) return findings;
  const { metadata = {}, spec = {} } = decoded;
  checkName(decoded, findings);
  checkMetadata(metadata, ['metadata'], findings);
  checkFinalizers(metadata.finalizers ?? [], ['metadata', 'finalizers'], findings);
  if (metadata.resourceVersion !== undefined) {
    const message = `must be absent when a definition is created, got ${show(metadata.resourceVersion)}`;
    findings.addWarning(['metadata', 'resourceVersion'], message, 'resource-version');
  }
  checkSpec(spec, findings, CREATION);
  warnOfVersionLosses(spec, findings);
  checkApproval(spec.group ?? '', metadata.annotations?.[APPROVAL] ?? '', findings);
  return findings;
}

/** Decodes a definition as the server does. Returns undefined, with findings, if the server cannot decode it. */
export function decodeDefinition(
  manifest: unknown,
  findings: Findings,
): DecodedDefinition | undefined {
  const json = plainJson(manifest, findings);
  if (json === undefined) return undefined;
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    const message = `must be a mapping with apiVersion, kind, metadata and spec, got ${show(json)}`;
    findings.addError([], message, 'field-type');
    return undefined;
  }
  const identity = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' };
  for (const [field, wanted] of Object.entries(identity)) {
    if (json[field] === wanted) continue;
    findings.addError([field], `must be ${wanted}, got ${show(json[field])}`, 'not-a-definition');
  }
  if (findings.errors.length > 0) return undefined;
  checkSize(json, findings);
  return readAsServer(json, findings);
}

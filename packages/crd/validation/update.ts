import { show } from '@tenantry/kube/problem';
import { containsCertificate } from './conversion-webhook.ts';
import type {
  DecodedDefinition,
  DecodedSpec,
  DecodedVersion,
} from '../fields/decoded-definition.ts';
import { Findings, type Verdict } from '@tenantry/kube/finding';
import type { Leniency } from './leniency.ts';
import {
  checkFinalizers,
  checkMetadata,
  APPROVAL,
  approvalState,
  checkApproval,
} from './definition-identity.ts';
import { equal, checkSpec } from './definition-spec.ts';
import { decodeDefinition, validateDefinition } from './validate.ts';

/** What the API server knows about the definition that is replaced. */
export interface UpdateOptions {
  /**
   * Versions in which objects may still be stored. Default: `status.storedVersions` of the old
   * manifest, or else its storage version.
   */
  readonly storedVersions?: readonly string[];
  /** Whether the kind is served already; only then are scope and kind immutable. Default: true. */
  readonly established?: boolean;
}

/**
 * Validates the update of a definition as the API server of Kubernetes 1.36 does. It requires all
 * that it requires of a new definition, except for errors that the old one already has, and it
 * refuses changes of immutable fields. Paths are those of the new manifest. Takes any value and
 * never throws.
 *
 * @example
 * ```ts
 * import { crdManifest, validateDefinitionUpdate } from '@tenantry/crd';
 * import { redis } from './redis.ts';
 *
 * const before = crdManifest(redis);
 * const after = { ...before, spec: { ...before.spec, scope: 'Cluster' } };
 * const { errors } = validateDefinitionUpdate(before, after);
 * console.log(errors.map(({ rule }) => rule)); // [ 'immutable' ]
 * ```
 */
export function validateDefinitionUpdate(
  oldManifest: unknown,
  newManifest: unknown,
  options: UpdateOptions = {},
): Verdict {
  const findings = new Findings();
  const before = decodeDefinition(oldManifest, new Findings());
  const after = decodeDefinition(newManifest, findings);
  if (!before) {
    const message = `must replace a definition, got ${show(oldManifest)} as the old one`;
    findings.addError([], message, 'not-a-definition');
  }
  if (!before || !after) return findings;
  const { metadata = {}, spec = {} } = after;
  const { established = true } = options;
  checkFixed(before, after, established, findings);
  checkMetadata(metadata, ['metadata'], findings);
  checkFinalizers(metadata.finalizers ?? [], ['metadata', 'finalizers'], findings);
  checkSpec(spec, findings, computeLeniency(oldManifest, before, spec, established));
  checkStored(before, spec, findings, options.storedVersions);
  const [oldApproval, approval] = [before, after].map(
    (one) => one.metadata?.annotations?.[APPROVAL] ?? '',
  ) as [string, string];
  if (approvalState(oldApproval) !== approvalState(approval)) {
    checkApproval(spec.group ?? '', approval, findings);
  }
  if (spec.preserveUnknownFields && before.spec?.preserveUnknownFields) {
    const message =
      'must be absent or false in all but definitions from before apiextensions.k8s.io/v1';
    findings.addNotChecked(['spec', 'preserveUnknownFields'], message, 'preserve-unknown-fields');
  }
  return findings;
}

/**
 * Checks the immutable fields. Objects are found by group and plural; kind and scope are immutable
 * once there can be objects.
 */
function checkFixed(
  before: DecodedDefinition,
  after: DecodedDefinition,
  established: boolean,
  findings: Findings,
): void {
  const [old, now] = [before.spec ?? {}, after.spec ?? {}];
  const fixed: [path: string[], old: unknown, now: unknown][] = [
    [['metadata', 'name'], before.metadata?.name, after.metadata?.name],
    [['spec', 'group'], old.group, now.group],
    [['spec', 'names', 'plural'], old.names?.plural, now.names?.plural],
  ];
  if (established) {
    fixed.push([['spec', 'scope'], old.scope, now.scope]);
    fixed.push([['spec', 'names', 'kind'], old.names?.kind, now.names?.kind]);
  }
  const [oldUid, uid] = [before.metadata?.uid, after.metadata?.uid];
  if (oldUid !== undefined && uid !== undefined) fixed.push([['metadata', 'uid'], oldUid, uid]);
  for (const [path, from, to] of fixed) {
    if (from === to) continue;
    findings.addWrong(path, `stay ${show(from)}`, to, 'immutable');
  }
}

/** Refuses to remove a version while objects are stored in it. */
function checkStored(
  before: DecodedDefinition,
  spec: DecodedSpec,
  findings: Findings,
  given: readonly string[] | undefined,
): void {
  const kept = before.status?.storedVersions ?? [];
  const storage = before.spec?.versions?.find((version) => version.storage)?.name;
  const stored = given ?? (kept.length > 0 ? kept : storage === undefined ? [] : [storage]);
  const there = (spec.versions ?? []).map(({ name }) => name);
  for (const version of new Set(stored)) {
    if (there.includes(version)) continue;
    const message = `must hold the version ${show(version)} as long as status.storedVersions names it, got ${there.join(', ')}`;
    findings.addError(['spec', 'versions'], message, 'stored-version');
  }
}

/** Returns which errors are tolerated because the old definition has them. */
function computeLeniency(
  oldManifest: unknown,
  before: DecodedDefinition,
  spec: DecodedSpec,
  established: boolean,
): Leniency {
  const wrong = new Set(validateDefinition(oldManifest).errors.map(({ rule }) => rule));
  const { conversion, versions = [], preserveUnknownFields = false } = before.spec ?? {};
  const reviews = conversion?.webhook?.conversionReviewVersions ?? [];
  const bundle = conversion?.webhook?.clientConfig?.caBundle ?? '';
  return {
    caBundle: !established || (bundle.length > 0 && !containsCertificate(bundle)),
    reviewVersions: reviews.length > 0 && !reviews.some((one) => ['v1', 'v1beta1'].includes(one)),
    missingSchemas: wrong.has('schema-missing'),
    types: wrong.has('type'),
    unprunedDefaults: wrong.has('default-unknown-field'),
    setsOfParts: wrong.has('set-items'),
    listKeys: ['list-item-nullable', 'list-map-key-optional', 'list-map-key-nullable'].some(
      (rule) => wrong.has(rule),
    ),
    preserveUnknownFields,
    selectableFields: new Set(findOverfullVersions(versions, spec.versions ?? [])),
    unchangedSchemas: new Set(unchanged(versions, spec.versions ?? [])),
  };
}

function findOverfullVersions(
  before: readonly DecodedVersion[],
  after: readonly DecodedVersion[],
): string[] {
  return after.flatMap(({ name = '', selectableFields }) => {
    const old = before.find((version) => version.name === name)?.selectableFields ?? [];
    return old.length > 8 && equal(old, selectableFields) ? [name] : [];
  });
}

/** Returns the versions whose schemas have not changed. */
function unchanged(before: readonly DecodedVersion[], after: readonly DecodedVersion[]): string[] {
  return after.flatMap(({ name = '', schema }) => {
    const old = before.find((version) => version.name === name);
    return old && equal(old.schema, schema) ? [name] : [];
  });
}

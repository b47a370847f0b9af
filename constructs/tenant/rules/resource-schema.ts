import { builtinVersions } from '../../../kube/builtin-fields.ts';
import { findReplacementApi } from '../../../kube/builtin-kinds.ts';
import { errorAt, formatFinding, type Finding } from '../../../kube/finding.ts';
import { isMapping } from '../../../kube/mapping.ts';
import { groupOf, type KubeObject } from '../../../kube/object.ts';
import { show } from '../../../kube/problem.ts';
import { admitStrictly } from '../../../crds/admit-object.ts';
import { KUBERNETES_MINOR } from '../../../crds/validation.ts';
import { validateBuiltinMerge } from '../../../schema/builtin-merge.ts';
import { validateBuiltinObject } from '../../../schema/builtin-object.ts';
import { UNKNOWN_FIELD } from '../../../schema/validator.ts';
import type { Cluster, KnownDefinition, Platform } from '../declaration.ts';

/** Who would read the object. */
export interface SchemaContext {
  readonly platform: Platform;
  /** The clusters that it is for. */
  readonly clusters: readonly Cluster[];
}

/**
 * What the API server would say of the fields of an object that is applied on the server's side, as
 * Argo CD does: by the platform's definition of its kind, or by Kubernetes' own schemas. Nothing of a kind whose schema nobody knows. The rules of the
 * findings are the keywords of the schema.
 */
export function validateResourceSchema(
  manifest: KubeObject,
  { platform, clusters }: SchemaContext,
): readonly Finding[] {
  const { apiVersion, kind } = manifest;
  const group = groupOf(apiVersion);
  const definition = platform.definitions.get(`${group}/${kind}`);
  const written = removeUndefined(manifest);
  const found = definition
    ? validateByDefinition(written, definition)
    : validateByBuiltinSchema(written, clusters);
  const findings = found.filter((one) => !isMetadataFinding(one));
  return platform.resourceSchemas === 'Warn' ? findings.map(asWarning) : findings;
}

/** What any metadata must be is asked elsewhere; a definition may ask more of it. */
function isMetadataFinding({ path, rule }: Finding): boolean {
  return path[0] === 'metadata' && ['metadata', 'type', UNKNOWN_FIELD].includes(rule);
}

/** As it is written: what is undefined is not there. */
function removeUndefined<T>(value: T): T;
function removeUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(removeUndefined);
  if (!isMapping(value)) return value;
  const there = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(there.map(([key, inner]) => [key, removeUndefined(inner)]));
}

const asWarning = (finding: Finding): Finding => ({ ...finding, severity: 'warning' });

/** What only the API server can decide is a warning. */
function validateByDefinition(manifest: KubeObject, known: KnownDefinition): readonly Finding[] {
  const definition = known.read();
  if ('severity' in definition) {
    const must = 'must be a kind whose definition can be used, to be held to its schema';
    const message = `${must}, got ${show(manifest.kind)}: ${formatFinding(definition)}`;
    return [asWarning(errorAt(['kind'], message, NOT_USED))];
  }
  const { errors, notChecked } = admitStrictly(definition, manifest);
  return [...errors, ...notChecked.map(asWarning)];
}

function validateByBuiltinSchema(
  manifest: KubeObject,
  clusters: readonly Cluster[],
): readonly Finding[] {
  const { apiVersion, kind } = manifest;
  const newer = clusters.flatMap((one) => one.kubernetesVersion ?? []).find(isNewer);
  const unread = validateBuiltinObject(manifest) ?? findUnservedVersion(apiVersion, kind, clusters);
  const faults = [...unread, ...validateBuiltinMerge(manifest)];
  if (newer === undefined) return faults;
  return faults.map((fault) => {
    if (fault.rule !== UNKNOWN_FIELD && fault.rule !== NOT_SERVED) return fault;
    const message = `${fault.message}; Kubernetes ${KUBERNETES_MINOR} does not know it, ${newer} may`;
    return { ...fault, message, severity: 'warning' };
  });
}

const NOT_SERVED = 'not-served';
const NOT_USED = 'not-used';

/** A minor of which Tenantry does not know what is new in it. */
function isNewer(minor: string): boolean {
  return parseMinor(minor) > parseMinor(KUBERNETES_MINOR);
}

const parseMinor = (minor: string): number => Number(minor.split('.')[1]);

/** An apiVersion under which Kubernetes does not have a kind of its own. */
function findUnservedVersion(
  apiVersion: string,
  kind: string,
  clusters: readonly Cluster[],
): readonly Finding[] {
  const group = groupOf(apiVersion);
  const versions = builtinVersions(group, kind);
  if (versions.length === 0) return [];
  // A cluster that there is not is told elsewhere.
  if (clusters.length === 0) return [];
  const known = versions.join(' or ');
  // Where a cluster no longer serves it either, nothing is asked of the schema.
  if (findReplacementApi(apiVersion, kind, KUBERNETES_MINOR) !== undefined) {
    const message = `must be ${known} to be held to a schema, got ${show(apiVersion)}, which Kubernetes ${KUBERNETES_MINOR} no longer serves`;
    return [asWarning(errorAt(['apiVersion'], message, NOT_SERVED))];
  }
  const message = `must be ${known}, as Kubernetes ${KUBERNETES_MINOR} has ${kind}, got ${show(apiVersion)}`;
  return [errorAt(['apiVersion'], message, NOT_SERVED)];
}

import { builtinVersions } from '@tenantry/kube/builtin-fields';
import { findReplacementApi } from '@tenantry/kube/builtin-kinds';
import { errorAt, formatFinding, type Finding } from '@tenantry/kube/finding';
import { isMapping } from '@tenantry/kube/mapping';
import { groupOf, type KubeObject } from '@tenantry/kube/object';
import { show } from '@tenantry/kube/problem';
import { admitStrictly } from '@tenantry/crd/admit-object';
import { KUBERNETES_MINOR } from '@tenantry/crd/validation';
import { validateBuiltinMerge } from '@tenantry/crd/schema/builtin-merge';
import { validateBuiltinObject } from '@tenantry/crd/schema/builtin-object';
import { UNKNOWN_FIELD } from '@tenantry/crd/schema/validator';
import type { Cluster, KnownDefinition, Platform } from '../declaration.ts';

/** What the schema of an object depends on. */
interface SchemaContext {
  readonly platform: Platform;
  /** The clusters that the object is for. */
  readonly clusters: readonly Cluster[];
}

/**
 * Validates the fields of an object as the API server does for server-side apply, which Argo CD uses. The schema is the
 * platform's definition of the kind, or Kubernetes' own. It finds nothing for a kind without a known schema. The rules
 * of the findings are the keywords of the schema.
 */
export function validateResourceSchema(
  manifest: KubeObject,
  { platform, clusters }: SchemaContext,
): readonly Finding[] {
  const { apiVersion, kind } = manifest;
  const group = groupOf(apiVersion);
  const definition = platform.definitions.get(`${group}/${kind}`);
  const written = containsUndefined(manifest) ? removeUndefined(manifest) : manifest;
  const found = definition
    ? validateByDefinition(written, definition)
    : validateByBuiltinSchema(written, clusters);
  const findings = found.filter((one) => !isMetadataFinding(one));
  return platform.resourceSchemas === 'Warn' ? findings.map(asWarning) : findings;
}

/**
 * Whether a finding is about metadata in general, which another rule validates; a definition may have further
 * requirements.
 */
function isMetadataFinding({ path, rule }: Finding): boolean {
  return path[0] === 'metadata' && ['metadata', 'type', UNKNOWN_FIELD].includes(rule);
}

function containsUndefined(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(containsUndefined);
  if (!isMapping(value)) return value === undefined;
  for (const key in value) if (containsUndefined(value[key])) return true;
  return false;
}

/** Returns the value as it is serialized: without undefined fields. */
function removeUndefined<T>(value: T): T;
function removeUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(removeUndefined);
  if (!isMapping(value)) return value;
  const there = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(there.map(([key, inner]) => [key, removeUndefined(inner)]));
}

const asWarning = (finding: Finding): Finding => ({ ...finding, severity: 'warning' });

/** Validates an object by a definition. What only the API server can decide is a warning. */
function validateByDefinition(manifest: KubeObject, known: KnownDefinition): readonly Finding[] {
  const definition = known.read();
  if ('severity' in definition) {
    const must = 'must be a kind whose definition can be used, to be validated against its schema';
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

/** Whether Tenantry does not know what is new in a minor version. */
function isNewer(minor: string): boolean {
  return parseMinor(minor) > parseMinor(KUBERNETES_MINOR);
}

const parseMinor = (minor: string): number => Number(minor.split('.')[1]);

/** Finds an apiVersion under which Kubernetes does not serve one of its own kinds. */
function findUnservedVersion(
  apiVersion: string,
  kind: string,
  clusters: readonly Cluster[],
): readonly Finding[] {
  const group = groupOf(apiVersion);
  const versions = builtinVersions(group, kind);
  if (versions.length === 0) return [];
  // An unknown cluster is reported elsewhere.
  if (clusters.length === 0) return [];
  const known = versions.join(' or ');
  // If a cluster no longer serves it either, the schema is not validated.
  if (findReplacementApi(apiVersion, kind, KUBERNETES_MINOR) !== undefined) {
    const message = `must be ${known} to be validated against a schema, got ${show(apiVersion)}, which Kubernetes ${KUBERNETES_MINOR} no longer serves`;
    return [asWarning(errorAt(['apiVersion'], message, NOT_SERVED))];
  }
  const message = `must be ${known}, as Kubernetes ${KUBERNETES_MINOR} has ${kind}, got ${show(apiVersion)}`;
  return [errorAt(['apiVersion'], message, NOT_SERVED)];
}

import { definitionOf, type Definition } from './definition.ts';
import { readAsWritten } from './fields/written-reading.ts';
import { errorAt, type Finding } from '@tenantry/kube/finding';
import { show } from '@tenantry/kube/problem';
import { isMapping } from '@tenantry/kube/mapping';

/**
 * Returns the definition in a parsed document, as `readDefinitions` does. Use it if the document
 * has been read already and only the schemas are needed.
 * @returns the reason as a finding if the schemas cannot be used
 */
export function readDefinition(value: Readonly<Record<string, unknown>>): Definition | Finding {
  const { apiVersion } = value;
  if (apiVersion !== API_VERSION) {
    return errorAt(['apiVersion'], formatWrongVersion(apiVersion), 'version');
  }
  const faults: Finding[] = [];
  const manifest = readAsWritten(stripClusterFields(value), {
    wrong: (path, message, rule) => faults.push(errorAt(path, message, rule)),
    dropped: () => {},
    assumed: () => {},
  });
  const [fault] = faults;
  if (fault) return fault;
  const { preserveUnknownFields, versions } = manifest.spec;
  if (preserveUnknownFields === true) {
    const message = 'must be false, got true, which the API server refuses';
    return errorAt(['spec', 'preserveUnknownFields'], message, 'unsupported');
  }
  const bare = versions.findIndex(({ schema }) => schema?.openAPIV3Schema === undefined);
  if (bare >= 0) {
    const at = ['spec', 'versions', bare, 'schema', 'openAPIV3Schema'];
    return errorAt(at, 'must be a schema, got nothing', 'required');
  }
  const names = versions.map(({ name }) => name);
  const again = names.findIndex((name, i) => names.indexOf(name) < i);
  if (again >= 0) {
    const message = `must be a version of its own, got ${show(names[again])} again`;
    return errorAt(['spec', 'versions', again, 'name'], message, 'versions-unique');
  }
  return definitionOf(manifest);
}

/** The only version in which definitions are served. */
export const API_VERSION = 'apiextensions.k8s.io/v1';

/** Formats the message about a definition in another version. */
export function formatWrongVersion(apiVersion: unknown): string {
  const must = `must be '${API_VERSION}', got ${show(apiVersion)}`;
  if (apiVersion !== 'apiextensions.k8s.io/v1beta1') return must;
  return `${must}, which Kubernetes stopped serving in 1.22; take the project's newer manifests, or move spec.validation, spec.subresources and spec.additionalPrinterColumns into each of spec.versions`;
}

/** The annotation in which `kubectl apply` keeps the whole object. */
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** Removes what only a cluster writes: the status, and most of the metadata. */
export function stripClusterFields(
  value: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const { status: _, ...definition } = value;
  if (!isMapping(definition['metadata'])) return definition;
  const { name, labels, annotations } = definition['metadata'];
  const kept = isMapping(annotations) ? withoutKey(annotations, LAST_APPLIED) : annotations;
  return { ...definition, metadata: { name, labels, annotations: kept } };
}

function withoutKey(
  mapping: Readonly<Record<string, unknown>>,
  key: string,
): Record<string, unknown> | undefined {
  const entries = Object.entries(mapping).filter(([name]) => name !== key);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

import { isMapping } from '../../kube/mapping.ts';
import { show } from '../../kube/problem.ts';

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

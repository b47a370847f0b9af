import { formatList, show } from '../../../kube/problem.ts';
import { showUnlessSecret } from '../../../kube/secret.ts';
import type { TenantClassSpec } from '../../../crds/tenantry/tenant-class.ts';
import { builtinOpenKeys, type OpenKey } from '../classes/open-keys.ts';
import { matchesName } from '../name-pattern.ts';

/** The parts with keys that a class opens, each with its own list. */
export type OpenPart = 'labels' | 'annotations';

/** Lists the keys that the class allows its tenants on namespaces. */
export function listOpenNamespaceKeys(klass: TenantClassSpec, part: OpenPart): readonly OpenKey[] {
  return klass.allow?.[part] ?? builtinOpenKeys;
}

/**
 * The domains of tools that read what is in Git and apply or serve it: kubectl, kustomize and the API server; Argo CD,
 * Flux, Helm and kpt; Tenantry. A key in these domains may be a command to them.
 */
const readers =
  /^([^/]*\.)?(kubernetes\.io|k8s\.io|x-k8s\.io|argoproj\.io|fluxcd\.io|helm\.sh|kpt\.dev|tenantry\.dev)\//;

/** Keys in these domains that only people or programs in the cluster read. */
const harmless = [
  /^app\.kubernetes\.io\//,
  /^kubernetes\.io\/(description|ingress\.class|tls-acme)$/,
  /^([a-z0-9-]+\.)*ingress\.kubernetes\.io\//,
  /^service\.((alpha|beta)\.)?kubernetes\.io\//,
  /^(cluster-autoscaler|external-dns\.alpha)\.kubernetes\.io\//,
  /^volume\.beta\.kubernetes\.io\/storage-class$/,
  /^kubectl\.kubernetes\.io\/default-container$/,
  /^helm\.sh\/chart$/,
];

/** Whether a key is allowed on an object inside a namespace, independent of the class. */
export function isOpenOnObjects(key: string): boolean {
  return !readers.test(key) || harmless.some((one) => one.test(key));
}

/** Whether a list of open keys includes this key with this value. */
export function isOpen(keys: readonly OpenKey[], key: string, value: string): boolean {
  return keys.some((one) => matchesName([one.key], key) && (one.values?.includes(value) ?? true));
}

/** Formats the message about an entry that the class does not allow. */
export function formatClosedKey(
  keys: readonly OpenKey[],
  part: OpenPart,
  className: string,
  [key, value]: readonly [key: string, value: string],
): string {
  const values = keys.flatMap((one) => (matchesName([one.key], key) ? (one.values ?? []) : []));
  if (values.length > 0) {
    return `must be one of ${formatList(values)} (allow.${part} of class ${className}), got ${showUnlessSecret([key], value)}`;
  }
  const known = formatList(keys.map((one) => one.key)) || 'none';
  const must = `must be a key that class ${className} opens in allow.${part} (${known})`;
  return `${must}, got ${show(key)}${formatBooleanHint(key)}`;
}

function formatBooleanHint(key: string): string {
  const words = { true: 'y, yes, on and true', false: 'n, no, off and false' };
  return key === 'true' || key === 'false'
    ? `, as which YAML reads ${words[key]}: write a key of that name in quotes`
    : '';
}

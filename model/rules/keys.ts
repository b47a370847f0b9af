import { show, formatList, type Path } from '@tenantry/kube/problem';
import { isMapping } from '@tenantry/kube/mapping';
import { A_LABEL_VALUE, isLabelValue, isQualifiedName } from '@tenantry/kube/names';
import { showUnlessSecret } from '@tenantry/kube/secret';
import type { TenantClassSpec } from '../../crds/tenant-class.ts';
import type { TenantClassDeclaration, Cluster } from '../declaration.ts';
import { builtinOpenKeys, type OpenKey } from '../classes/allowances.ts';
import { matchesName } from '../name-pattern.ts';
import { INSTANCE_LABEL, namesApplication } from '../argocd-names.ts';
import type { RuleReporter } from './context.ts';
import { defineObjectCheck, defineTenantCheck } from './check.ts';

/** Explains why a key is reserved because it tracks objects: with it an object would belong to another owner. */
export function explainReservedKey(key: string): string | undefined {
  if (/^([^/]*\.)?argocd\.argoproj\.io\//.test(key)) return 'is reserved for Argo CD';
  // Argo CD treats Helm's hooks as its own, and keeps what Helm would keep, even when it is pruned.
  if (/^helm\.sh\/(hook|resource-policy)/.test(key)) return 'is reserved for Argo CD';
  if (/^([^/]*\.)?tenantry\.dev\//.test(key)) return 'is reserved for Tenantry';
  if (key === 'app.kubernetes.io/instance' || key === 'app.kubernetes.io/managed-by') {
    return 'records the owner of the object, which is Tenantry';
  }
  return undefined;
}

interface KeyedMetadata {
  readonly labels?: Readonly<Record<string, unknown>>;
  readonly annotations?: Readonly<Record<string, unknown>>;
}

/** The rules for labels and annotations, which `checkKeys` can report. */
export const KEY_RULES = ['key', 'reserved-key', 'metadata-key'] as const;

/** The labels and annotations of a Tenant. */
export const tenantKeys = defineTenantCheck(KEY_RULES, ({ declaration, klass }, report) =>
  checkKeys(declaration, (...rest) => ['metadata', ...rest], { klass, report }),
);

/**
 * Validates labels and annotations of a Tenant, or of an object inside its namespaces. Keys are free, except those of
 * the tools that read Git: such keys can be commands to the applier, unless they are known to be harmless.
 */
export function checkKeys<At>(
  metadata: KeyedMetadata,
  at: (...rest: Path) => At,
  {
    klass,
    report,
  }: {
    readonly klass: TenantClassDeclaration;
    readonly report: RuleReporter<(typeof KEY_RULES)[number], At>;
  },
): void {
  for (const part of ['labels', 'annotations'] as const) {
    const opened = klass.spec.allow?.[part] ?? [];
    const entries = metadata[part] ?? {};
    if (!isMapping(entries)) report(at(part), `must be a mapping, got ${show(entries)}`, 'key');
    for (const [key, value] of isMapping(entries) ? Object.entries(entries) : []) {
      const reserved = explainReservedKey(key);
      if (reserved) {
        report(at(part, key), `must not be set: the key ${show(key)} ${reserved}`, 'reserved-key');
      } else if (!isQualifiedName(key)) {
        report(at(part, key), `must be a key such as 'example.com/name', got ${show(key)}`, 'key');
      } else if (typeof value !== 'string') {
        report(at(part, key), `must be a string, got ${show(value)}`, 'key');
      } else if (part === 'labels' && !isLabelValue(value)) {
        report(at(part, key), `must be ${A_LABEL_VALUE}, got ${show(value)}`, 'key');
      } else if (!isOpenOnObjects(key) && !isOpen(opened, key, value)) {
        const message = formatClosedKey(opened, part, klass.name, [key, value]);
        report(at(part, key), message, 'metadata-key');
      }
    }
  }
}

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

/** Keys that record the owner of an object, and that templates of workloads use for their own purposes. */
const templateKeys: ReadonlySet<string> = new Set([INSTANCE_LABEL, 'app.kubernetes.io/managed-by']);

/**
 * Matches mappings with labels or annotations of objects that a controller creates:
 * `volumeClaimTemplates[].metadata.labels`.
 */
const KEYED = /^(?:labels|annotations|.*(?:Labels|Annotations))$/;

/** Fields that select by labels and set none. */
const SELECTING: ReadonlySet<string> = new Set(['matchLabels', 'selector']);

/** The maximum depth. Readers of files have a lower limit; this one is for objects from elsewhere. */
const MAX_DEPTH = 100;

/**
 * Refuses reserved keys wherever an object has labels and annotations for other objects. Otherwise a key that people
 * may not set would arrive through the controller that creates a PersistentVolumeClaim or a Secret from such a
 * template.
 */
export const embeddedKeys = defineObjectCheck(
  ['reserved-key'],
  ({ manifest, clusters, klass }, report) => {
    const areOwnFree = klass.spec.selfService?.templates?.policy === 'Disabled';
    const check: EntriesCheck = (entries, path) => {
      for (const [key, value] of Object.entries(entries)) {
        const message = findKeyFault(key, value, clusters);
        if (message !== undefined && !(areOwnFree && OWN_KEY.test(key)))
          report([...path, key], message, 'reserved-key');
      }
    };
    for (const field of Object.keys(manifest)) {
      if (field !== 'metadata') checkNested(manifest[field], [field], check);
    }
  },
);

type EntriesCheck = (entries: Readonly<Record<string, unknown>>, path: Path) => void;

/** Matches keys that a class may allow in templates. */
const OWN_KEY = /^([^/]*\.)?tenantry\.dev\//;

function checkNested(value: unknown, path: Path, check: EntriesCheck): void {
  if (path.length > MAX_DEPTH) return;
  if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) checkNested(item, [...path, i], check);
    return;
  }
  if (!isMapping(value)) return;
  const field = path.at(-1);
  if (typeof field === 'string' && KEYED.test(field)) {
    check(value, path);
    return;
  }
  for (const [key, inner] of Object.entries(value)) {
    if (!SELECTING.has(key)) checkNested(inner, [...path, key], check);
  }
}

function findKeyFault(
  key: string,
  value: unknown,
  clusters: readonly Cluster[],
): string | undefined {
  if (key === INSTANCE_LABEL && typeof value === 'string' && namesApplication(value, clusters)) {
    return `must not name an Application of the platform, got ${show(value)}`;
  }
  const reserved = templateKeys.has(key) ? undefined : explainReservedKey(key);
  if (reserved === undefined) return undefined;
  return `must not be set: the key ${show(key)} ${reserved}, and a controller would copy it`;
}

import { show, type Path } from '../../../kube/problem.ts';
import { isMapping } from '../../../kube/mapping.ts';
import { A_LABEL_VALUE, isLabelValue, isQualifiedName } from '../../../kube/names.ts';
import type { TenantClassDeclaration } from '../declaration.ts';
import type { RuleReporter } from './context.ts';
import { formatClosedKey, isOpen, isOpenOnObjects } from './open-keys.ts';

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

/**
 * Validates labels and annotations of a Tenant, or of an object inside its namespaces. Keys are free, except those of
 * the tools that read Git: such keys can be commands to the applier, unless they are known to be harmless.
 */
export function checkKeys<At>(
  metadata: KeyedMetadata,
  at: (...rest: Path) => At,
  { klass, report }: { readonly klass: TenantClassDeclaration; readonly report: RuleReporter<At> },
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

import { show } from '../../../crds/problem.ts';
import { parseQuantity } from '../../../crds/quantity.ts';
import type { LimitItem } from '../../../crds/tenantry/quota.ts';
import type { RuleContext } from './context.ts';
import { isQualifiedName } from '../../../crds/syntax.ts';

type Field = 'min' | 'defaultRequest' | 'default' | 'max';

/** What may not exceed what, as the API server checks it for a LimitRange. */
const order: readonly (readonly [lower: Field, upper: Field])[] = [
  ['min', 'max'],
  ['min', 'defaultRequest'],
  ['min', 'default'],
  ['defaultRequest', 'default'],
  ['defaultRequest', 'max'],
  ['default', 'max'],
];

/**
 * The LimitRange: no minimum or request above its limit, and nothing above the ceiling of the class.
 * Source: k8s.io/kubernetes pkg/apis/core/validation ValidateLimitRange
 */
export function limitsRules({ tenant, namespace, where, report }: RuleContext): void {
  const ceilings = tenant.klass.spec.ceilings?.limits ?? {};
  for (const item of namespace.settings.limits.items) {
    const at = where('limits', 'items');
    checkOrder(item, (message) => report(at, message, 'limit-order'));
    checkNames(item, (message) => report(at, message, 'limit-resource'));
    checkShape(item, (message) => report(at, message, 'limit-shape'));
    for (const field of ['min', 'defaultRequest', 'default', 'max'] as const) {
      for (const [key, value] of Object.entries(item[field] ?? {})) {
        const ceiling = ceilings[key];
        if (ceiling === undefined || parseQuantity(value)! <= parseQuantity(ceiling)!) continue;
        report(
          at,
          `must be at most ${ceiling} for ${item.type} ${field} ${key} (ceiling of class ${tenant.klass.name}), got ${show(value)}`,
          'ceiling-limits',
        );
      }
    }
  }
}

/** Resources that a container or pod, or a volume claim, can ask for. */
function checkNames(item: LimitItem, error: (message: string) => void): void {
  const { type, ...fields } = item;
  if (type.startsWith('openshift.io/')) return;
  for (const key of new Set(Object.values(fields).flatMap((values) => Object.keys(values)))) {
    const known =
      type === 'PersistentVolumeClaim'
        ? key === 'storage'
        : ['cpu', 'memory', 'ephemeral-storage'].includes(key) ||
          key.startsWith('hugepages-') ||
          (key.includes('/') && isQualifiedName(key));
    if (!known) error(`must be a resource of a ${type}, got ${show(key)}`);
  }
}

function checkOrder(item: LimitItem, error: (message: string) => void): void {
  for (const [lower, upper] of order) {
    for (const [key, value] of Object.entries(item[lower] ?? {})) {
      const bound = item[upper]?.[key];
      if (bound !== undefined && parseQuantity(value)! > parseQuantity(bound)!) {
        error(
          `must have ${lower} at most ${upper} for ${item.type} ${key}, got ${value} above ${bound}`,
        );
      }
    }
  }
}

function checkShape(item: LimitItem, error: (message: string) => void): void {
  if (item.type === 'Pod' && (item.default || item.defaultRequest)) {
    error('must have no default or defaultRequest for type Pod: Kubernetes refuses them');
  }
  if (item.type === 'PersistentVolumeClaim' && !item.min?.['storage'] && !item.max?.['storage']) {
    error('must have min or max of storage for type PersistentVolumeClaim');
  }
  for (const [key, ratio] of Object.entries(item.maxLimitRequestRatio ?? {})) {
    if (parseQuantity(ratio)! < parseQuantity(1)!) {
      error(`must have a maxLimitRequestRatio of at least 1 for ${item.type} ${key}, got ${ratio}`);
    }
  }
}

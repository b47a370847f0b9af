import { formatBrief, show } from '@tenantry/kube/problem';
import { MAX_AMOUNT, parseQuantity } from '@tenantry/kube/quantity';
import { isQualifiedName } from '@tenantry/kube/names';
import type { LimitItem } from '../../crds/quota.ts';
import { entryOf } from '@tenantry/kube/mapping';
import { cannotBeOvercommitted } from '../pod-admission/limit-range.ts';
import { defineNamespaceCheck } from './check.ts';
import {
  isFractionOfByte,
  formatByteFault,
  formatUnitFault,
  lacksUnit,
  isExtendedResource,
  isHugePages,
} from './resource-keys.ts';

type Field = 'min' | 'defaultRequest' | 'default' | 'max';

/** Pairs of fields of which the first must not exceed the second, as the API server checks a LimitRange. */
const order: readonly (readonly [lower: Field, upper: Field])[] = [
  ['min', 'max'],
  ['min', 'defaultRequest'],
  ['min', 'default'],
  ['defaultRequest', 'default'],
  ['defaultRequest', 'max'],
  ['default', 'max'],
];

/**
 * Validates the LimitRange: no minimum or request above its limit, and nothing above the ceiling of the class.
 * Source: k8s.io/kubernetes pkg/apis/core/validation ValidateLimitRange
 */
export const limits = defineNamespaceCheck(
  ['limit-order', 'limit-resource', 'limit-shape', 'quantity', 'byte-unit', 'ceiling-limits'],
  ({ tenant, namespace, where }, report) => {
    const ceilings = tenant.klass.spec.ceilings?.limits ?? {};
    for (const item of namespace.settings.limits.items) {
      const at = where('limits', 'items');
      for (const { message, rule } of listLimitFaults(item)) report(at, message, rule);
      for (const field of ['min', 'defaultRequest', 'default', 'max'] as const) {
        for (const [key, value] of Object.entries(item[field] ?? {})) {
          if (field !== 'min' && lacksUnit(key, value)) {
            const message = `${formatUnitFault(key, value)} (${formatBrief(item.type)} ${field})`;
            report(at, message, 'byte-unit');
          }
          const ceiling = entryOf(ceilings, key);
          if (ceiling === undefined || parseQuantity(value)! <= parseQuantity(ceiling)!) continue;
          report(
            { ...at, setting: ['limits', 'items', item.type, field, key] },
            `must be at most ${ceiling} for ${formatBrief(item.type)} ${field} ${formatBrief(key)} (ceiling of class ${tenant.klass.name}), got ${show(value)}`,
            'ceiling-limits',
          );
        }
      }
    }
  },
);

/** A reason why the API server refuses an item of a LimitRange. */
interface LimitFault {
  readonly message: string;
  readonly rule: 'limit-order' | 'limit-resource' | 'limit-shape' | 'quantity';
}

/** Lists why the API server refuses an item of a LimitRange. */
export function listLimitFaults(item: LimitItem): LimitFault[] {
  const faults: LimitFault[] = [];
  checkOrder(item, (message) => faults.push({ message, rule: 'limit-order' }));
  checkNames(item, (message) => faults.push({ message, rule: 'limit-resource' }));
  checkShape(item, (message) => faults.push({ message, rule: 'limit-shape' }));
  checkAmounts(item, (message) => faults.push({ message, rule: 'quantity' }));
  return faults;
}

/** Validates the resources: those that a container, a pod, a volume claim, or OpenShift's types can request. */
function checkNames(item: LimitItem, error: (message: string) => void): void {
  for (const key of listResourceKeys(item)) {
    if (!isLimitedResource(item.type, key)) {
      error(`must be a resource of a ${formatBrief(item.type)}, got ${show(key)}`);
    }
  }
}

/** Whether an item of a LimitRange can bound a resource. */
export function isLimitedResource(type: LimitItem['type'], key: string): boolean {
  if (type === 'PersistentVolumeClaim') return key === 'storage';
  if (type.startsWith('openshift.io/')) {
    return key === 'storage' || (key.includes('/') && isQualifiedName(key));
  }
  if (['cpu', 'memory', 'ephemeral-storage'].includes(key) || isHugePages(key)) return true;
  return isExtendedResource(key) || (key.includes('kubernetes.io/') && isQualifiedName(key));
}

function listResourceKeys({ type: _type, ...fields }: LimitItem): ReadonlySet<string> {
  return new Set(Object.values(fields).flatMap((values) => Object.keys(values)));
}

function checkAmounts({ type, ...fields }: LimitItem, error: (message: string) => void): void {
  for (const [field, values] of Object.entries(fields)) {
    for (const [key, value] of Object.entries(values)) {
      if (field !== 'maxLimitRequestRatio' && isFractionOfByte(key, value)) {
        error(`${formatByteFault(key, value)} (${formatBrief(type)} ${field})`);
      }
      if (parseQuantity(value)! <= MAX_AMOUNT) continue;
      error(
        `must be less than 8Ei for ${formatBrief(type)} ${field} ${formatBrief(key)}, got ${show(value)}`,
      );
    }
  }
}

function checkOrder(item: LimitItem, error: (message: string) => void): void {
  for (const [lower, upper] of order) {
    for (const [key, value] of Object.entries(item[lower] ?? {})) {
      const bound = entryOf(item[upper], key);
      if (isFractionOfByte(key, value) || isFractionOfByte(key, bound ?? 0)) continue;
      if (bound !== undefined && parseQuantity(value)! > parseQuantity(bound)!) {
        error(
          `must have ${lower} at most ${upper} for ${formatBrief(item.type)} ${formatBrief(key)}, got ${show(value)} above ${show(bound)}`,
        );
      }
    }
  }
}

function checkShape(item: LimitItem, error: (message: string) => void): void {
  if (item.type === 'Pod' && (item.default || item.defaultRequest)) {
    error('must have no default or defaultRequest for type Pod: Kubernetes refuses them');
  }
  const bounds = [item.min, item.max].map((field) => entryOf(field, 'storage'));
  if (item.type === 'PersistentVolumeClaim' && bounds.every((bound) => bound === undefined)) {
    error('must have min or max of storage for type PersistentVolumeClaim');
  }
  for (const [key, ratio] of Object.entries(item.maxLimitRequestRatio ?? {})) {
    if (parseQuantity(ratio)! < parseQuantity(1)!) {
      error(
        `must have a maxLimitRequestRatio of at least 1 for ${formatBrief(item.type)} ${formatBrief(key)}, got ${show(ratio)}`,
      );
    }
    const [min, max] = [entryOf(item.min, key), entryOf(item.max, key)];
    if (
      min !== undefined &&
      max !== undefined &&
      roundUpToMilli(ratio) > roundUpToMilli(max) / roundUpToMilli(min)
    ) {
      error(
        `must have a maxLimitRequestRatio of at most max divided by min for ${formatBrief(item.type)} ${formatBrief(key)}, got ${show(ratio)} above ${show(max)} divided by ${show(min)}`,
      );
    }
  }
  checkOvercommit(item, error);
}

/** Rounds up to thousandths, as the API server does before a division; a division by zero allows any ratio. */
function roundUpToMilli(value: string | number): number {
  const milli = parseQuantity('1m')!;
  return Number((parseQuantity(value)! + milli - 1n) / milli) / 1000;
}

/**
 * Validates extended resources and huge pages, which cannot be overcommitted. A container without a limit gets the
 * maximum, and one without a request gets its limit.
 */
function checkOvercommit(item: LimitItem, error: (message: string) => void): void {
  for (const key of listResourceKeys(item)) {
    const limit =
      entryOf(item.default, key) ??
      (item.type === 'Container' ? entryOf(item.max, key) : undefined);
    const request = entryOf(item.defaultRequest, key);
    if (!cannotBeOvercommitted(key) || limit === undefined || request === undefined) continue;
    if (parseQuantity(limit) !== parseQuantity(request)) {
      error(
        `must have one amount for default (or max) and defaultRequest of ${formatBrief(key)}, which cannot be overcommitted, got ${show(limit)} and ${show(request)}`,
      );
    }
  }
}

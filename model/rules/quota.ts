import { formatBrief, didYouMean, formatList, show } from '@tenantry/kube/problem';
import { MAX_AMOUNT, parseQuantity } from '@tenantry/kube/quantity';
import { entryOf } from '@tenantry/kube/mapping';
import type { ScopedQuota } from '../../crds/quota.ts';
import type { TenantClassSpec } from '../../crds/tenant-class.ts';
import { groupOf } from '@tenantry/kube/object';
import { countedKinds } from '@tenantry/kube/quota-keys';
import { isLabelValue } from '@tenantry/kube/names';
import { allowsCrossNamespaceAffinity, allowsPriority } from '../classes/allowances.ts';
import type { ResolvedTenant } from '../layers/resolved.ts';
import { isNeighborQuota } from '../objects/neighbor-quotas.ts';
import {
  isFractionOfByte,
  formatByteFault,
  formatUnitFault,
  lacksUnit,
  isMeasured,
  isQuotaKey,
  suggestQuotaKey,
  isExtendedRequest,
} from './resource-keys.ts';
import type { RuleReporter, TenantReporter, RuleContext } from './context.ts';
import {
  defineNamespaceCheck,
  defineRenderedNamespaceCheck,
  defineTenantCheck,
  type RenderedNamespace,
} from './check.ts';

/** The rules for a bound of a quota, which `checkBound` can report. */
export const BOUND_RULES = ['quota-key', 'quota-whole', 'quantity', 'byte-unit'] as const;
type BoundRule = (typeof BOUND_RULES)[number];

/** Validates the quota of a namespace: known keys, and no more than the class allows one namespace. */
export const quota = defineNamespaceCheck(
  [...BOUND_RULES, 'quota-scope', 'quota-unusable', 'ceiling-quota'],
  checkQuota,
);

function checkQuota(
  context: RuleContext,
  report: TenantReporter<BoundRule | 'quota-scope' | 'quota-unusable' | 'ceiling-quota'>,
): void {
  const { tenant, namespace, where } = context;
  const { hard, scoped } = namespace.settings.quota;
  const ceilings = tenant.klass.spec.ceilings?.quota ?? {};
  const locate = (key: string) => {
    const at = where('quota', 'hard', key);
    const path = namespace.raised?.get(key);
    return path ? { ...at, path } : at;
  };
  for (const [key, value] of Object.entries(hard)) checkBound(key, value, locate(key), report);
  warnAboveLimit(context, report);
  for (const item of scoped) {
    const at = where('quota', 'scoped');
    for (const [key, value] of Object.entries(item.hard)) {
      checkBound(key, value, at, report);
    }
    for (const fault of listScopeFaults(item)) {
      report(at, `${fault} in ${show(item.name)}`, 'quota-scope');
    }
    const closed = findClosedScope(item, namespace.klass.spec);
    if (closed !== undefined) {
      const message = `must be for pods that class ${tenant.klass.name} lets in (${closed}) to be of use, got ${show(item.name)}`;
      report(at, message, 'quota-unusable');
    }
  }
  for (const [key, ceiling] of Object.entries(ceilings)) {
    const value = entryOf(hard, key);
    if (value === undefined || parseQuantity(value)! > parseQuantity(ceiling)!) {
      const at = locate(key);
      report(
        value === undefined ? { ...at, by: 'elsewhere' } : at,
        `must be at most ${ceiling} for ${formatBrief(key)} (ceiling of class ${tenant.klass.name}), got ${value === undefined ? 'no bound' : show(value)} in namespace ${namespace.name}`,
        'ceiling-quota',
      );
    }
  }
}

/** Validates a bound of a quota: a key that Kubernetes counts, and an amount of it. */
export function checkBound<At>(
  key: string,
  value: string | number,
  at: At,
  report: RuleReporter<BoundRule, At>,
): void {
  if (isQuotaKey(key)) return checkAmount(key, value, at, report);
  const hint = didYouMean(suggestQuotaKey(key));
  report(at, `must be a resource that Kubernetes counts, got ${show(key)}${hint}`, 'quota-key');
}

/** The maximum count, far more than there is of anything. The API server computes thousandths in 64 bits. */
const MAX_COUNT = parseQuantity('1P')!;
const ONE = parseQuantity(1)!;

/** Validates an amount: countable resources are whole numbers, and no amount exceeds a quantity. */
function checkAmount<At>(
  key: string,
  value: string | number,
  at: At,
  report: RuleReporter<'quota-whole' | 'quantity' | 'byte-unit', At>,
): void {
  if (value === 'unlimited') return;
  const amount = parseQuantity(value)!;
  if (!isMeasured(key)) {
    if (amount % ONE === 0n && amount <= MAX_COUNT) return;
    const must = amount > MAX_COUNT ? 'a number up to 1P' : 'a whole number';
    report(at, `must be ${must} for ${formatBrief(key)}, got ${show(value)}`, 'quota-whole');
  } else if (isFractionOfByte(key, value)) {
    report(at, formatByteFault(key, value), 'quantity');
  } else if (lacksUnit(key, value)) {
    report(at, formatUnitFault(key, value), 'byte-unit');
  } else if (amount > MAX_AMOUNT) {
    report(at, `must be less than 8Ei for ${formatBrief(key)}, got ${show(value)}`, 'quantity');
  }
}

/** Finds the field of a class without which a scoped quota never counts a pod; undefined if it may count some. */
function findClosedScope(
  { scopes = [], scopeSelector = [] }: ScopedQuota,
  klass: TenantClassSpec,
): string | undefined {
  const names = [...scopes, ...scopeSelector.map(({ scopeName }) => scopeName)];
  if (names.includes('CrossNamespacePodAffinity') && !allowsCrossNamespaceAffinity(klass)) {
    return 'allow.crossNamespaceAffinity';
  }
  const isClosed = scopeSelector.some(
    ({ scopeName, operator, values = [] }) =>
      scopeName === 'PriorityClass' &&
      operator === 'In' &&
      values.length > 0 &&
      values.every((value) => !allowsPriority(klass, value)),
  );
  return isClosed ? 'allow.priorityClasses' : undefined;
}

/** Warns about requests above limits: a quota may have them, but the difference can never be used. */
function warnAboveLimit(
  { namespace, where }: RuleContext,
  report: TenantReporter<'quota-unusable'>,
): void {
  const { hard } = namespace.settings.quota;
  for (const resource of ['cpu', 'memory', 'ephemeral-storage']) {
    const asking = [`requests.${resource}`, resource].find((key) => hard[key] !== undefined);
    const request = asking === undefined ? undefined : hard[asking];
    const limit = hard[`limits.${resource}`];
    if (asking === undefined || request === undefined || limit === undefined) continue;
    if (isFractionOfByte(asking, request) || isFractionOfByte(asking, limit)) continue;
    if (lacksUnit(asking, request) || lacksUnit(asking, limit)) continue;
    if (parseQuantity(request)! > parseQuantity(limit)!) {
      report(
        where('quota', 'hard', `limits.${resource}`),
        `must be at least the ${formatBrief(String(request))} of ${asking} for that to be of use, got ${show(limit)} for limits.${resource}`,
        'quota-unusable',
      );
    }
  }
}

/** Validates that all namespaces of a tenant together stay below what the class allows a tenant. */
export const tenantQuota = defineTenantCheck(['ceiling-tenant-quota'], checkTenantQuota);

function checkTenantQuota(
  tenant: ResolvedTenant,
  report: TenantReporter<'ceiling-tenant-quota'>,
): void {
  const { klass, namespaces, declaration } = tenant;
  const ceilings = Object.entries(klass.spec.ceilings?.tenantQuota ?? {});
  for (const [key, ceiling] of ceilings) {
    const values = namespaces.map(({ settings }) => entryOf(settings.quota.hard, key));
    const sum = values.reduce<bigint | undefined>(
      (total, value) =>
        total === undefined || value === undefined ? undefined : total + parseQuantity(value)!,
      0n,
    );
    if (sum !== undefined && sum <= parseQuantity(ceiling)!) continue;
    const got =
      sum === undefined ? 'no bound in some namespace' : formatList(values.map(show), ' + ');
    const declaredQuota = declaration.spec.quota;
    const field = (['total', 'hard'] as const).find((name) => declaredQuota?.[name]);
    report(
      {
        path: field ? ['spec', 'quota', field, key] : ['spec', 'namespaces'],
        setting: ['quota', 'total', key],
        by: sum === undefined ? 'elsewhere' : 'tenant',
      },
      `must be at most ${ceiling} for ${formatBrief(key)} in all namespaces together (ceiling of class ${klass.name}), got ${got}`,
      'ceiling-tenant-quota',
    );
  }
}

/** The objects that Kubernetes itself creates in every namespace. */
const builtinObjects: Readonly<Record<string, readonly string[]>> = {
  '/ConfigMap': ['kube-root-ca.crt'],
  '/ServiceAccount': ['default'],
};

/**
 * Validates that a quota has room for all rendered objects of its namespace that it counts. Otherwise the API server
 * refuses the rest, which can be a policy that isolates the namespace, or another quota.
 */
export const quotaRoom = defineRenderedNamespaceCheck(['quota-room'], checkQuotaRoom);

function checkQuotaRoom(
  { namespace, where, objects }: RenderedNamespace,
  report: TenantReporter<'quota-room'>,
): void {
  const { hard } = namespace.settings.quota;
  for (const [key, bound] of Object.entries(hard)) {
    const counted = countedKinds.get(key);
    if (counted === undefined) continue;
    // A bound on quotas is rendered with room for those that bound a tenant's effect on others.
    const names = objects
      .filter(({ apiVersion, kind }) => `${groupOf(apiVersion)}/${kind}` === counted)
      .filter((object) => !isNeighborQuota(object))
      .map(({ metadata }) => metadata.name);
    const count = new Set([...names, ...(builtinObjects[counted] ?? [])]).size;
    if (parseQuantity(bound)! >= parseQuantity(count)!) continue;
    report(
      where('quota', 'hard', key),
      `must be at least ${count} for ${key}, which namespace ${namespace.name} has from the start, got ${show(bound)}`,
      'quota-room',
    );
  }
}

const computeResources = /^((requests|limits)\.)?(cpu|memory)$/;
const exclusive = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
] as const;

/**
 * Lists problems with the scopes of a quota, by Kubernetes' own rules.
 * Source: k8s.io/kubernetes pkg/apis/core/validation ValidateResourceQuotaSpec
 */
export function listScopeFaults({ hard, scopes = [], scopeSelector = [] }: ScopedQuota): string[] {
  const faults: string[] = [];
  if (scopes.length + scopeSelector.length === 0) {
    faults.push('must have scopes or a scopeSelector');
  }
  const all = [...scopes, ...scopeSelector.map(({ scopeName }) => scopeName)];
  for (const [one, other] of exclusive) {
    if (all.includes(one) && all.includes(other)) {
      faults.push(`must have either ${one} or ${other}, got both`);
    }
  }
  for (const { scopeName, operator, values = [] } of scopeSelector) {
    const lists = operator === 'In' || operator === 'NotIn';
    if (scopeName !== 'PriorityClass' && operator !== 'Exists') {
      faults.push(`must have the operator Exists for scope ${scopeName}, got ${operator}`);
    } else if (lists !== values.length > 0) {
      faults.push(`must have ${lists ? 'values' : 'no values'} for ${operator} of ${scopeName}`);
    }
    // The API server accepts such values, but the comparison with a pod then fails, and no pod is ever admitted.
    const odd = values.find((value) => !isLabelValue(value));
    if (odd !== undefined) faults.push(`must have names as values, got ${show(odd)}`);
  }
  for (const key of Object.keys(hard)) {
    for (const scope of new Set(all)) {
      if (!countsKey(scope, key))
        faults.push(
          `must not bound ${formatBrief(key)} in scope ${scope}, which does not count it`,
        );
    }
  }
  return faults;
}

/**
 * Whether a scope counts a key: scopes are about pods. Source: k8s.io/kubernetes pkg/quota/v1/evaluator/core
 * podEvaluator
 */
function countsKey(scope: string, key: string): boolean {
  if (key === 'pods' || key === 'count/pods' || isExtendedRequest(key)) return true;
  return scope !== 'BestEffort' && computeResources.test(key);
}

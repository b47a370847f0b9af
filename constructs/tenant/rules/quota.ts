import { formatBrief, didYouMean, formatList, show } from '../../../kube/problem.ts';
import { MAX_AMOUNT, parseQuantity } from '../../../kube/quantity.ts';
import { entryOf } from '../../../kube/mapping.ts';
import type { ScopedQuota } from '../../../crds/tenantry/quota.ts';
import type { TenantClassSpec } from '../../../crds/tenantry/tenant-class.ts';
import { allowsCrossNamespaceAffinity, allowsPriority } from '../classes/pod-openings.ts';
import type { ResolvedTenant } from '../layers/resolved.ts';
import { isFractionOfByte, formatByteFault } from './bytes.ts';
import { isMeasured, isQuotaKey, suggestQuotaKey } from './quota-keys.ts';
import { listScopeFaults } from './scopes.ts';
import type { RuleReporter, TenantReporter, RuleContext } from './context.ts';

/** Validates the quota of a namespace: known keys, and no more than the class allows one namespace. */
export function checkQuota(context: RuleContext): void {
  const { tenant, namespace, where, report } = context;
  const { hard, scoped } = namespace.settings.quota;
  const ceilings = tenant.klass.spec.ceilings?.quota ?? {};
  for (const [key, value] of Object.entries(hard)) {
    checkBound(key, value, where('quota', 'hard', key), report);
  }
  warnAboveLimit(context);
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
      report(at, message, 'quota-unusable', { severity: 'warning' });
    }
  }
  for (const [key, ceiling] of Object.entries(ceilings)) {
    const value = entryOf(hard, key);
    if (value === undefined || parseQuantity(value)! > parseQuantity(ceiling)!) {
      const at = where('quota', 'hard', key);
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
  report: RuleReporter<At>,
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
  report: RuleReporter<At>,
): void {
  if (value === 'unlimited') return;
  const amount = parseQuantity(value)!;
  if (!isMeasured(key)) {
    if (amount % ONE === 0n && amount <= MAX_COUNT) return;
    const must = amount > MAX_COUNT ? 'a number up to 1P' : 'a whole number';
    report(at, `must be ${must} for ${formatBrief(key)}, got ${show(value)}`, 'quota-whole');
  } else if (isFractionOfByte(key, value)) {
    report(at, formatByteFault(key, value), 'quantity');
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
function warnAboveLimit({ namespace, where, report }: RuleContext): void {
  const { hard } = namespace.settings.quota;
  for (const resource of ['cpu', 'memory', 'ephemeral-storage']) {
    const asking = [`requests.${resource}`, resource].find((key) => hard[key] !== undefined);
    const request = asking === undefined ? undefined : hard[asking];
    const limit = hard[`limits.${resource}`];
    if (asking === undefined || request === undefined || limit === undefined) continue;
    if (isFractionOfByte(asking, request) || isFractionOfByte(asking, limit)) continue;
    if (parseQuantity(request)! > parseQuantity(limit)!) {
      report(
        where('quota', 'hard', `limits.${resource}`),
        `must be at least the ${formatBrief(String(request))} of ${asking} for that to be of use, got ${show(limit)} for limits.${resource}`,
        'quota-unusable',
        { severity: 'warning' },
      );
    }
  }
}

/** Validates that all namespaces of a tenant together stay below what the class allows a tenant. */
export function checkTenantQuota(tenant: ResolvedTenant, report: TenantReporter): void {
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

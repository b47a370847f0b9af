import { nearest, show, type Path } from '../../../crds/problem.ts';
import { parseQuantity } from '../../../crds/quantity.ts';
import type { ResolvedTenant } from '../resolved.ts';
import { isQualifiedName } from '../../../crds/syntax.ts';
import { scopeFaults } from './scopes.ts';
import type { Report, RuleContext } from './context.ts';

/** https://kubernetes.io/docs/concepts/policy/resource-quotas/ */
const quotaKeys = [
  'cpu',
  'memory',
  'ephemeral-storage',
  'requests.cpu',
  'requests.memory',
  'requests.ephemeral-storage',
  'limits.cpu',
  'limits.memory',
  'limits.ephemeral-storage',
  'requests.storage',
  'persistentvolumeclaims',
  'pods',
  'services',
  'services.loadbalancers',
  'services.nodeports',
  'replicationcontrollers',
  'resourcequotas',
  'secrets',
  'configmaps',
];

function isQuotaKey(key: string): boolean {
  if (quotaKeys.includes(key)) return true;
  if (key.startsWith('count/')) return /^count\/[a-z0-9.-]+$/.test(key);
  if (/^(requests\.)?hugepages-./.test(key)) return true;
  return key.includes('/') && isQualifiedName(key.replace(/^(requests|limits)\./, ''));
}

/** The quota of a namespace: known keys, and no more than the class lets one namespace have. */
export function quotaRules(context: RuleContext): void {
  const { tenant, namespace, where, report } = context;
  const { hard, scoped } = namespace.settings.quota;
  const ceilings = tenant.klass.spec.ceilings?.quota ?? {};
  for (const [key, value] of Object.entries(hard)) {
    checkKey(key, where('quota', 'hard', key), report);
    checkWhole(key, value, where('quota', 'hard', key), report);
  }
  warnAboveLimit(context);
  for (const item of scoped) {
    const at = where('quota', 'scoped');
    for (const [key, value] of Object.entries(item.hard)) {
      checkKey(key, at, report);
      checkWhole(key, value, at, report);
    }
    for (const fault of scopeFaults(item)) {
      report(at, `${fault} in ${show(item.name)}`, 'quota-scope');
    }
  }
  for (const [key, ceiling] of Object.entries(ceilings)) {
    const value = hard[key];
    if (value === undefined || parseQuantity(value)! > parseQuantity(ceiling)!) {
      report(
        where('quota', 'hard', key),
        `must be at most ${ceiling} for ${key} (ceiling of class ${tenant.klass.name}), got ${value === undefined ? 'no bound' : show(value)} in namespace ${namespace.name}`,
        'ceiling-quota',
      );
    }
  }
}

function checkKey(key: string, at: Path, report: Report): void {
  if (isQuotaKey(key)) return;
  const meant = nearest(key, quotaKeys);
  report(
    at,
    `must be a resource that Kubernetes counts, got ${show(key)}${meant ? `; did you mean ${show(meant)}?` : ''}`,
    'quota-key',
  );
}

const measured = /(^|\.)(cpu|memory|storage|ephemeral-storage)$|hugepages-/;

/** What is counted is counted in wholes. */
function checkWhole(key: string, value: string | number, at: Path, report: Report): void {
  if (value === 'unlimited' || measured.test(key)) return;
  if (parseQuantity(value)! % parseQuantity(1)! !== 0n) {
    report(at, `must be a whole number for ${key}, got ${show(value)}`, 'quota-whole');
  }
}

/** Requests above limits are legal in a quota, and the rest of them can never be used. */
function warnAboveLimit({ namespace, where, report }: RuleContext): void {
  const { hard } = namespace.settings.quota;
  for (const resource of ['cpu', 'memory', 'ephemeral-storage']) {
    const request = hard[`requests.${resource}`] ?? hard[resource];
    const limit = hard[`limits.${resource}`];
    if (request === undefined || limit === undefined) continue;
    if (parseQuantity(request)! > parseQuantity(limit)!) {
      report(
        where('quota', 'hard', `limits.${resource}`),
        `must be at least the ${request} of requests.${resource} for that to be of use, got ${show(limit)}`,
        'quota-unusable',
        'warning',
      );
    }
  }
}

/** All namespaces of a tenant together stay below what the class lets a tenant have. */
export function tenantQuotaRules(tenant: ResolvedTenant, report: Report): void {
  const { klass, namespaces, declaration } = tenant;
  const ceilings = Object.entries(klass.spec.ceilings?.tenantQuota ?? {});
  for (const [key, ceiling] of ceilings) {
    const values = namespaces.map(({ settings }) => settings.quota.hard[key]);
    const sum = values.reduce<bigint | undefined>(
      (total, value) =>
        total === undefined || value === undefined ? undefined : total + parseQuantity(value)!,
      0n,
    );
    if (sum !== undefined && sum <= parseQuantity(ceiling)!) continue;
    const got = sum === undefined ? 'no bound in some namespace' : values.map(show).join(' + ');
    const field = ['total', 'hard'].find(
      (name) => (declaration.spec.quota as Record<string, object> | undefined)?.[name],
    );
    report(
      field ? ['spec', 'quota', field, key] : ['spec', 'namespaces'],
      `must be at most ${ceiling} for ${key} in all namespaces together (ceiling of class ${klass.name}), got ${got}`,
      'ceiling-tenant-quota',
    );
  }
}

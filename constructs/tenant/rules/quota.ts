import { nearest, show } from '../../../crds/problem.ts';
import { parseQuantity } from '../../../crds/quantity.ts';
import type { ResolvedTenant } from '../resolved.ts';
import { isQualifiedName } from './metadata.ts';
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
  if (key.startsWith('hugepages-') || key.startsWith('requests.hugepages-')) return true;
  return key.includes('/') && isQualifiedName(key.replace(/^(requests|limits)\./, ''));
}

/** The quota of a namespace: known keys, and no more than the class lets one namespace have. */
export function quotaRules({ tenant, namespace, where, report }: RuleContext): void {
  const { hard, scoped } = namespace.settings.quota;
  const ceilings = tenant.klass.spec.ceilings?.quota ?? {};
  for (const key of Object.keys(hard)) checkKey(key, where('quota', 'hard', key), report);
  for (const item of scoped) {
    const at = where('quota', 'scoped');
    for (const key of Object.keys(item.hard)) checkKey(key, at, report);
    if (!item.scopes && !item.scopeSelector) {
      report(at, `must have scopes or a scopeSelector in ${show(item.name)}`, 'quota-scope');
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

function checkKey(key: string, at: readonly (string | number)[], report: Report): void {
  if (isQuotaKey(key)) return;
  const meant = nearest(key, quotaKeys);
  report(
    at,
    `must be a resource that Kubernetes counts, got ${show(key)}${meant ? `; did you mean ${show(meant)}?` : ''}`,
    'quota-key',
  );
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

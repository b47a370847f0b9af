import type { LimitItem } from '../../crds/quota.ts';
import { entryOf } from '@tenantry/kube/mapping';
import { formatBrief, show, type Path } from '@tenantry/kube/problem';
import { parseQuantity } from '@tenantry/kube/quantity';
import { completePod, listLimitRefusals } from '../pod-admission/limit-range.ts';
import { listQuotaRefusals, placeInScopes, type PodQuota } from '../pod-admission/pod-quota.ts';
import { blankPod, readAmounts, type PodDemand } from '../pod-admission/workload-demand.ts';
import { resolveTenant } from '../layers/resolve.ts';
import type { ResolvedNamespace } from '../layers/resolved.ts';
import { isFractionOfByte, lacksUnit } from './resource-keys.ts';
import type { SettingLocation, RuleContext, TenantReporter } from './context.ts';
import { defineNamespaceCheck } from './check.ts';
import { listLimitFaults } from './limits.ts';

/** A conflict between a LimitRange and quotas. */
interface PodFault {
  /** The setting to change. */
  readonly setting: Path;
  readonly message: string;
  readonly rule: PodRule;
}

const podRules = [
  'limits-refuse-defaults',
  'limits-admit-none',
  'quota-refuses-defaults',
  'quota-admits-none',
] as const;
type PodRule = (typeof podRules)[number];

/**
 * Validates that the LimitRange and the quotas admit a pod without resources, and any pod at all. The API server
 * accepts each of them independently of the others, and then refuses the pods.
 */
export const podBounds = defineNamespaceCheck(podRules, (context, report) => {
  const faults = listPodFaults(context.namespace);
  if (faults.length === 0) return;
  const ofClass = new Set(
    listPodFaults(resolveClassNamespace(context)).map(({ message }) => message),
  );
  for (const fault of faults) warn(context, fault, ofClass.has(fault.message), report);
});

function listPodFaults(namespace: ResolvedNamespace | undefined): PodFault[] {
  if (!namespace) return [];
  const { items } = namespace.settings.limits;
  if (admitsNoPods(namespace) || !isValidLimitRange(items)) return [];
  const pod = completePod(blankPod, items);
  const ofPodMax = listFaultsOfPodMax(items);
  // If no pod fits, a pod without resources does not either.
  const refusals = listLimitRefusals(pod, items).filter(
    ({ key, type }) => type !== 'Pod' || !ofPodMax.has(key),
  );
  return [
    ...ofPodMax.values(),
    ...refusals.map(({ words }): PodFault => ({
      setting: ['limits', 'items'],
      message: `must admit a pod that states no resources, got ${words}`,
      rule: 'limits-refuse-defaults',
    })),
    ...listNamespaceQuotas(namespace)
      .filter((one) => !isClosed(one))
      .flatMap((quota) => listQuotaFaults(quota, items, pod)),
  ];
}

/** @param pod a pod without resources, completed by the LimitRange */
function listQuotaFaults(quota: PodQuota, items: readonly LimitItem[], pod: PodDemand): PodFault[] {
  const impossible = findImpossible(quota, items);
  const faults = [...impossible].map(([key, message]): PodFault => ({
    setting: findSetting(quota, key),
    message,
    rule: 'quota-admits-none',
  }));
  for (const { key, words, unstated } of listQuotaRefusals(quota, placeInScopes(pod, quota))) {
    if (impossible.has(key)) continue;
    // Without a default, each pod is expected to state the resource itself.
    if (unstated !== undefined && !hasDefault(pod, unstated)) continue;
    const message = `must admit a pod that states no resources, got ${words}`;
    faults.push({ setting: findSetting(quota, key), message, rule: 'quota-refuses-defaults' });
  }
  return faults;
}

/** Whether a LimitRange gave a pod without resources a request or a limit. */
function hasDefault({ containers }: PodDemand, resource: string): boolean {
  return containers.some(({ requests, limits }) => requests.has(resource) || limits.has(resource));
}

/** Resolves a namespace as its class defines it for a tenant that only sets the environment. */
function resolveClassNamespace({ tenant, namespace }: RuleContext): ResolvedNamespace | undefined {
  const { name, environment } = namespace;
  const entry = { name, ...(environment !== undefined && { environment }) };
  const silent = { name: tenant.declaration.name, spec: { namespaces: [entry] } };
  return resolveTenant(silent, tenant.klass, tenant.platform).namespaces[0];
}

/** Whether a namespace is intentionally closed to pods. */
function admitsNoPods({ lifecycle, settings }: ResolvedNamespace): boolean {
  return lifecycle !== 'Active' || isClosed(settings.quota);
}

/** Whether a quota intentionally admits no pods of its scopes. */
function isClosed({ hard }: Pick<PodQuota, 'hard'>): boolean {
  return ['pods', 'count/pods'].some((key) => {
    const bound = entryOf<string | number>(hard, key);
    return bound !== undefined && parseQuantity(bound) === 0n;
  });
}

/** Whether the API server accepts the LimitRange, so that it can refuse pods. */
export function isValidLimitRange(items: readonly LimitItem[]): boolean {
  return items.every((item) => listLimitFaults(item).length === 0);
}

/** Lists the quotas of a namespace, the one without scopes first, and without bounds that are refused. */
export function listNamespaceQuotas({ settings }: ResolvedNamespace): PodQuota[] {
  const { name, hard, scoped } = settings.quota;
  return [{ name, hard }, ...scoped].map((quota) => ({
    ...quota,
    hard: Object.fromEntries(
      Object.entries(quota.hard).filter(
        ([key, bound]) => !isFractionOfByte(key, bound) && !lacksUnit(key, bound),
      ),
    ),
  }));
}

const isScoped = ({ scopes = [], scopeSelector = [] }: PodQuota): boolean =>
  scopes.length + scopeSelector.length > 0;

const findSetting = (quota: PodQuota, key: string): Path =>
  isScoped(quota) ? ['quota', 'scoped'] : ['quota', 'hard', key];

const showAmount = (amounts: LimitItem['min'], key: string): string =>
  show(entryOf<string | number>(amounts, key));

/** Reports that the maximum of a pod is below the minimum of a container. */
function listFaultsOfPodMax(items: readonly LimitItem[]): ReadonlyMap<string, PodFault> {
  const pod = items.find(({ type }) => type === 'Pod');
  const max = readAmounts(pod?.max);
  const container = items.find(({ type }) => type === 'Container');
  const faults = [...readAmounts(container?.min)].flatMap(([key, min]): [string, PodFault][] => {
    const most = max.get(key);
    if (most === undefined || min <= most) return [];
    const message = `must have Container min at most Pod max for ${formatBrief(key)} to admit any pod, got ${showAmount(container?.min, key)} above ${showAmount(pod?.max, key)}`;
    return [[key, { setting: ['limits', 'items'], message, rule: 'limits-admit-none' }]];
  });
  return new Map(faults);
}

/** Matches the keys of a quota that every pod must have a request or a limit for. */
const COMPUTE_KEY = /^(?:(?:requests|limits)\.)?(?:cpu|memory)$/;

/**
 * Finds the keys of a quota below what the smallest pod, or volume claim, must request, with a message for each. Each
 * container must state what a quota on cpu or memory bounds, and at least the minimum.
 */
function findImpossible(quota: PodQuota, items: readonly LimitItem[]): ReadonlyMap<string, string> {
  const impossible = new Map<string, string>();
  for (const [key, hard] of Object.entries(quota.hard)) {
    if (!COMPUTE_KEY.test(key) || hard === 'unlimited' || parseQuantity(hard)! > 0n) continue;
    const message = `must be above 0 for ${key} of quota ${quota.name} to admit any pod, got ${show(hard)}; to exclude pods on purpose, set pods to 0`;
    impossible.set(key, message);
  }
  for (const { type, min = {} } of items) {
    if (type.startsWith('openshift.io/')) continue;
    for (const [resource, least] of readAmounts(min)) {
      for (const key of listQuotaKeys(type, resource, quota)) {
        const hard = entryOf<string | number>(quota.hard, key);
        if (hard === undefined || hard === 'unlimited' || parseQuantity(hard)! >= least) continue;
        if (impossible.has(key)) continue;
        const what = type === 'PersistentVolumeClaim' ? 'claim' : 'pod';
        const message = `must be at least the min of a ${type} for ${key} of quota ${quota.name} to admit any ${what}, got ${show(hard)} below ${showAmount(min, resource)}`;
        impossible.set(key, message);
      }
    }
  }
  return impossible;
}

function listQuotaKeys(type: LimitItem['type'], resource: string, { hard }: PodQuota): string[] {
  if (type === 'PersistentVolumeClaim') {
    const ofClasses = Object.keys(hard).filter((key) =>
      key.endsWith('.storageclass.storage.k8s.io/requests.storage'),
    );
    return ['requests.storage', ...ofClasses];
  }
  const isRequired = resource === 'cpu' || resource === 'memory';
  return [resource, `requests.${resource}`, ...(isRequired ? [`limits.${resource}`] : [])];
}

/**
 * Warns where the tenant sets the quota or the limits; of two places, where it sets more. If the class alone causes the
 * conflict, it is a mistake of the class, unless the tenant sets the bound itself. The setting stays the same, so that
 * a class and its tenants report one mistake once.
 */
function warn(
  context: RuleContext,
  { setting, message, rule }: PodFault,
  isOfClass: boolean,
  report: TenantReporter<PodRule>,
): void {
  const places = [setting, ['limits', 'items'], ['quota', 'hard']].map((one) =>
    context.where(...one),
  );
  const isStated = ({ by, path, setting: asked }: SettingLocation): boolean =>
    by !== 'elsewhere' && asked.slice(1).every((part, i) => path.at(i + 1 - asked.length) === part);
  const [first] = places;
  const isStatedHere = !isOfClass || first!.by === 'class' || isStated(first!);
  const place = isStatedHere
    ? (places.find(isStated) ?? places.find(({ by }) => by !== 'elsewhere') ?? first!)
    : ({ path: ['spec', 'className'], by: 'elsewhere' } as const);
  report({ ...place, setting }, message, rule);
}

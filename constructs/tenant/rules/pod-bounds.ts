import type { LimitItem } from '../../../crds/tenantry/quota.ts';
import { entryOf } from '../../../kube/mapping.ts';
import { brief, show, type Path } from '../../../kube/problem.ts';
import { parseQuantity } from '../../../kube/quantity.ts';
import { completePod, limitRefusals } from '../pod-admission/limit-range.ts';
import { quotaRefusals, withinScopes, type PodQuota } from '../pod-admission/pod-quota.ts';
import { blankPod, readAmounts } from '../pod-admission/pod-resources.ts';
import type { ResolvedNamespace } from '../layers/resolved.ts';
import { isPartOfByte } from './bytes.ts';
import type { Place, RuleContext } from './context.ts';
import { limitFaults } from './limits.ts';

/**
 * The LimitRange and the quotas admit a pod that states no resources, and some pod at all. The API
 * server takes each of them whatever the others are; what they refuse then are the pods.
 */
export function podBoundRules(context: RuleContext): void {
  const { namespace } = context;
  const { items } = namespace.settings.limits;
  if (admitsNoPods(namespace) || !isSound(items)) return;
  warnOfPodMax(context, items);
  const pod = completePod(blankPod, items);
  for (const { words } of limitRefusals(pod, items)) {
    const message = `must admit a pod that states no resources, got ${words}`;
    warn(context, ['limits', 'items'], message, 'limits-refuse-defaults');
  }
  for (const quota of quotasOf(namespace).filter((one) => !isClosed(one))) {
    const impossible = warnOfQuota(context, quota, items);
    for (const { key, words } of quotaRefusals(quota, withinScopes(pod, quota))) {
      if (impossible.has(key)) continue;
      const message = `must admit a pod that states no resources, got ${words}`;
      warn(context, settingOf(quota, key), message, 'quota-refuses-defaults');
    }
  }
}

/** Whether a namespace is closed to pods on purpose. */
export function admitsNoPods({ lifecycle, settings }: ResolvedNamespace): boolean {
  return lifecycle !== 'Active' || isClosed(settings.quota);
}

/** Whether a quota lets no pod of its scopes in on purpose. */
function isClosed({ hard }: Pick<PodQuota, 'hard'>): boolean {
  return ['pods', 'count/pods'].some((key) => {
    const bound = entryOf<string | number>(hard, key);
    return bound !== undefined && parseQuantity(bound) === 0n;
  });
}

/** Whether the API server accepts the LimitRange, so that it can refuse pods. */
export function isSound(items: readonly LimitItem[]): boolean {
  return items.every((item) => limitFaults(item).length === 0);
}

/** The quotas of a namespace, the one without scopes first, and without bounds that are refused. */
export function quotasOf({ settings }: ResolvedNamespace): PodQuota[] {
  const { name, hard, scoped } = settings.quota;
  return [{ name, hard }, ...scoped].map((quota) => ({
    ...quota,
    hard: Object.fromEntries(
      Object.entries(quota.hard).filter(([key, bound]) => !isPartOfByte(key, bound)),
    ),
  }));
}

const isScoped = ({ scopes = [], scopeSelector = [] }: PodQuota): boolean =>
  scopes.length + scopeSelector.length > 0;

const settingOf = (quota: PodQuota, key: string): Path =>
  isScoped(quota) ? ['quota', 'scoped'] : ['quota', 'hard', key];

const shown = (amounts: LimitItem['min'], key: string): string =>
  show(entryOf<string | number>(amounts, key));

/** No pod has a container of the least size where a pod may be no larger than less. */
function warnOfPodMax(context: RuleContext, items: readonly LimitItem[]): void {
  const pod = items.find(({ type }) => type === 'Pod');
  const max = readAmounts(pod?.max);
  const container = items.find(({ type }) => type === 'Container');
  for (const [key, min] of readAmounts(container?.min)) {
    const most = max.get(key);
    if (most === undefined || min <= most) continue;
    const message = `must have Container min at most Pod max for ${brief(key)} to admit any pod, got ${shown(container?.min, key)} above ${shown(pod?.max, key)}`;
    warn(context, ['limits', 'items'], message, 'limits-admit-none');
  }
}

/**
 * The keys of a quota below what the smallest pod, or volume claim, has to ask for. Each container
 * has to state what a quota on cpu or memory bounds, and no less than the minimum.
 */
function warnOfQuota(
  context: RuleContext,
  quota: PodQuota,
  items: readonly LimitItem[],
): ReadonlySet<string> {
  const impossible = new Set<string>();
  for (const { type, min = {} } of items) {
    if (type.startsWith('openshift.io/')) continue;
    for (const [resource, least] of readAmounts(min)) {
      for (const key of keysFor(type, resource)) {
        const hard = entryOf<string | number>(quota.hard, key);
        if (hard === undefined || hard === 'unlimited' || parseQuantity(hard)! >= least) continue;
        if (impossible.has(key)) continue;
        impossible.add(key);
        const what = type === 'PersistentVolumeClaim' ? 'claim' : 'pod';
        const message = `must be at least the min of a ${type} for ${key} of quota ${quota.name} to admit any ${what}, got ${show(hard)} below ${shown(min, resource)}`;
        warn(context, settingOf(quota, key), message, 'quota-admits-none');
      }
    }
  }
  return impossible;
}

function keysFor(type: LimitItem['type'], resource: string): string[] {
  if (type === 'PersistentVolumeClaim') return ['requests.storage'];
  const isRequired = resource === 'cpu' || resource === 'memory';
  return [resource, `requests.${resource}`, ...(isRequired ? [`limits.${resource}`] : [])];
}

/**
 * Warns where the tenant states the quota or the limits, and of two places at the one that states
 * more. The setting stays the same, so that a class and its tenants report one mistake once.
 */
function warn(context: RuleContext, setting: Path, message: string, rule: string): void {
  const places = [setting, ['limits', 'items'], ['quota', 'hard']].map((one) =>
    context.where(...one),
  );
  const isStated = ({ by, path, setting: asked }: Place): boolean =>
    by !== 'elsewhere' && asked.slice(1).every((part, i) => path.at(i + 1 - asked.length) === part);
  const place = places.find(isStated) ?? places.find(({ by }) => by !== 'elsewhere') ?? places[0]!;
  context.report({ ...place, setting }, message, rule, { severity: 'warning' });
}

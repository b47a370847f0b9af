import type { LimitItem } from '../../crds/quota.ts';
import { entryOf } from '@tenantry/kube/mapping';
import { formatBrief, type Path } from '@tenantry/kube/problem';
import { formatAmount, roundToMilli, roundToWholes, MAX_MILLI, roundTogether } from './amounts.ts';
import {
  readAmounts,
  sumContainers,
  type Amounts,
  type PodContainer,
  type PodDemand,
  type StorageClaim,
} from './workload-demand.ts';

/** The reason why the API server does not admit a pod. */
interface PodRefusal {
  /** The path of the container in the spec of the pod; empty for the pod as a whole. */
  readonly path: Path;
  /** The problem, such as `a memory limit of 512Mi, above max 256Mi of Container`. */
  readonly words: string;
  readonly key: string;
  /** The type of the LimitRange item that refuses it. */
  readonly type?: LimitItem['type'];
}

type Fields = Omit<LimitItem, 'type'>;

/**
 * Computes the defaults of containers: the API server fills in those that an item does not state.
 * Source: k8s.io/kubernetes pkg/apis/core/v1 SetDefaults_LimitRangeItem
 */
function resolveContainerDefaults(items: readonly LimitItem[]): {
  readonly limits: Amounts;
  readonly requests: Amounts;
} {
  const ofContainers = items.filter(({ type }) => type === 'Container');
  const merged = (...fields: (keyof Fields)[]): Amounts =>
    new Map(
      ofContainers.flatMap((item) => fields.flatMap((field) => [...readAmounts(item[field])])),
    );
  return {
    limits: merged('max', 'default'),
    requests: merged('min', 'max', 'default', 'defaultRequest'),
  };
}

/**
 * Completes a pod as the API server does: a missing request becomes the stated limit, and what is missing then comes
 * from the LimitRange.
 * Source: k8s.io/kubernetes pkg/apis/core/v1 SetDefaults_Pod, plugin/pkg/admission/limitranger
 */
export function completePod(pod: PodDemand, items: readonly LimitItem[]): PodDemand {
  const defaults = resolveContainerDefaults(items);
  const containers = pod.containers.map((container) => ({
    ...container,
    limits: new Map([...defaults.limits, ...container.limits]),
    requests: new Map([...defaults.requests, ...container.limits, ...container.requests]),
  }));
  return { ...pod, containers };
}

/** Lists why a LimitRange refuses a completed pod. Source: PodValidateLimitFunc */
export function listLimitRefusals(pod: PodDemand, items: readonly LimitItem[]): PodRefusal[] {
  const refuse = (
    refused: Pick<PodContainer, 'requests' | 'limits'>,
    type: LimitItem['type'],
    path: Path,
  ): PodRefusal[] =>
    items
      .filter((item) => item.type === type)
      .flatMap((item) => listBoundRefusals(item, refused))
      .map((one) => ({ path, type, ...one }));
  const ofContainers = pod.containers.flatMap((container) => [
    ...listRequestsAboveLimits(container).map((one) => ({ path: container.path, ...one })),
    ...refuse(container, 'Container', container.path),
  ]);
  if (pod.statesPodResources) return ofContainers;
  const sums = {
    requests: sumContainers(pod, 'requests'),
    limits: sumContainers(pod, 'limits'),
  };
  return [...ofContainers, ...refuse(sums, 'Pod', [])];
}

const STORAGE = 'storage';

/** Lists why a LimitRange refuses a volume claim. Source: PersistentVolumeClaimValidateLimitFunc */
export function listStorageClaimRefusals(
  claim: StorageClaim,
  items: readonly LimitItem[],
): string[] {
  if (claim.copies === 0) return [];
  const amount = formatAmount(STORAGE, claim.storage);
  return items
    .filter(({ type }) => type === 'PersistentVolumeClaim')
    .flatMap((item): string[] => {
      const [min, max] = [item.min, item.max].map((one) => readAmounts(one).get(STORAGE));
      if (min !== undefined && isBelow(claim.storage, min)) {
        return [`${amount}, below min ${item.min![STORAGE]} of PersistentVolumeClaim`];
      }
      if (max !== undefined && isBelow(max, claim.storage)) {
        return [`${amount}, above max ${item.max![STORAGE]} of PersistentVolumeClaim`];
      }
      return [];
    });
}

type Refused = Pick<PodRefusal, 'key' | 'words'>;

/**
 * Lists stated requests that exceed their limit, which may be the default one. Resources that cannot be overcommitted
 * need a limit of the same amount.
 * Source: k8s.io/kubernetes pkg/apis/core/validation validateContainerResourceRequirements
 */
function listRequestsAboveLimits({ requests, limits }: PodContainer): Refused[] {
  return [...requests].flatMap(([key, request]) => {
    const limit = limits.get(key);
    const asked = `a ${key} request of ${formatAmount(key, request)}`;
    const isFixed = cannotBeOvercommitted(key);
    if (limit === undefined) {
      return isFixed ? [{ key, words: `${asked} without a limit, which must be the same` }] : [];
    }
    if (isFixed && request < limit) {
      const words = `${asked}, below its limit of ${formatAmount(key, limit)}, which must be the same`;
      return [{ key, words }];
    }
    if (request <= limit) return [];
    return [{ key, words: `${asked}, above its limit of ${formatAmount(key, limit)}` }];
  });
}

/** Whether a resource cannot be overcommitted: extended resources and huge pages. */
export const cannotBeOvercommitted = (key: string): boolean =>
  key.startsWith('hugepages-') || (key.includes('/') && !key.includes('kubernetes.io/'));

function listBoundRefusals(
  item: LimitItem,
  { requests, limits }: Pick<PodContainer, 'requests' | 'limits'>,
): Refused[] {
  const refused: Refused[] = [];
  const refuse = (key: string, bound: keyof Fields, relation: string, got: string): void => {
    const value = String(entryOf<string | number>(item[bound], key));
    refused.push({
      key,
      words: `${got}, ${relation} ${bound} ${formatBrief(value)} of ${item.type}`,
    });
  };
  for (const [key, min] of readAmounts(item.min)) {
    const [request, limit] = [requests.get(key), limits.get(key)];
    if (request === undefined) refuse(key, 'min', 'required by', `no ${key} request`);
    else if (isBelow(request, min))
      refuse(key, 'min', 'below', formatStatedAmount('request', key, request));
    else if (limit !== undefined && isBelow(limit, min)) {
      refuse(key, 'min', 'below', formatStatedAmount('limit', key, limit));
    }
  }
  for (const [key, max] of readAmounts(item.max)) {
    const [request, limit] = [requests.get(key), limits.get(key)];
    if (limit === undefined) refuse(key, 'max', 'required by', `no ${key} limit`);
    else if (isBelow(max, limit))
      refuse(key, 'max', 'above', formatStatedAmount('limit', key, limit));
    else if (request !== undefined && isBelow(max, request)) {
      refuse(key, 'max', 'above', formatStatedAmount('request', key, request));
    }
  }
  for (const [key, most] of readAmounts(item.maxLimitRequestRatio)) {
    const [request, limit] = [requests.get(key), limits.get(key)];
    if (!request) refuse(key, 'maxLimitRequestRatio', 'required by', `no ${key} request`);
    else if (!limit) refuse(key, 'maxLimitRequestRatio', 'required by', `no ${key} limit`);
    else if (isRatioAbove(limit, request, most)) {
      const ratio = Math.round((Number(limit) / Number(request)) * 1000) / 1000;
      const got = `a ${key} limit of ${formatAmount(key, limit)} that is ${ratio} times the request of ${formatAmount(key, request)}`;
      refuse(key, 'maxLimitRequestRatio', 'above', got);
    }
  }
  return refused;
}

const formatStatedAmount = (what: string, key: string, amount: bigint): string =>
  `a ${key} ${what} of ${formatAmount(key, amount)}`;

function isBelow(amount: bigint, bound: bigint): boolean {
  const [left, right] = roundTogether(amount, bound);
  return left! < right!;
}

/** Whether a ratio exceeds its bound, divided as the API server does. Source: limitRequestRatioConstraint */
function isRatioAbove(limit: bigint, request: bigint, most: bigint): boolean {
  const [roundedLimit, roundedRequest] = roundTogether(limit, request);
  const ratio = Number(roundedLimit) / Number(roundedRequest);
  const isExact = roundToWholes(most) <= MAX_MILLI;
  return isExact ? ratio * 1000 > Number(roundToMilli(most)) : ratio > Number(roundToWholes(most));
}

import { builtinNamespaced, builtinResources } from '@tenantry/kube/builtin-kinds';
import { findNearest, formatBrief, show } from '@tenantry/kube/problem';
import { countedKeys, countKey, measuredKeys } from '@tenantry/kube/quota-keys';
import { parseQuantity } from '@tenantry/kube/quantity';
import { isDnsLabel, isQualifiedName, isSubdomain } from '@tenantry/kube/names';

const quotaKeys = [...measuredKeys, ...countedKeys];

/**
 * Whether a key of a ResourceQuota bounds anything. The API server accepts any qualified name with a slash. A key that
 * no evaluator counts would bound nothing, and is refused.
 * Source: https://kubernetes.io/docs/concepts/policy/resource-quotas/, k8s.io/kubernetes pkg/apis/core/validation
 * ValidateResourceQuotaResourceName and pkg/quota/v1/evaluator
 */
export function isQuotaKey(key: string): boolean {
  if (quotaKeys.includes(key)) return true;
  if (!isQualifiedName(key)) return false;
  const [prefix = '', name] = key.split('/');
  if (name === undefined) return isHugePages(key.replace(/^requests\./, ''));
  if (prefix === 'count') return isCountable(name);
  if (prefix.endsWith('.storageclass.storage.k8s.io')) {
    return name === 'requests.storage' || name === 'persistentvolumeclaims';
  }
  if (prefix.endsWith('.deviceclass.resource.k8s.io')) return name === 'devices';
  return isExtendedRequest(key);
}

/** Whether a key is `requests.` and an extended resource: the only form in which quotas count those. */
export function isExtendedRequest(key: string): boolean {
  if (!key.startsWith('requests.')) return false;
  const resource = key.slice('requests.'.length);
  return isExtendedResource(resource) || resource.startsWith('deviceclass.resource.kubernetes.io/');
}

/**
 * Whether a container can request a resource that Kubernetes itself does not define.
 * Source: k8s.io/kubernetes pkg/apis/core/helper IsExtendedResourceName
 */
export function isExtendedResource(name: string): boolean {
  return (
    name.includes('/') &&
    !name.includes('kubernetes.io/') &&
    !name.startsWith('requests.') &&
    isQualifiedName(name) &&
    isQualifiedName(`requests.${name}`)
  );
}

/** Whether a resource is pages of a fixed size, such as hugepages-2Mi. */
export function isHugePages(name: string): boolean {
  const size = /^hugepages-(.*)$/.exec(name)?.[1];
  return size !== undefined && isQualifiedName(name) && (parseQuantity(size) ?? 0n) > 0n;
}

/** Whether a resource can be divided: cores and bytes; all others are numbers of things. */
export function isMeasured(key: string): boolean {
  return measuredKeys.includes(key) || /^(requests\.)?hugepages-/.test(key);
}

function isCountable(name: string): boolean {
  const [plural = '', ...rest] = name.split('.');
  const group = rest.join('.');
  if (!isDnsLabel(plural) || (group !== '' && !isSubdomain(group)) || name.endsWith('.')) {
    return false;
  }
  return builtinResources(group) === undefined || namespaced.has(`count/${name}`);
}

/** Keys of Events, the only namespaced kind of Kubernetes that no quota counts. */
const uncounted: ReadonlySet<string> = new Set(['count/events', 'count/events.events.k8s.io']);

const namespaced: ReadonlySet<string> = new Set(
  [...builtinNamespaced]
    .map(([id, plural]) => countKey(id.split('/')[0]!, plural))
    .filter((key) => !uncounted.has(key)),
);

/** Returns the key that was most likely meant, if one is near. */
export function suggestQuotaKey(key: string): string | undefined {
  if (!key.startsWith('count/') && isQuotaKey(`requests.${key}`)) return `requests.${key}`;
  const grouped = [...namespaced].find((one) => one.startsWith(`${key}.`));
  return grouped ?? findNearest(key, [...quotaKeys, ...namespaced]);
}

/** Matches memory and storage, which are counted in bytes. */
const BYTES = /(^|[./])(memory|storage|ephemeral-storage)$/;

/**
 * Whether an amount of memory or storage is written in fractions of a byte. Kubernetes reads `512m` as about half a
 * byte, and the author means 512Mi.
 */
export function isFractionOfByte(key: string, value: string | number): boolean {
  if (!BYTES.test(key) || value === 'unlimited') return false;
  return /[num]$/.test(String(value)) || parseQuantity(value)! % parseQuantity(1)! !== 0n;
}

/** Less memory or storage than this is no amount that anybody needs. */
const LEAST_BYTES = parseQuantity('1Mi')!;

/** Whether an amount of memory or storage is so small that its author did not mean bytes. */
export function lacksUnit(key: string, value: string | number): boolean {
  if (!BYTES.test(key) || value === 'unlimited' || isFractionOfByte(key, value)) return false;
  const amount = parseQuantity(value)!;
  return amount > 0n && amount < LEAST_BYTES;
}

/** Formats the message about such an amount. */
export function formatUnitFault(key: string, value: string | number): string {
  const bytes = String(value) === '1' ? 'byte' : 'bytes';
  const isNumber = /^\d+$/.test(String(value));
  const got = isNumber
    ? `${value} ${bytes}; write the unit, such as ${value}Gi or ${value}Mi`
    : show(value);
  return `must be at least 1Mi for ${formatBrief(key)} to be of use, got ${got}`;
}

/** Formats the message about an amount in fractions of a byte. */
export function formatByteFault(key: string, value: string | number): string {
  const meant = /^\d+m$/.test(String(value))
    ? `; did you mean ${show(`${value}`.replace('m', 'Mi'))}?`
    : '';
  return `must be whole bytes for ${formatBrief(key)}, got ${show(value)}${meant}`;
}

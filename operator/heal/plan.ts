import { PRECREATED_SERVICE_ACCOUNTS } from '../../model/operator/access.ts';
import type { DriftPolicy } from '../../crds/types.ts';
import type { KubeObject } from '@tenantry/kube/object';
import { diffContent, type PathStep } from '../drift/difference.ts';
import { diffObject } from '../drift/object-drift.ts';
import { normalizeContent } from '../stored/content.ts';
import { omitUndefined, isMapping } from '@tenantry/kube/mapping';
import { parseQuantity } from '@tenantry/kube/quantity';

/** An object that differs from its declaration. */
export interface HealCandidate {
  readonly object: KubeObject;
  /** Undefined if it does not exist. */
  readonly live: KubeObject | undefined;
}

/** One action on one object. */
export interface HealStep {
  /**
   * `create`: it does not exist. `complete`: a controller created it empty. `restore`: it is brought to its
   * declaration. `replace`: a binding references another role, which cannot be changed.
   */
  readonly type: 'create' | 'complete' | 'restore' | 'replace';
  readonly object: KubeObject;
  readonly live?: KubeObject;
  /** Set if the step raises a part of the tenant's total. It may only be applied if the total still fits. */
  readonly raises?: true;
}

/**
 * Plans how to bring objects to their declaration, in order: Namespaces, then quotas that are lowered in some resource,
 * then the rest in declared order, which puts limits before access. Nothing is deleted unless it is replaced at once.
 * Under `Create` the plan contains nothing but creations.
 * @param shared keys of quotas that are parts of a total
 */
export function planSteps(
  suspects: readonly HealCandidate[],
  policy: DriftPolicy,
  shared: SharedKeys,
): readonly HealStep[] {
  const steps = suspects.flatMap((one) => stepsFor(one, policy, shared));
  const rank = ({ object: { kind }, live, raises }: HealStep): number => {
    if (kind === 'Namespace') return 0;
    return kind === 'ResourceQuota' && live && !raises ? 1 : 2;
  };
  return steps.toSorted((a, b) => rank(a) - rank(b));
}

function stepsFor(
  { object, live }: HealCandidate,
  policy: DriftPolicy,
  shared: SharedKeys,
): HealStep[] {
  if (policy === 'Observe') return [];
  if (!live) {
    const raises = computeShares(object, shared).size > 0;
    return [omitUndefined({ type: 'create', object, raises: raises || undefined })];
  }
  if (diffObject(object, live).length === 0) return [];
  if (policy === 'Create') {
    return isUntouchedAccount(object, live) ? [{ type: 'complete', object, live }] : [];
  }
  if (hasAnotherRole(object, live)) return [{ type: 'replace', object, live }];
  if (!hasMore(object, live, shared)) return [{ type: 'restore', object, live }];
  const raise = { type: 'restore', object, live, raises: true } as const;
  if (!hasMore(live, object, shared)) return [raise];
  return [{ type: 'restore', object: lowerShares(object, live, shared), live }, raise];
}

/**
 * Whether a live object is an account that a controller creates in each new namespace, unchanged since. The controller
 * is nearly always faster than the creation of the declared account.
 */
function isUntouchedAccount(object: KubeObject, live: KubeObject): boolean {
  const { name } = object.metadata;
  if (object.kind !== 'ServiceAccount' || !PRECREATED_SERVICE_ACCOUNTS.includes(name)) return false;
  return diffObject(object, live).every((one) => !('live' in one));
}

/** Whether a binding references another role. The API server does not allow changing it. */
function hasAnotherRole(object: KubeObject, live: KubeObject): boolean {
  if (object.kind !== 'RoleBinding') return false;
  return diffContent(normalizeContent(object)!, normalizeContent(live)!).some(
    ({ path }) => path[0] === 'roleRef',
  );
}

/** The keys of a quota that are parts of a total over the namespaces of a tenant. */
export type SharedKeys = ReadonlySet<string>;

/** Returns the amounts of a quota that are such parts; none for a quota with scopes. */
export function computeShares(
  quota: KubeObject | undefined,
  keys: SharedKeys,
): Map<string, bigint> {
  const spec = isMapping(quota?.['spec']) ? quota['spec'] : {};
  if (quota?.kind !== 'ResourceQuota' || spec['scopes'] || spec['scopeSelector']) return new Map();
  const hard = isMapping(spec['hard']) ? spec['hard'] : {};
  return new Map(
    [...keys].flatMap((key): [string, bigint][] => {
      const amount = parseQuantity((hard[key] as string | undefined) ?? '');
      return amount === undefined ? [] : [[key, amount]];
    }),
  );
}

/** Returns the quota with no part above that of another one, and without parts that the other one lacks. */
export function lowerShares(
  quota: KubeObject,
  other: KubeObject | undefined,
  keys: SharedKeys,
): KubeObject {
  const [most, own] = [computeShares(other, keys), computeShares(quota, keys)];
  const spec = quota['spec'] as { readonly hard: Readonly<Record<string, string>> };
  const there = (other?.['spec'] as typeof spec | undefined)?.hard ?? {};
  const hard = Object.entries(spec.hard).map(([key, amount]) => {
    if (!own.has(key)) return [key, amount];
    const bound = most.get(key);
    if (bound === undefined) return [key, '0'];
    return [key, bound < own.get(key)! ? String(there[key]) : amount];
  });
  return { ...quota, spec: { ...spec, hard: Object.fromEntries(hard) as Record<string, string> } };
}

/** Whether a part of the first quota is above that of the second. */
function hasMore(one: KubeObject, other: KubeObject | undefined, keys: SharedKeys): boolean {
  const bounds = computeShares(other, keys);
  return [...computeShares(one, keys)].some(([key, amount]) => amount > (bounds.get(key) ?? 0n));
}

/**
 * Returns the key whose total would be exceeded if a quota were created. That is the case for more than is declared for
 * all namespaces. While a namespace that left the declaration still holds some, it is the case for any amount.
 * @param live all quotas of the tenant
 */
export function findExceededKey(
  quota: KubeObject,
  declared: readonly KubeObject[],
  live: readonly KubeObject[],
  keys: SharedKeys,
): { readonly key: string; readonly holder?: string } | undefined {
  const namespaces = new Set(declared.map(({ metadata }) => metadata.namespace));
  const others = live.filter((one) => !isSame(one, quota));
  const before = computeShares(
    live.find((one) => isSame(one, quota)),
    keys,
  );
  for (const [key, amount] of computeShares(quota, keys)) {
    if (amount <= (before.get(key) ?? 0n)) continue;
    const sum = (ones: readonly KubeObject[]): bigint =>
      ones.reduce((all, one) => all + (computeShares(one, keys).get(key) ?? 0n), 0n);
    const left = others.find(
      (one) =>
        !namespaces.has(one.metadata.namespace) && (computeShares(one, keys).get(key) ?? 0n) > 0n,
    );
    if (left) return { key, holder: left.metadata.namespace! };
    if (sum(others) + amount > sum(declared)) return { key };
  }
  return undefined;
}

function isSame({ metadata: a }: KubeObject, { metadata: b }: KubeObject): boolean {
  return a.name === b.name && a.namespace === b.namespace;
}

/** A part of a merge patch. */
interface Part {
  [field: string]: unknown;
}

/**
 * Builds the merge patch that removes undeclared fields of an object, which an apply would leave in place. Undeclared
 * list entries are removed when the declared list is applied. Returns undefined if there is nothing to remove.
 */
export function buildTrimPatch(desired: KubeObject, live: KubeObject): Part | undefined {
  const extra = diffObject(desired, live).filter((one) => !('desired' in one));
  if (extra.length === 0) return undefined;
  const patch: Part = {};
  for (const { path } of extra) removeField(patch, path, desired);
  return patch;
}

function removeField(patch: Part, [step, ...rest]: readonly PathStep[], desired: unknown): void {
  if (typeof step !== 'string') return;
  const declared = isMapping(desired) ? desired[step] : undefined;
  if (Array.isArray(declared)) patch[step] = declared;
  else if (rest.length === 0) patch[step] = null;
  else if (typeof rest[0] !== 'string') patch[step] = null;
  else {
    const part = isMapping(patch[step]) ? patch[step] : {};
    patch[step] = part;
    removeField(part as Part, rest, declared);
  }
}

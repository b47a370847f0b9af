import { parseQuantity, shareUnits } from '@tenantry/kube/quantity';
import type { Path } from '@tenantry/kube/problem';
import type { SystemObject } from '../system-object.ts';
import type { Translation } from '../translation.ts';
import { listNames } from './bindings.ts';
import type { DerivedObjects, SourceIndex } from './derived-objects.ts';
import { isUnscopedQuota } from './derived-objects.ts';
import type { CapsuleTenant } from './members.ts';

type Amounts = Readonly<Record<string, string | number>>;

interface TotalPart {
  readonly hard: Amounts;
  readonly origin: SystemObject;
  readonly path: Path;
}

/** The number of keys that `quota.total` may have. */
const MAX_KEYS = 64;

/**
 * Collects the quotas that the namespaces of a tenant share. All of them apply, so the smallest amount of each key is
 * the total of the tenant.
 */
export class Totals {
  readonly #parts = new Map<CapsuleTenant, TotalPart[]>();

  add(tenant: CapsuleTenant, hard: Amounts, origin: SystemObject, path: Path): void {
    const parts = this.#parts.get(tenant) ?? [];
    this.#parts.set(tenant, parts);
    parts.push({ hard, origin, path });
  }

  /** Sets the totals. Those of a tenant whose namespaces have quotas of their own are left. */
  translate(index: SourceIndex, derived: DerivedObjects, translation: Translation): void {
    for (const [tenant, parts] of this.#parts) {
      const total = findSmallest(parts.map(({ hard }) => hard));
      const reason = findReason(tenant, total, index, derived);
      const [first, ...others] = parts;
      if (reason !== undefined) {
        for (const { origin, path } of parts) origin.leave(path, reason);
      } else if (Object.keys(total).length > 0) {
        const difference = describeDivision(tenant, total);
        translation.setForTenant({
          tenant: tenant.name,
          spec: { quota: { total } },
          within: new Set(tenant.members.map(({ name }) => name)),
          covers: tenant.members.map(({ name }) => name),
          origin: first!.origin,
          path: first!.path,
          others,
          ...(difference !== undefined && { difference }),
        });
      } else for (const { origin, path } of parts) origin.take(path, 'nothing: it bounds nothing');
    }
  }
}

/** Returns the smallest amount of each key. Amounts that are no quantities stay, so that the rules report them. */
export function findSmallest(all: readonly Amounts[]): Amounts {
  const smallest = new Map<string, string | number>();
  for (const [key, amount] of all.flatMap((one) => Object.entries(one))) {
    const before = smallest.get(key);
    const isLess =
      before === undefined || (parseQuantity(amount) ?? 0n) < (parseQuantity(before) ?? 0n);
    if (isLess) smallest.set(key, amount);
  }
  return Object.fromEntries(smallest);
}

function findReason(
  { members }: CapsuleTenant,
  total: Amounts,
  index: SourceIndex,
  derived: DerivedObjects,
): string | undefined {
  const bounded = members.filter(
    ({ name }) =>
      derived.isBounded(name) ||
      index.list('', 'ResourceQuota', name).some(({ object }) => isUnscopedQuota(object)),
  );
  if (bounded.length > 0) {
    return `${listNames(bounded)} also has a ResourceQuota of its own: divide this one by hand over \`quota.hard\` of the namespaces`;
  }
  const invalid = Object.entries(total).find(([, amount]) => parseQuantity(amount) === undefined);
  if (invalid) return `the amount of ${invalid[0]} is no quantity, and Capsule refuses it`;
  return Object.keys(total).length > MAX_KEYS
    ? `a total has at most ${MAX_KEYS} keys: divide it by hand over \`quota.hard\` of the namespaces`
    : undefined;
}

/** Returns how a division differs from a shared quota; undefined if there is one namespace. */
function describeDivision({ members }: CapsuleTenant, total: Amounts): string | undefined {
  if (members.length < 2) return undefined;
  const scarce = Object.entries(total).filter(([key, amount]) => {
    const unit = shareUnits(key, amount).at(-1)!;
    return parseQuantity(amount)! < unit.nano * BigInt(members.length);
  });
  const rest =
    scarce.length > 0
      ? `; there is not one for each namespace of ${scarce.map(([key]) => key).join(', ')}`
      : '';
  return `Capsule shares it, and Tenantry divides it over the namespaces in equal parts, or by \`quota.weight\`: a namespace that uses more than its part gets no further objects${rest}`;
}

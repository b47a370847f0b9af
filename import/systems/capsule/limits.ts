import { isMapping } from '@tenantry/kube/mapping';
import type { KubeObject } from '@tenantry/kube/object';
import { parseQuantity } from '@tenantry/kube/quantity';
import { normalizeContent } from '../../../operator/stored/content.ts';
import type { Translation } from '../translation.ts';
import { findFault, type DerivedObjects, type SourceIndex } from './derived-objects.ts';
import { findOwningTenant, type CapsuleTenant } from './members.ts';

type Amounts = Readonly<Record<string, string | number>>;
type LimitItem = Readonly<Record<string, Amounts | string>>;

/** Which of two bounds is stricter, by the field. Defaults must be equal. */
const stricter: Readonly<Record<string, 'larger' | 'smaller' | 'equal'>> = {
  min: 'larger',
  max: 'smaller',
  maxLimitRequestRatio: 'smaller',
  default: 'equal',
  defaultRequest: 'equal',
};

const CONFLICT =
  'another LimitRange of the Tenant has other defaults, and which one applies is not defined: merge them';

/**
 * Translates the LimitRanges of a tenant into one for each namespace. Several of them bound pods together, so each bound
 * is the strictest one.
 *
 * Source: internal/controllers/tenant/limitranges.go; k8s.io/kubernetes/plugin/pkg/admission/limitranger
 */
export function translateLimits(
  tenant: CapsuleTenant,
  derived: DerivedObjects,
  index: SourceIndex,
  translation: Translation,
): void {
  const { one, spec, members } = tenant;
  const items = (spec.limitRanges?.items ?? []) as readonly Readonly<Record<string, unknown>>[];
  let merged: readonly LimitItem[] | undefined;
  for (const [i, item] of items.entries()) {
    const path = ['spec', 'limitRanges', 'items', i];
    const object = buildRange(item);
    const fault = findFault(object);
    if (fault !== undefined) {
      one.leave(path, fault);
      continue;
    }
    const both: readonly LimitItem[] | undefined =
      merged === undefined
        ? (item['limits'] as readonly LimitItem[])
        : mergeLimits(readStored(buildRange({ limits: merged })), readStored(object));
    if (!both) {
      one.leave(path, CONFLICT);
      continue;
    }
    merged = both;
    one.take(path, '`limits` of the namespaces');
  }
  if (!merged || merged.length === 0) return;
  for (const member of members) {
    derived.add(member.name, buildRange({ limits: merged }), one);
    if (items.length < 2) continue;
    for (const found of index.listMade('', 'LimitRange', member.name)) {
      if (findOwningTenant(found.object) === tenant.name) {
        translation.explainMade(found, 'Capsule makes it of `limitRanges` of the Tenant');
      }
    }
  }
}

const buildRange = (spec: Readonly<Record<string, unknown>>): KubeObject => ({
  apiVersion: 'v1',
  kind: 'LimitRange',
  metadata: { name: 'tenant-limits' },
  spec,
});

/** Returns the limits with the API server's defaults. */
function readStored(object: KubeObject): readonly LimitItem[] {
  const spec = normalizeContent(object)?.fields['spec'];
  return (isMapping(spec) ? spec['limits'] : []) as readonly LimitItem[];
}

/** Merges limits by type; undefined if their defaults differ. */
function mergeLimits(
  ones: readonly LimitItem[],
  others: readonly LimitItem[],
): LimitItem[] | undefined {
  const byType = new Map(ones.map((item) => [item['type'], item]));
  for (const item of others) {
    const before = byType.get(item['type']);
    const both = before ? mergeItems(before, item) : item;
    if (!both) return undefined;
    byType.set(item['type'], both);
  }
  return [...byType.values()];
}

function mergeItems(one: LimitItem, other: LimitItem): LimitItem | undefined {
  const merged: Record<string, Amounts | string> = { ...one };
  for (const [field, amounts] of Object.entries(other)) {
    if (typeof amounts === 'string') continue;
    const both = new Map(Object.entries((merged[field] ?? {}) as Amounts));
    for (const [resource, amount] of Object.entries(amounts)) {
      const before = both.get(resource);
      const kept = before === undefined ? amount : chooseAmount(before, amount, stricter[field]);
      if (kept === undefined) return undefined;
      both.set(resource, kept);
    }
    merged[field] = Object.fromEntries(both);
  }
  return merged;
}

function chooseAmount(
  one: string | number,
  other: string | number,
  rule: 'larger' | 'smaller' | 'equal' | undefined,
): string | number | undefined {
  const [a, b] = [parseQuantity(one), parseQuantity(other)];
  if (a === undefined || b === undefined) return undefined;
  if (a === b) return one;
  if (rule === 'larger') return a > b ? one : other;
  return rule === 'smaller' ? (a < b ? one : other) : undefined;
}

import { isMapping, listAt, omitUndefined } from '@tenantry/kube/mapping';
import type { KubeObject } from '@tenantry/kube/object';
import { parseQuantity } from '@tenantry/kube/quantity';
import { definePlanRules, type ChangeDetail, type ReportChange } from './change.ts';
import { findNamespaceChanges, filterByKind, type ClusterChange } from './cluster-changes.ts';

const rules = definePlanRules('quota', {
  changed: [
    'limits-changed',
    'medium',
    'a bound of a LimitRange becomes stricter or new, or a default changes: containers without requests and limits get others',
  ],
  unbounded: ['limits-unbounded', 'medium', 'a bound of a LimitRange is removed'],
  raised: ['limits-raised', 'low', 'a bound of a LimitRange becomes wider'],
});

export const limitRules = Object.values(rules);

/** The fields of an item. In the first ones a higher value allows more, and in `min` a lower one. */
const WIDER_IF_HIGHER: ReadonlySet<string> = new Set(['max', 'maxLimitRequestRatio']);
const BOUNDS: ReadonlySet<string> = new Set([...WIDER_IF_HIGHER, 'min']);

/** Reports changed values of LimitRanges in namespaces that exist before and after. */
export function judgeLimits({ pairs }: ClusterChange, report: ReportChange): void {
  const { added, removed } = findNamespaceChanges(pairs);
  for (const { where, before, after } of filterByKind(pairs, '', 'LimitRange')) {
    if (added.has(where.namespace ?? '') || removed.has(where.namespace ?? '')) continue;
    const subject = `LimitRange ${(after ?? before)!.object.metadata.name}`;
    const [old, now] = [readValues(before?.object), readValues(after?.object)];
    for (const key of new Set([...old.keys(), ...now.keys()])) {
      const [was, is] = [old.get(key), now.get(key)];
      if (was?.value === is?.value) continue;
      const { field } = (is ?? was)!;
      const none = BOUNDS.has(field) ? 'no bound' : 'none';
      const rule = classify(field, was?.value, is?.value);
      if (!rule) continue;
      const message = `${key} ${was?.value ?? none} -> ${is?.value ?? none}`;
      const detail = omitUndefined<ChangeDetail>({
        kind: 'limit',
        key: (is ?? was)!.key,
        was: was?.value,
        is: is?.value,
      });
      report(rule, subject, message, where, detail);
    }
  }
}

/** Returns undefined for another spelling of the same quantity. */
function classify(field: string, was: string | undefined, is: string | undefined) {
  if (!BOUNDS.has(field)) return isSameAmount(was, is) ? undefined : rules.changed;
  if (is === undefined) return rules.unbounded;
  const [old, now] = [was, is].map((text) =>
    text === undefined ? undefined : parseQuantity(text),
  );
  if (old === undefined || now === undefined) return rules.changed;
  if (old === now) return undefined;
  return now > old === WIDER_IF_HIGHER.has(field) ? rules.raised : rules.changed;
}

function isSameAmount(was: string | undefined, is: string | undefined): boolean {
  if (was === undefined || is === undefined) return false;
  const [old, now] = [parseQuantity(was), parseQuantity(is)];
  return old !== undefined && old === now;
}

interface LimitValue {
  /** `default` */
  readonly field: string;
  /** `default.memory` */
  readonly key: string;
  readonly value: string;
}

/** Returns the values by `Container max.memory`. */
function readValues(object: KubeObject | undefined): ReadonlyMap<string, LimitValue> {
  const values = new Map<string, LimitValue>();
  for (const item of listAt(object, ['spec', 'limits'])) {
    if (!isMapping(item)) continue;
    for (const [field, amounts] of Object.entries(item)) {
      if (!isMapping(amounts)) continue;
      for (const [resource, value] of Object.entries(amounts)) {
        const key = `${field}.${resource}`;
        values.set(`${String(item['type'])} ${key}`, { field, key, value: String(value) });
      }
    }
  }
  return values;
}

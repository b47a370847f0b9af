import { isMapping, omitUndefined, valueAt } from '@tenantry/kube/mapping';
import type { KubeObject } from '@tenantry/kube/object';
import { parseQuantity } from '@tenantry/kube/quantity';
import { definePlanRules, type ChangeDetail, type ReportChange } from './change.ts';
import { findNamespaceChanges, filterByKind, type ClusterChange } from './cluster-changes.ts';

const rules = definePlanRules('quota', {
  unbounded: [
    'quota-unbounded',
    'medium',
    'a resource of a namespace is no longer bounded: its key or the ResourceQuota is removed',
  ],
  lowered: [
    'quota-lowered',
    'medium',
    'a bound is lowered: existing objects stay, but those above the bound are not recreated once they are lost',
  ],
  bounded: [
    'quota-bounded',
    'medium',
    'an existing namespace gets a bound on another resource: pods that do not set it are rejected',
  ],
  raised: ['quota-raised', 'low', 'a bound becomes higher'],
});

export const quotaRules = Object.values(rules);

/** Reports raised and lowered quotas in namespaces that exist before and after. */
export function judgeQuota({ pairs }: ClusterChange, report: ReportChange): void {
  const { added, removed } = findNamespaceChanges(pairs);
  const staying = pairs.filter(({ where }) => {
    return !added.has(where.namespace ?? '') && !removed.has(where.namespace ?? '');
  });
  for (const { where, before, after } of filterByKind(staying, '', 'ResourceQuota')) {
    const subject = `ResourceQuota ${(after ?? before)!.object.metadata.name}`;
    const [old, now] = [readHardLimits(before?.object), readHardLimits(after?.object)];
    for (const key of new Set([...old.keys(), ...now.keys()])) {
      const [was, is] = [old.get(key), now.get(key)];
      if (was === is) continue;
      const rule = classify(was, is);
      if (!rule) continue;
      const message = `${key} ${was ?? 'no bound'} -> ${is ?? 'no bound'}`;
      report(
        rule,
        subject,
        message,
        where,
        omitUndefined<ChangeDetail>({ kind: 'bound', key, was, is }),
      );
    }
  }
}

/** Returns undefined for another spelling of the same quantity. */
function classify(was: string | undefined, is: string | undefined) {
  if (is === undefined) return rules.unbounded;
  if (was === undefined) return rules.bounded;
  const [old, now] = [parseQuantity(was), parseQuantity(is)];
  if (old !== undefined && old === now) return undefined;
  return old !== undefined && now !== undefined && now > old ? rules.raised : rules.lowered;
}

function readHardLimits(object: KubeObject | undefined): ReadonlyMap<string, string> {
  const hard = valueAt(object, ['spec', 'hard']);
  const entries = isMapping(hard) ? Object.entries(hard) : [];
  return new Map(entries.map(([key, value]) => [key, String(value)]));
}

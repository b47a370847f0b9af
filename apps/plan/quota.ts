import { isMapping, valueAt } from '@tenantry/kube/mapping';
import type { KubeObject } from '@tenantry/kube/object';
import { parseQuantity } from '@tenantry/kube/quantity';
import { definePlanRules, type ReportChange } from './change.ts';
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
      if (is === undefined) report(rules.unbounded, subject, `${key} ${was} -> no bound`, where);
      else if (was === undefined) report(rules.bounded, subject, `${key} no bound -> ${is}`, where);
      else
        reportBoundChange({ was, is }, (rule) =>
          report(rule, subject, `${key} ${was} -> ${is}`, where),
        );
    }
  }
}

function reportBoundChange(
  { was, is }: { readonly was: string; readonly is: string },
  report: (rule: (typeof rules)[keyof typeof rules]) => void,
): void {
  const [old, now] = [parseQuantity(was), parseQuantity(is)];
  if (old !== undefined && old === now) return;
  report(old !== undefined && now !== undefined && now > old ? rules.raised : rules.lowered);
}

function readHardLimits(object: KubeObject | undefined): ReadonlyMap<string, string> {
  const hard = valueAt(object, ['spec', 'hard']);
  const entries = isMapping(hard) ? Object.entries(hard) : [];
  return new Map(entries.map(([key, value]) => [key, String(value)]));
}

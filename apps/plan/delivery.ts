import { findChangedImmutableFields } from '@tenantry/kube/immutable-fields';
import { isMapping, valueAt } from '@tenantry/kube/mapping';
import { formatCanonicalJson } from '@tenantry/kube/json';
import type { KubeObject } from '@tenantry/kube/object';
import { formatList } from '@tenantry/kube/problem';
import { definePlanRules, type ReportChange } from './change.ts';
import { ARGO_GROUP, filterByKind, type ClusterChange } from './cluster-changes.ts';

const rules = definePlanRules('delivery', {
  everything: [
    'project-opened',
    'high',
    'an AppProject now allows every repository, every destination, cluster-scoped kinds or what it forbade',
  ],
  widened: [
    'project-widened',
    'medium',
    'an AppProject now allows one more repository, destination, kind or namespace of Applications',
  ],
  narrowed: [
    'project-narrowed',
    'low',
    'an AppProject allows less: what is deployed already may not be synced',
  ],
  removed: [
    'application-removed',
    'medium',
    'an Application, ApplicationSet or AppProject is removed: its finalizer and its policy decide whether its objects are deleted too',
  ],
  refused: [
    'change-refused',
    'high',
    'a change that the API server rejects for an existing object: the object keeps its state, and each sync of its folder fails until the change is reverted',
  ],
});

export const deliveryRules = Object.values(rules);

/** The lists of an AppProject in which a new entry allows more. */
export const ALLOWING = [
  ['sourceRepos', 'repository', false],
  ['destinations', 'destination', false],
  ['clusterResourceWhitelist', 'cluster-scoped kind', true],
  ['namespaceResourceWhitelist', 'kind', false],
  ['sourceNamespaces', 'namespace of Applications', false],
] as const;

/** The lists of an AppProject in which a removed entry allows more. */
export const FORBIDDING = [
  ['clusterResourceBlacklist', 'cluster-scoped kind'],
  ['namespaceResourceBlacklist', 'kind'],
] as const;

/** Reports what AppProjects newly allow: who may deploy what, from where and to where. */
export function judgeDelivery({ pairs }: ClusterChange, report: ReportChange): void {
  for (const { where, before, after } of filterByKind(pairs, ARGO_GROUP, 'AppProject')) {
    if (!after) continue;
    const subject = `AppProject ${after.object.metadata.name}`;
    for (const [field, word, isPowerful] of ALLOWING) {
      const { more, less } = difference(field, before?.object, after.object);
      for (const one of more) {
        const rule = isPowerful || isEverything(one) ? rules.everything : rules.widened;
        report(rule, subject, `allows the ${word} ${one}`, where);
      }
      for (const one of less)
        report(rules.narrowed, subject, `no longer allows the ${word} ${one}`, where);
    }
    for (const [field, word] of FORBIDDING) {
      const { more, less } = difference(field, before?.object, after.object);
      for (const one of less)
        report(rules.everything, subject, `no longer forbids the ${word} ${one}`, where);
      for (const one of more) {
        if (before) report(rules.narrowed, subject, `forbids the ${word} ${one}`, where);
      }
    }
  }
  for (const { where, before, after } of filterByKind(
    pairs,
    ARGO_GROUP,
    'Application',
    'ApplicationSet',
    'AppProject',
  )) {
    if (after || !before) continue;
    const { kind, metadata } = before.object;
    report(rules.removed, `${kind} ${metadata.name}`, 'is no longer there', where);
  }
}

/** Reports changes that the API server refuses, so that they need an object with another name. */
export function judgeRefused({ pairs }: ClusterChange, report: ReportChange): void {
  for (const { where, before, after } of pairs) {
    if (!before || !after) continue;
    const fields = findChangedImmutableFields(before.object, after.object);
    if (fields.length === 0) continue;
    const { kind, metadata } = after.object;
    const message = `changes at ${formatList(fields)}, which the API server refuses of one that is there: give it another name`;
    report(rules.refused, `${kind} ${metadata.name}`, message, where);
  }
}

function difference(field: string, before: KubeObject | undefined, after: KubeObject) {
  const [old, now] = [before, after].map((object) => indexItems(valueAt(object, ['spec', field])));
  return {
    more: [...now!].flatMap(([key, text]) => (old!.has(key) ? [] : [text])),
    less: [...old!].flatMap(([key, text]) => (now!.has(key) ? [] : [text])),
  };
}

function indexItems(value: unknown): ReadonlyMap<string, string> {
  const items = Array.isArray(value) ? value : [];
  return new Map(items.map((item) => [formatCanonicalJson(item), formatItem(item)]));
}

/** `apps/Deployment`, `https://git.example.com/shop.git`, `namespace shop of https://...`. */
function formatItem(item: unknown): string {
  if (!isMapping(item)) return String(item);
  const { group, kind, namespace, server, name } = item;
  if (kind !== undefined) return `${group === undefined || group === '' ? '' : `${group}/`}${kind}`;
  return `${namespace} of ${name ?? server}`;
}

function isEverything(text: string): boolean {
  return /^\*(?:\/\*)?$/.test(text) || text.startsWith('* of ');
}

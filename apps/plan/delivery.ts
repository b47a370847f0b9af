import { findChangedImmutableFields } from '@tenantry/kube/immutable-fields';
import { isMapping, listAt, valueAt } from '@tenantry/kube/mapping';
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
  added: [
    'project-added',
    'low',
    'an AppProject is new: where it deploys to. What no other project allows is reported besides',
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
export function judgeDelivery({ pairs, before: old }: ClusterChange, report: ReportChange): void {
  const projects = old.filter(({ kind }) => kind === 'AppProject');
  for (const { where, before, after } of filterByKind(pairs, ARGO_GROUP, 'AppProject')) {
    if (!after) continue;
    const subject = `AppProject ${after.object.metadata.name}`;
    if (!before) {
      const to = listAt(after.object, ['spec', 'destinations']).map(formatItem);
      const message = to.length === 0 ? 'is new' : `is new, and deploys to ${formatList(to)}`;
      report(rules.added, subject, message, where);
    }
    for (const [field, word, isPowerful] of ALLOWING) {
      const known = before ? [before.object] : projects;
      const { more, less } = difference(field, known, after.object);
      for (const { text, isExact, isNamed } of more) {
        // Places that a new project names exactly are reported as a whole.
        if (!before && isExact && (field === 'destinations' || isNamed)) continue;
        const rule = isPowerful || isEverything(text) ? rules.everything : rules.widened;
        const message = `allows the ${word} ${text}`;
        report(rule, subject, message, where, { kind: 'project', field });
      }
      if (!before) continue;
      for (const { text } of less)
        report(rules.narrowed, subject, `no longer allows the ${word} ${text}`, where);
    }
    for (const [field, word] of FORBIDDING) {
      const { more, less } = difference(field, before ? [before.object] : [], after.object);
      for (const { text } of less)
        report(rules.everything, subject, `no longer forbids the ${word} ${text}`, where);
      for (const { text } of more) {
        if (before) report(rules.narrowed, subject, `forbids the ${word} ${text}`, where);
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

interface Item {
  readonly text: string;
  /** Whether it has no wildcard. */
  readonly isExact: boolean;
  /** Whether it is about one object of a kind. */
  readonly isNamed: boolean;
}

/** @param before the objects of which any may have an entry already */
function difference(field: string, before: readonly KubeObject[], after: KubeObject) {
  const read = (object: KubeObject) => indexItems(valueAt(object, ['spec', field]));
  const old = new Map(before.flatMap((object) => [...read(object)]));
  const now = read(after);
  return {
    more: [...now].flatMap(([key, item]) => (old.has(key) ? [] : [item])),
    less: [...old].flatMap(([key, item]) => (now.has(key) ? [] : [item])),
  };
}

function indexItems(value: unknown): ReadonlyMap<string, Item> {
  const items = Array.isArray(value) ? value : [];
  return new Map(
    items.map((item) => {
      const text = formatItem(item);
      const isNamed = isMapping(item) && item['kind'] !== undefined && item['name'] !== undefined;
      return [formatCanonicalJson(item), { text, isExact: !/[*?[{!]/.test(text), isNamed }];
    }),
  );
}

/** `apps/Deployment`, `https://git.example.com/shop.git`, `namespace shop of https://...`. */
function formatItem(item: unknown): string {
  if (!isMapping(item)) return String(item);
  const { group, kind, namespace, server, name } = item;
  if (kind !== undefined) {
    const one = name === undefined ? '' : ` ${String(name)}`;
    return `${group === undefined || group === '' ? '' : `${group}/`}${kind}${one}`;
  }
  return `${namespace === undefined ? 'no namespace' : String(namespace)} of ${String(name ?? server)}`;
}

function isEverything(text: string): boolean {
  return /^\*(?:\/\*)?$/.test(text) || text.startsWith('* of ');
}

import { matchesLabels, NAME_LABEL, type LabelSelector } from '@tenantry/kube/label-selector';
import { isMapping, listAt, valueAt } from '@tenantry/kube/mapping';
import { groupOf } from '@tenantry/kube/object';
import { formatList } from '@tenantry/kube/problem';
import { selectBindings, selectRoles, type Subject } from './access.ts';
import { isUnscoped, selectLimitRanges, selectQuotas } from './bounds.ts';
import { findEnvironmentKey } from './facts.ts';
import type { FoundObject } from './manifests.ts';
import type { FoundNamespace, LeftOut } from './namespaces.ts';
import { selectPolicies } from './network.ts';
import { findEnvironment } from './tenant-names.ts';

/** Something in the source that is probably a mistake. */
export interface Observation {
  readonly rule: string;
  readonly found: FoundObject;
  readonly message: string;
}

/** @param known the names of all namespaces */
type Observer = (one: FoundNamespace, known: ReadonlySet<string>) => Observation[];

/**
 * Lists what is probably wrong in the source, whatever becomes of it.
 * @param existing further namespaces that exist
 */
export function observe(
  namespaces: readonly FoundNamespace[],
  leftOut: readonly LeftOut[],
  existing: ReadonlySet<string>,
): readonly Observation[] {
  const known = new Set([...existing, ...namespaces.map(({ name }) => name)]);
  const environment = observeEnvironment(namespaces);
  const observers = [environment, observeRoles, observeBindings, observeQuotas, observePolicies];
  // What others manage exists, too: a Role of a Helm release is not missing.
  const others = leftOut.flatMap(({ found }) => (isWhole(found) ? [found] : []));
  const byNamespace = Map.groupBy(others, ({ object }) => object.metadata.namespace);
  const isOther = new Set(others);
  return [
    ...observeMissingNamespaces(known, leftOut),
    ...namespaces.flatMap((one) => {
      const whole = { ...one, objects: [...one.objects, ...(byNamespace.get(one.name) ?? [])] };
      const found = observers.flatMap((observer) => observer(whole, known));
      return found.filter((observation) => !isOther.has(observation.found));
    }),
  ];
}

/** Whether a cluster has the object with all its content. */
function isWhole({ live }: FoundObject): boolean {
  return live !== undefined && live.made === undefined && live.fault === undefined;
}

function observeMissingNamespaces(
  known: ReadonlySet<string>,
  leftOut: readonly LeftOut[],
): Observation[] {
  const missing = Map.groupBy(
    leftOut.filter(
      ({ found }) => !known.has(found.object.metadata.namespace ?? found.object.metadata.name),
    ),
    ({ found }) => found.object.metadata.namespace,
  );
  return [...missing].flatMap(([name, objects]) => {
    if (name === undefined) return [];
    const { found } = objects[0]!;
    const message = `${objects.length === 1 ? 'an object is' : `${objects.length} objects are`} in the namespace '${name}', which the source does not have`;
    return [{ rule: 'missing-namespace', found, message }];
  });
}

/** Compares the environment in the name of a namespace with the one that its label names. */
function observeEnvironment(namespaces: readonly FoundNamespace[]): Observer {
  const key = findEnvironmentKey(namespaces);
  return ({ name, namespace }) => {
    const value = key && namespace.object.metadata[key.part]?.[key.key];
    if (value === undefined) return [];
    const [named, labelled] = [findEnvironment(name), findEnvironment(value)];
    if (named === undefined || labelled === undefined || named === labelled) return [];
    const message = `its name ends with the environment ${named}, and ${key!.key} is '${value}'`;
    return [{ rule: 'environment-differs', found: namespace, message }];
  };
}

const observeRoles: Observer = ({ objects }) => {
  const bound = new Set(
    selectBindings(objects).flatMap(({ object: { roleRef } }) =>
      roleRef?.kind === 'Role' ? [roleRef.name] : [],
    ),
  );
  return selectRoles(objects)
    .filter(({ object }) => !bound.has(object.metadata.name))
    .map((found) => ({ rule: 'unbound-role', found, message: 'nobody is bound to the Role' }));
};

const observeBindings: Observer = ({ objects }) => {
  const roles = new Set(selectRoles(objects).map(({ object }) => object.metadata.name));
  return selectBindings(objects).flatMap((found): Observation[] => {
    const { roleRef, subjects } = found.object;
    const list = Array.isArray(subjects) ? subjects : [];
    const noRole = roleRef?.kind === 'Role' && !roles.has(roleRef.name);
    const noNamespace = list.find((one) => one?.kind === 'ServiceAccount' && !one.namespace);
    return [
      ...(noRole
        ? [{ rule: 'missing-role', found, message: `there is no Role '${roleRef.name}'` }]
        : []),
      ...(roleRef?.kind === 'ClusterRole' && roleRef.name === 'cluster-admin' && list.length > 0
        ? [
            {
              rule: 'cluster-admin',
              found,
              message: `it grants everything in the namespace, its quotas and policies included, to ${formatSubjects(list)}`,
            },
          ]
        : []),
      ...(list.length === 0
        ? [{ rule: 'empty-binding', found, message: 'it has no subjects, and grants nothing' }]
        : []),
      ...(noNamespace
        ? [
            {
              rule: 'subject-namespace',
              found,
              message: `the ServiceAccount '${noNamespace.name}' has no namespace, so that the API server refuses the binding`,
            },
          ]
        : []),
    ];
  });
};

const formatSubjects = (subjects: readonly Subject[]): string =>
  formatList(
    subjects.map(({ kind, name, namespace }) =>
      namespace === undefined ? `${kind} ${name}` : `${kind} ${namespace}/${name}`,
    ),
  );

/** A quota of requests or limits refuses pods that state none, unless a LimitRange has defaults. */
const observeQuotas: Observer = ({ objects }) => {
  const hasDefaults = selectLimitRanges(objects).some(({ object }) =>
    object.spec.limits.some((item) => item.default ?? item.defaultRequest ?? item.max),
  );
  if (hasDefaults) return [];
  return selectQuotas(objects)
    .filter(({ object }) => isUnscoped(object))
    .flatMap((found) => {
      const keys = Object.keys(found.object.spec.hard).filter((key) =>
        /^(?:(?:requests|limits)\.)?(?:cpu|memory)$/.test(key),
      );
      if (keys.length === 0) return [];
      const message = `it bounds ${keys.join(' and ')}, and no LimitRange has defaults: pods that state none are refused`;
      return [{ rule: 'quota-without-limits', found, message }];
    });
};

/** Finds policies whose peers no namespace of the source is, and whose pods no workload of the namespace has. */
const observePolicies: Observer = ({ objects }, known) => {
  const pods = listPodLabels(objects);
  return selectPolicies(objects).flatMap((found): Observation[] => {
    const { podSelector, ingress, egress } = found.object.spec ?? {};
    const observations: Observation[] = [];
    const selects = podSelector as LabelSelector | undefined;
    if (selects && pods.length > 0 && !pods.some((labels) => matchesLabels(selects, labels))) {
      const message = 'it selects no pods of the workloads in the source';
      observations.push({ rule: 'policy-without-pods', found, message });
    }
    const rules = [...(ingress ?? []), ...(egress ?? [])];
    const peers = rules.flatMap((rule) => [...listAt(rule, ['from']), ...listAt(rule, ['to'])]);
    for (const peer of peers) {
      const name = valueAt(peer, ['namespaceSelector', 'matchLabels', NAME_LABEL]);
      if (typeof name !== 'string' || known.has(name)) continue;
      const message = `its peer is the namespace '${name}', which the source does not have`;
      observations.push({ rule: 'policy-without-peer', found, message });
    }
    return observations;
  });
};

/** Lists the labels of the pods that workloads create. */
function listPodLabels(objects: readonly FoundObject[]): Readonly<Record<string, string>>[] {
  const workloads = objects.filter(({ object }) =>
    ['apps', 'batch'].includes(groupOf(object.apiVersion)),
  );
  return workloads.flatMap(({ object }) =>
    templatePaths.flatMap((path) => {
      const template = valueAt(object, path);
      if (!isMapping(template)) return [];
      const labels = valueAt(template, ['metadata', 'labels']);
      return [isMapping(labels) ? (labels as Record<string, string>) : {}];
    }),
  );
}

const templatePaths = [
  ['spec', 'template'],
  ['spec', 'jobTemplate', 'spec', 'template'],
];

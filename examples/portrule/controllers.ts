import {
  allow,
  controller,
  core,
  done,
  ifExists,
  ifGone,
  predicates,
  type CacheView,
  type Change,
  type ObjectName,
} from '@tenantry/runtime';
import {
  configMapName,
  hostOf,
  NAMESPACE,
  Node,
  planOf,
  PortRule,
  statusPatchOf,
  type Host,
} from './host.ts';

type Watched = typeof Node | typeof PortRule | typeof core.ConfigMap;

const selection = { namespace: NAMESPACE };

/** Selects nodes that are created or deleted: changes of a node are irrelevant here. */
const comesOrGoes = ({ type }: Change): boolean => type !== 'changed';

/** Maintains the ConfigMap of each node. */
export const ruleSets = controller({
  name: 'portrule-rulesets',
  for: Node,
  predicate: comesOrGoes,
  owns: [{ kind: core.ConfigMap, selection }],
  watches: [
    {
      kind: PortRule,
      predicate: predicates.generationChanged,
      // A rule that moves to another host affects both hosts.
      map: ({ spec }) => [{ name: spec.host }],
    },
    // A ConfigMap of another owner blocks the operator's own until it is deleted.
    { kind: core.ConfigMap, selection, map: ({ metadata: { name } }) => [{ name }] },
  ],
  access: [allow(core.ConfigMap, 'create', 'update', 'delete').in(NAMESPACE)],
  async reconcile({ object, client, cache, owned }) {
    const { create, update, remove } = planOf(hostIn(cache, object.metadata.name));
    if (create) await client.create(core.ConfigMap, owned(create)).catch(ifExists);
    if (update) await client.update(core.ConfigMap, update);
    if (remove) {
      const { name, namespace, uid, resourceVersion } = remove.metadata;
      const preconditions = { uid, resourceVersion };
      await client.delete(core.ConfigMap, { name, namespace }, { preconditions }).catch(ifGone);
    }
    return done;
  },
});

/** Maintains the status of each rule. */
export const statuses = controller({
  name: 'portrule-statuses',
  for: PortRule,
  watches: [
    {
      kind: Node,
      predicate: comesOrGoes,
      map: ({ metadata }, cache) => rulesOn(metadata.name, cache),
    },
    {
      kind: core.ConfigMap,
      selection,
      map: ({ metadata }, cache) => rulesOn(metadata.name, cache),
    },
    {
      // Rules for the same port affect each other.
      kind: PortRule,
      predicate: predicates.generationChanged,
      map: ({ spec }, cache) => rulesOn(spec.host, cache),
    },
  ],
  access: [allow(PortRule, 'patch').subresource('status')],
  async reconcile({ object, client, cache, clock }) {
    const patch = statusPatchOf(object, hostIn(cache, object.spec.host), clock.date());
    if (!patch) return done;
    const part = { subresource: 'status' } as const;
    await client.patch(PortRule, object.metadata, patch, part).catch(ifGone);
    return done;
  },
});

function hostIn(cache: CacheView<Watched>, name: string): Host {
  return {
    name,
    node: cache.get(Node, { name }),
    rules: cache.list(PortRule, { index: { by: hostOf, is: name } }),
    configMap: cache.get(core.ConfigMap, configMapName(name)),
  };
}

function rulesOn(host: string, cache: CacheView): readonly ObjectName[] {
  return cache.list(PortRule, { index: { by: hostOf, is: host } }).map(({ metadata }) => metadata);
}

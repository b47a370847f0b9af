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
} from '../../runtime.ts';
import { configMapName, hostOf, NAMESPACE, Node, planOf, PortRule, statusPatchOf } from './host.ts';
import type { Host } from './host.ts';

type Watched = typeof Node | typeof PortRule | typeof core.ConfigMap;

const selection = { namespace: NAMESPACE };

/** What a node says of itself is nothing to us. */
const comesOrGoes = ({ type }: Change): boolean => type !== 'changed';

/** Keeps the ConfigMap of each node. */
export const ruleSets = controller({
  name: 'portrule-rulesets',
  for: Node,
  predicate: comesOrGoes,
  owns: [{ kind: core.ConfigMap, selection }],
  watches: [
    {
      kind: PortRule,
      predicate: predicates.generationChanged,
      // Of a rule that moves to another host, both hosts are looked at.
      map: ({ spec }) => [{ name: spec.host }],
    },
    // One of somebody else is in the way of one of ours, until it goes.
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

/** Says of each rule how it stands. */
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
      // Rules for one port wait for each other.
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

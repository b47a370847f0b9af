import { omitUndefined } from '@tenantry/kube/mapping';
import { isDnsLabel } from '@tenantry/kube/names';
import type { FoundObject } from '../../manifests.ts';
import type { SystemObject } from '../system-object.ts';
import type { SystemSource } from '../tenancy-system.ts';
import type { Translation } from '../translation.ts';
import {
  DEPTH_SUFFIX,
  HNC_GROUP,
  MANAGED_BY,
  SUBNAMESPACE_OF,
  type HierarchyConfiguration,
  type SubnamespaceAnchor,
} from './hnc-kinds.ts';

/** A namespace in a tree. */
export interface TreeNode {
  readonly name: string;
  /** Absent for a subnamespace that the source does not have: HNC makes it. */
  readonly namespace?: FoundObject;
  /** The `hierarchy` object of the namespace. */
  readonly config?: SystemObject<HierarchyConfiguration>;
  /** The anchor of a subnamespace. Its labels and annotations replace those of `config`. */
  readonly anchor?: SystemObject<SubnamespaceAnchor>;
  /** Why HNC would leave the namespace and all below it as they are. */
  halted?: string;
  parent?: TreeNode;
  readonly children: TreeNode[];
}

/** The trees of a source. */
export interface Forest {
  readonly nodes: ReadonlyMap<string, TreeNode>;
  /** The nodes without a parent. */
  readonly roots: readonly TreeNode[];
}

/** The maximum number of levels. A namespace has a label for each of its ancestors. */
export const MAX_LEVELS = 100;

/** Namespaces in which HNC does nothing, as it is installed. */
const unmanaged: ReadonlySet<string> = new Set([
  'kube-system',
  'kube-public',
  'kube-node-lease',
  'hnc-system',
]);

/**
 * Reads the trees of namespaces, and adds the subnamespaces that only an anchor names. A parent that HNC would not
 * accept is recorded at the object that states it; the namespace is then a root.
 *
 * Source: internal/hierarchyconfig/reconciler.go and internal/anchor/reconciler.go
 */
export function readForest(source: SystemSource, translation: Translation): Forest {
  const configs = readConfigs(source, translation);
  const anchors = readAnchors(source, translation);
  const nodes = new Map<string, TreeNode>();
  for (const namespace of source.namespaces) {
    const { name } = namespace.object.metadata;
    const anchor = anchors.get(name);
    const config = configs.get(name);
    nodes.set(name, omitUndefined<TreeNode>({ name, namespace, config, anchor, children: [] }));
  }
  addSubnamespaces(anchors, configs, nodes, source, translation);
  for (const [name, config] of configs) {
    if (!nodes.has(name)) {
      translation.leaveOut(config.found, `the source has no Namespace '${name}'`);
    }
  }
  for (const node of nodes.values()) setParent(node, nodes, source, translation);
  cutCycles(nodes, translation);
  for (const node of nodes.values()) node.parent?.children.push(node);
  const roots = [...nodes.values()].filter(({ parent }) => !parent);
  for (const node of roots.flatMap(listSubtree)) {
    const reason = node.parent?.halted;
    if (reason !== undefined) node.halted = reason;
  }
  reportDepth(roots, translation);
  return { nodes, roots };
}

/** Lists a node and all below it, parents before their children. */
export function listSubtree(top: TreeNode): TreeNode[] {
  const all = [top];
  for (let i = 0; i < all.length; i += 1) all.push(...all[i]!.children);
  return all;
}

/** Lists the ancestors of a node, beginning with the parent. */
export function listAncestors(node: TreeNode): TreeNode[] {
  const all: TreeNode[] = [];
  for (let at = node.parent; at; at = at.parent) all.push(at);
  return all;
}

/** The `hierarchy` objects by namespace. HNC ignores all others. */
function readConfigs(
  source: SystemSource,
  translation: Translation,
): ReadonlyMap<string, SystemObject<HierarchyConfiguration>> {
  const configs = new Map<string, SystemObject<HierarchyConfiguration>>();
  for (const one of source.objectsOf<HierarchyConfiguration>('HierarchyConfiguration')) {
    const namespace = source.namespaceOf(one.found);
    const before = namespace === undefined ? undefined : configs.get(namespace);
    if (namespace === undefined) {
      translation.leaveOut(one.found, 'it names no namespace, and its folder does not have one');
    } else if (one.name !== 'hierarchy') {
      translation.leaveOut(one.found, 'HNC reads only the one that is named `hierarchy`');
    } else if (before) {
      translation.leaveOut(
        one.found,
        before.found.file === undefined
          ? 'another one is for the same namespace'
          : `${before.found.file} has one for the same namespace`,
      );
    } else configs.set(namespace, one);
  }
  return configs;
}

/** The anchors by the names of their subnamespaces, but those with which HNC does nothing. */
function readAnchors(
  source: SystemSource,
  translation: Translation,
): ReadonlyMap<string, SystemObject<SubnamespaceAnchor>> {
  const all = source.objectsOf<SubnamespaceAnchor>('SubnamespaceAnchor');
  const namespaces = new Map(source.namespaces.map((one) => [one.object.metadata.name, one]));
  const anchors = new Map<string, SystemObject<SubnamespaceAnchor>>();
  for (const [name, own] of Map.groupBy(all, (one) => one.name)) {
    const places = new Set(own.map((one) => source.namespaceOf(one.found)));
    const namespace = namespaces.get(name);
    for (const one of own) {
      const parent = source.namespaceOf(one.found);
      const reason = findAnchorFault(name, parent, namespace, places);
      if (reason !== undefined) translation.leaveOut(one.found, reason);
      else anchors.set(name, one);
    }
  }
  return anchors;
}

function findAnchorFault(
  name: string,
  parent: string | undefined,
  namespace: FoundObject | undefined,
  places: ReadonlySet<string | undefined>,
): string | undefined {
  if (parent === undefined) return 'it names no namespace, and its folder does not have one';
  if (!isDnsLabel(name)) return 'no namespace can have its name';
  if (unmanaged.has(parent) || unmanaged.has(name)) return 'HNC does not manage the namespace';
  if (namespace) {
    const owner = namespace.object.metadata.annotations?.[SUBNAMESPACE_OF];
    if (owner === parent) return undefined;
    return `HNC ignores it: the source has the Namespace '${name}', which is no subnamespace of ${parent} by its annotation ${SUBNAMESPACE_OF}`;
  }
  return places.size > 1
    ? `several namespaces have an anchor for '${name}' (${[...places].join(', ')}): HNC makes it for one of them. Keep that one`
    : undefined;
}

/** Adds the subnamespaces that HNC makes, level by level. */
function addSubnamespaces(
  anchors: ReadonlyMap<string, SystemObject<SubnamespaceAnchor>>,
  configs: ReadonlyMap<string, SystemObject<HierarchyConfiguration>>,
  nodes: Map<string, TreeNode>,
  source: SystemSource,
  translation: Translation,
): void {
  const byParent = Map.groupBy(anchors.values(), (one) => source.namespaceOf(one.found)!);
  const known = [...nodes.keys()];
  for (let i = 0; i < known.length; i += 1) {
    for (const anchor of byParent.get(known[i]!) ?? []) {
      const { name } = anchor;
      if (nodes.has(name)) continue;
      const config = configs.get(name);
      nodes.set(name, omitUndefined<TreeNode>({ name, config, anchor, children: [] }));
      known.push(name);
      translation.addNamespace(name, anchor);
      translation.note(
        `namespace ${name} is declared as HNC makes it for SubnamespaceAnchor ${known[i]}/${name}`,
      );
    }
  }
  for (const anchor of anchors.values()) {
    const parent = source.namespaceOf(anchor.found)!;
    if (nodes.has(anchor.name)) continue;
    translation.leaveOut(anchor.found, `the source has no Namespace '${parent}'`);
  }
}

function setParent(
  node: TreeNode,
  nodes: ReadonlyMap<string, TreeNode>,
  source: SystemSource,
  translation: Translation,
): void {
  const { config, namespace, anchor } = node;
  const { labels, annotations } = namespace?.object.metadata ?? {};
  const manager = annotations?.[MANAGED_BY];
  const wanted = config?.content.spec?.parent || undefined;
  if (manager && manager !== HNC_GROUP) {
    config?.leave(['spec', 'parent'], `${manager} decides the place of the namespace, and not HNC`);
    return;
  }
  const owner = namespace
    ? annotations?.[SUBNAMESPACE_OF] || undefined
    : anchor && source.namespaceOf(anchor.found);
  const fromLabels = config ? undefined : findParentLabel(labels);
  const name = owner ?? wanted ?? fromLabels;
  if (name === undefined) return;
  if (wanted !== undefined && wanted !== name) {
    config?.leave(['spec', 'parent'], `the namespace is a subnamespace of ${name}, which wins`);
  }
  const parent = nodes.get(name);
  if (unmanaged.has(name))
    halt(node, name, `HNC does not manage the namespace ${name}`, translation);
  else if (parent) node.parent = parent;
  else halt(node, name, `the source has no Namespace '${name}': import it as well`, translation);
}

/** Returns the namespace at the distance of 1, as the labels of a live Namespace state it. */
function findParentLabel(labels: Readonly<Record<string, string>> = {}): string | undefined {
  const key = Object.keys(labels).find((one) => one.endsWith(DEPTH_SUFFIX) && labels[one] === '1');
  return key?.slice(0, -DEPTH_SUFFIX.length);
}

/** Records that a namespace has no valid parent. HNC then changes nothing in it and below it. */
function halt(node: TreeNode, parent: string, reason: string, translation: Translation): void {
  node.halted = reason;
  if (node.config?.content.spec?.parent === parent) node.config.leave(['spec', 'parent'], reason);
  else translation.note(`namespace ${node.name} has no parent ${parent}: ${reason}`);
}

function cutCycles(nodes: ReadonlyMap<string, TreeNode>, translation: Translation): void {
  const done = new Set<TreeNode>();
  for (const start of nodes.values()) {
    const path: TreeNode[] = [];
    const onPath = new Set<TreeNode>();
    let at: TreeNode | undefined = start;
    while (at && !done.has(at) && !onPath.has(at)) {
      path.push(at);
      onPath.add(at);
      at = at.parent;
    }
    if (at && onPath.has(at)) {
      const cycle = path.slice(path.indexOf(at));
      const names = [...cycle, at].map(({ name }) => name);
      const shown = names.length > 10 ? [...names.slice(0, 9), '...', at.name] : names;
      for (const one of cycle) {
        const reason = `the namespaces are a cycle: ${shown.join(' below ')}`;
        halt(one, one.parent!.name, reason, translation);
      }
      for (const one of cycle) delete one.parent;
    }
    for (const one of path) done.add(one);
  }
}

function reportDepth(roots: readonly TreeNode[], translation: Translation): void {
  let level = roots;
  for (let depth = 1; depth < MAX_LEVELS; depth += 1) level = level.flatMap((one) => one.children);
  const deep = level.flatMap((one) => one.children)[0];
  const found = deep && (deep.config ?? deep.anchor)?.found;
  const place = found ?? deep?.namespace;
  if (!deep || !place) return;
  const message = `must be at most ${MAX_LEVELS} levels below each other, got a parent of ${deep.name} that is on the last`;
  translation.reportProblem(place, message, 'size');
}

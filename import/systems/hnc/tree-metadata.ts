import type { Path } from '@tenantry/kube/problem';
import { isMapping } from '@tenantry/kube/mapping';
import type { KubeObject } from '@tenantry/kube/object';
import { formatObjectName } from '../../../operator/drift/object-drift.ts';
import type { SystemObject } from '../system-object.ts';
import type { SystemSource } from '../tenancy-system.ts';
import type { Translation } from '../translation.ts';
import { DEPTH_SUFFIX, HNC, INCLUDED, MANAGED_BY, SUBNAMESPACE_OF } from './hnc-kinds.ts';
import { listAncestors, listSubtree, type Forest, type TreeNode } from './namespace-tree.ts';

type Part = 'labels' | 'annotations';
type Words = Readonly<Record<string, string>>;
const parts: readonly Part[] = ['labels', 'annotations'];

/** Labels and annotations that HNC sets on a namespace. */
export type ManagedKeys = Readonly<Record<Part, Words>>;

/**
 * Computes the labels and annotations that trees set on their namespaces, sets them, and records what became of the
 * fields that state them. The value of the topmost ancestor wins.
 * @returns the keys by namespace
 */
export function setManagedKeys(
  { roots }: Forest,
  translation: Translation,
): ReadonlyMap<TreeNode, ManagedKeys> {
  const managed = new Map<TreeNode, ManagedKeys>();
  for (const node of roots.flatMap(listSubtree)) {
    const above = node.parent && managed.get(node.parent);
    const own = readOwn(node);
    managed.set(node, {
      labels: { ...own.labels, ...above?.labels },
      annotations: { ...own.annotations, ...above?.annotations },
    });
  }
  for (const [node, keys] of managed) {
    if (isLive(node)) continue;
    for (const part of parts) {
      for (const [key, value] of Object.entries(keys[part])) {
        translation.setKey(node.name, part, key, value);
      }
    }
  }
  for (const node of managed.keys()) {
    for (const part of parts) recordPairs(node, part, managed);
  }
  return managed;
}

/** The object that states the keys of a namespace: its anchor if it has one. */
const statingObject = ({ anchor, config }: TreeNode): SystemObject | undefined => anchor ?? config;

type Stating = { readonly spec?: Readonly<Partial<Record<Part, readonly Pair[]>>> };
type Pair = { readonly key: string; readonly value: string };

const readPairs = (one: SystemObject | undefined, part: Part): readonly Pair[] =>
  (one?.content as Stating | undefined)?.spec?.[part] ?? [];

function readOwn(node: TreeNode): ManagedKeys {
  const read = (part: Part): Words =>
    Object.fromEntries(
      readPairs(statingObject(node), part).map(({ key, value }): [string, string] => [key, value]),
    );
  return { labels: read('labels'), annotations: read('annotations') };
}

/** Whether HNC has already set the keys of the Namespace in the source. */
function isLive({ namespace }: Pick<TreeNode, 'namespace'>): boolean {
  const labels = namespace?.object.metadata.labels ?? {};
  return Object.keys(labels).some((key) => key === INCLUDED || key.endsWith(DEPTH_SUFFIX));
}

function recordPairs(
  node: TreeNode,
  part: Part,
  managed: ReadonlyMap<TreeNode, ManagedKeys>,
): void {
  const { anchor, config } = node;
  const used = statingObject(node);
  const below = listSubtree(node);
  for (const [i, { key, value }] of readPairs(used, part).entries()) {
    const missing = below.filter(
      (one) =>
        isLive(one) && one.namespace?.object.metadata[part]?.[key] !== managed.get(one)![part][key],
    );
    const set = managed.get(node)![part][key];
    const reason =
      set !== value
        ? `an ancestor or a later entry sets ${key} to '${set}', which wins`
        : missing.length > 0
          ? `HNC has not set it on ${missing[0]!.name}: it is not a key that HNC manages`
          : undefined;
    record(used!, ['spec', part, i], reason, `${part} of ${nameAll(below)}`);
  }
  if (!anchor || !config) return;
  for (const [i, pair] of readPairs(config, part).entries()) {
    const isSame = readPairs(anchor, part).some(
      (one) => one.key === pair.key && one.value === pair.value,
    );
    const reason = isSame ? undefined : 'the SubnamespaceAnchor of the namespace replaces it';
    record(config, ['spec', part, i], reason, `${part} of ${nameAll(below)}`);
  }
}

function record(one: SystemObject, path: Path, reason: string | undefined, becomes: string): void {
  for (const field of ['key', 'value']) {
    if (reason === undefined) one.take([...path, field], becomes);
    else one.leave([...path, field], reason);
  }
}

function nameAll(nodes: readonly TreeNode[]): string {
  return nodes.length > 3 ? `${nodes.length} namespaces` : nodes.map(({ name }) => name).join(', ');
}

/** Returns the labels for the place of a namespace in its tree, with the distance to each ancestor. */
export function computeDepthLabels(node: TreeNode): Record<string, string> {
  const chain = [node, ...listAncestors(node)];
  const external = Object.entries(chain.at(-1)!.namespace?.object.metadata.labels ?? {})
    .filter(([key, value]) => key.endsWith(DEPTH_SUFFIX) && /^\d+$/.test(value))
    .map(([key, value]): [string, string] => [key, String(Number(value) + chain.length - 1)]);
  const own = chain.map(({ name }, i): [string, string] => [`${name}${DEPTH_SUFFIX}`, String(i)]);
  return Object.fromEntries([...external, ...own]);
}

/**
 * Keeps the labels of HNC by which an object of the source selects namespaces, as labels that are declared, and leaves
 * out its other keys. Without the labels, a NetworkPolicy would select other namespaces than before.
 */
export function keepSelectedLabels(
  { roots }: Forest,
  { objects }: SystemSource,
  translation: Translation,
): void {
  const selected = findSelectedLabels(objects.map(({ object }) => object));
  const counts = new Map<string, number>();
  for (const node of roots.flatMap(listSubtree)) {
    const { labels = {}, annotations = {} } = node.namespace?.object.metadata ?? {};
    const computed: Words =
      selected.size > 0 ? { ...computeDepthLabels(node), [INCLUDED]: 'true' } : {};
    for (const [key, value] of Object.entries({ ...computed, ...labels })) {
      if (key !== INCLUDED && !key.endsWith(DEPTH_SUFFIX)) continue;
      if (selected.has(key)) {
        translation.setKey(node.name, 'labels', key, value);
        counts.set(key, (counts.get(key) ?? 0) + 1);
      } else if (key in labels) translation.dropKey(HNC, node.name, 'labels', key);
    }
    for (const key of [SUBNAMESPACE_OF, MANAGED_BY]) {
      if (key in annotations) translation.dropKey(HNC, node.name, 'annotations', key);
    }
  }
  for (const [key, count] of counts) {
    translation.note(
      `label ${key} of HNC is declared for ${count} namespaces, because ${selected.get(key)} selects by it: without HNC, a new namespace of the tree must declare it`,
    );
  }
}

/** The names of these labels in any text: in a selector, and in the program of a policy. */
const LABELS =
  /[a-z0-9](?:[-a-z0-9]*[a-z0-9])?\.tree\.hnc\.x-k8s\.io\/depth|hnc\.x-k8s\.io\/included-namespace/g;

/** Returns the labels that objects name, each with the name of the first object. */
function findSelectedLabels(objects: readonly KubeObject[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const object of objects) {
    const { metadata, status: _status, ...content } = object;
    // HNC's own installation selects the namespaces that it manages.
    if (metadata.name.startsWith('hnc-') || metadata.name.endsWith('.hnc.x-k8s.io')) continue;
    const name = formatObjectName({ kind: object.kind, ...metadata });
    for (const text of listTexts(content)) {
      for (const [label] of text.includes('hnc.x-k8s.io/') ? text.matchAll(LABELS) : []) {
        if (!found.has(label)) found.set(label, name);
      }
    }
  }
  return found;
}

/** Lists all keys and texts of a value. */
function* listTexts(value: unknown): Generator<string, void> {
  if (typeof value === 'string') yield value;
  else if (Array.isArray(value)) for (const item of value) yield* listTexts(item);
  else if (isMapping(value)) {
    for (const [key, inner] of Object.entries(value)) {
      yield key;
      yield* listTexts(inner);
    }
  }
}

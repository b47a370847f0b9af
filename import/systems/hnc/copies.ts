import { parseLabelSelector, matchesLabels } from '@tenantry/kube/label-selector';
import { isDnsLabel } from '@tenantry/kube/names';
import { groupOf, type KubeObject } from '@tenantry/kube/object';
import { diffObjects } from '../../diff-objects.ts';
import type { FoundObject } from '../../manifests.ts';
import type { SystemSource } from '../tenancy-system.ts';
import type { Translation } from '../translation.ts';
import type { CopyMode, ModeLookup } from './copied-kinds.ts';
import { INHERITED_FROM, isHncKey } from './hnc-kinds.ts';
import { listSubtree, type Forest, type TreeNode } from './namespace-tree.ts';
import { computeDepthLabels, type ManagedKeys } from './tree-metadata.ts';

/** The maximum number of copies: twice the objects of the largest fleet that Tenantry is measured with. */
const MAX_COPIES = 200_000;

/** An object that HNC may copy into the namespaces below its own. */
interface Original {
  readonly found: FoundObject;
  readonly key: string;
  readonly mode: CopyMode;
  readonly namespace: string;
}

type Originals = ReadonlyMap<string, readonly Original[]>;

/**
 * Adds the copies that HNC makes of objects in the namespaces below, and explains those that the source has.
 *
 * Source: internal/objects/reconciler.go and internal/selectors/selectors.go
 */
export function addCopies(
  forest: Forest,
  managed: ReadonlyMap<TreeNode, ManagedKeys>,
  findMode: ModeLookup,
  source: SystemSource,
  translation: Translation,
): void {
  const sorted = sortObjects(forest, findMode, source);
  const inherited = new Map<TreeNode, Originals>();
  const below = new Map<TreeNode, Originals>();
  let considered = 0;
  for (const node of forest.roots.flatMap(listSubtree)) {
    if (node.halted !== undefined) continue;
    const from = (node.parent && below.get(node.parent)) ?? new Map<string, Original[]>();
    inherited.set(node, from);
    below.set(node, addOwn(from, sorted.originals.get(node.name)));
    considered += from.size;
    if (considered > MAX_COPIES) {
      const [[first]] = [...from.values()] as [Original[]];
      const message = `must be at most ${MAX_COPIES} copies of HNC, got more`;
      translation.reportProblem(first!.found, message, 'size');
      return;
    }
  }
  for (const [node, from] of inherited) {
    const labels = memoize(() => ({
      ...node.namespace?.object.metadata.labels,
      ...managed.get(node)?.labels,
      ...computeDepthLabels(node),
    }));
    for (const [key, candidates] of from) {
      const original = candidates.find((one) => isCopied(one, labels));
      if (original) addCopy(node, key, original, sorted, translation);
    }
  }
  leaveOtherCopies(sorted, translation);
}

/** Objects of a source by `<namespace> <group>/<kind>/<name>`. */
interface SortedObjects {
  readonly written: ReadonlyMap<string, FoundObject>;
  /** The copies that no original explains so far. */
  readonly copies: Map<string, FoundObject>;
  /** By namespace, and then without it. */
  readonly originals: ReadonlyMap<string, ReadonlyMap<string, Original>>;
}

function sortObjects(
  { nodes }: Forest,
  findMode: ModeLookup,
  { objects, namespaceOf }: SystemSource,
): SortedObjects {
  const originals = new Map<string, Map<string, Original>>();
  const written = new Map<string, FoundObject>();
  const copies = new Map<string, FoundObject>();
  for (const found of objects) {
    const namespace = namespaceOf(found);
    if (namespace === undefined || !nodes.has(namespace)) continue;
    const key = keyOf(found.object);
    if (isCopy(found.object)) {
      copies.set(`${namespace} ${key}`, found);
      continue;
    }
    written.set(`${namespace} ${key}`, found);
    const mode = findMode(found.object);
    if (mode === undefined) continue;
    const own = originals.get(namespace) ?? new Map<string, Original>();
    originals.set(namespace, own.set(key, { found, key, mode, namespace }));
  }
  return { originals, written, copies };
}

function addCopy(
  node: TreeNode,
  key: string,
  original: Original,
  { written, copies }: SortedObjects,
  translation: Translation,
): void {
  const id = `${node.name} ${key}`;
  const own = written.get(id);
  const live = copies.get(id);
  const copy = buildCopy(original.found.object);
  copies.delete(id);
  if (own) reportConflict(node, own, copy, original, translation);
  else translation.addObject(node.name, copy, original);
  if (live) explainCopy(live, copy, original, node.name, translation);
}

/** Secrets have a reason of their own. */
function leaveOtherCopies({ copies }: SortedObjects, translation: Translation): void {
  for (const copy of copies.values()) {
    const { kind, metadata } = copy.object;
    if (kind === 'Secret') continue;
    const original = `${kind} ${metadata.labels![INHERITED_FROM]}/${metadata.name}`;
    translation.leaveOut(
      copy,
      `HNC made it of ${original}, which the source lacks or HNC no longer copies`,
    );
  }
}

/** Whether HNC made an object of one in another namespace. */
export const isCopy = ({ metadata }: KubeObject): boolean =>
  metadata.labels?.[INHERITED_FROM] !== undefined;

const keyOf = ({ apiVersion, kind, metadata }: KubeObject): string =>
  `${groupOf(apiVersion)}/${kind}/${metadata.name}`;

/** Adds the originals of a namespace to those of its ancestors, from the top down. */
function addOwn(inherited: Originals, own: ReadonlyMap<string, Original> | undefined): Originals {
  if (!own) return inherited;
  const all = new Map(inherited);
  for (const [key, one] of own) all.set(key, [...(all.get(key) ?? []), one]);
  return all;
}

function memoize<T>(compute: () => T): () => T {
  let value: T | undefined;
  return () => (value ??= compute());
}

const PREFIX = 'propagate.hnc.x-k8s.io/';

/** Whether HNC copies an object into a namespace with these labels. An annotation that is not valid excludes it. */
function isCopied(
  { found: { object }, mode }: Original,
  labels: () => Readonly<Record<string, string>>,
): boolean {
  const { annotations = {}, finalizers = [] } = object.metadata as KubeObject['metadata'] & {
    readonly finalizers?: readonly string[];
  };
  if (isExcluded(object) || finalizers.length > 0) return false;
  const { select, treeSelect, none, all } = Object.fromEntries(
    ['select', 'treeSelect', 'none', 'all'].map((name) => [name, annotations[`${PREFIX}${name}`]]),
  );
  const [isNone, isAll] = [parseSwitch(none), parseSwitch(all)];
  if (isNone !== false || isAll === undefined) return false;
  const isSelected = select ? matchesText(select, labels) : undefined;
  const isInTree = treeSelect ? matchesTree(treeSelect, labels) : undefined;
  if (isSelected === false || isInTree === false) return false;
  return mode === 'Propagate' || isAll || isSelected === true || isInTree === true;
}

/** Parses a switch as Go's `strconv.ParseBool`; undefined if it is not valid, and false if it is absent. */
function parseSwitch(text: string | undefined): boolean | undefined {
  if (text === undefined || text === '') return false;
  if (['1', 't', 'T', 'TRUE', 'true', 'True'].includes(text)) return true;
  return ['0', 'f', 'F', 'FALSE', 'false', 'False'].includes(text) ? false : undefined;
}

function matchesText(text: string, labels: () => Readonly<Record<string, string>>): boolean {
  try {
    return matchesLabels(parseLabelSelector(text), labels());
  } catch {
    return false;
  }
}

/** Matches `a` or `!a, !b`: the namespaces in the subtree of `a`, or outside of those of `a` and `b`. */
function matchesTree(text: string, labels: () => Readonly<Record<string, string>>): boolean {
  const parts = text.split(',').map((part) => part.trim());
  const names = parts.map((part) => (part.startsWith('!') ? part.slice(1) : part));
  const positive = parts.filter((part) => !part.startsWith('!'));
  if (!names.every(isDnsLabel) || positive.length > 1) return false;
  const all = labels();
  return parts.every((part, i) => {
    const isIn = Object.hasOwn(all, `${names[i]}.tree.hnc.x-k8s.io/depth`);
    return part.startsWith('!') ? !isIn : isIn;
  });
}

/** What HNC never copies, as it is installed. */
function isExcluded({ kind, apiVersion, metadata }: KubeObject): boolean {
  const isMade =
    apiVersion === 'v1' &&
    kind === 'ConfigMap' &&
    ['istio-ca-root-cert', 'kube-root-ca.crt'].includes(metadata.name);
  return (
    isMade ||
    metadata.annotations?.['openshift.io/description'] !== undefined ||
    metadata.labels?.['cattle.io/creator'] === 'norman'
  );
}

/** A copy has the name and the content of its original, and its labels and annotations but those of HNC. */
function buildCopy(original: KubeObject): KubeObject {
  const { status: _status, metadata, ...content } = original;
  const keep = (entries: Readonly<Record<string, string>> = {}) => {
    const kept = Object.entries(entries).filter(([key]) => !isHncKey(key) && !serverKeys.has(key));
    return kept.length > 0 ? Object.fromEntries(kept) : undefined;
  };
  const [labels, annotations] = [keep(metadata.labels), keep(metadata.annotations)];
  const own = {
    name: metadata.name,
    ...(labels && { labels }),
    ...(annotations && { annotations }),
  };
  return { ...content, metadata: own };
}

/** HNC copies the first, but it is no part of the original; it replaces the second. */
const serverKeys: ReadonlySet<string> = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  'app.kubernetes.io/managed-by',
]);

/** An object of the same name in a namespace below stays; HNC would overwrite it. */
function reportConflict(
  { name, config, anchor }: TreeNode,
  own: FoundObject,
  copy: KubeObject,
  { namespace }: Original,
  translation: Translation,
): void {
  if (isSameContent(place(copy, name), place(own.object, name))) return;
  const what = `${own.object.kind} ${own.object.metadata.name}`;
  const difference = `${what} of the source stays as it is, and HNC would overwrite it with that of ${namespace}`;
  if (config?.content.spec?.parent) config.change(['spec', 'parent'], 'copies', difference);
  else if (anchor) translation.leaveOut(anchor.found, difference);
  else translation.note(`namespace ${name}: ${difference}`);
}

const place = (object: KubeObject, namespace: string): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, namespace },
});

const isSameContent = (one: KubeObject, other: KubeObject): boolean =>
  diffObjects(one, other).every(({ path }) => path[0] === 'metadata');

function explainCopy(
  live: FoundObject,
  copy: KubeObject,
  { found: { object }, namespace }: Original,
  target: string,
  translation: Translation,
): void {
  const original = `${object.kind} ${namespace}/${object.metadata.name}`;
  if (isSameContent(place(live.object, target), place(copy, target))) {
    translation.explainMade(live, `HNC made it of ${original}, and a copy is declared`);
  } else {
    translation.leaveOut(
      live,
      `it differs from ${original}, of which HNC made it: a copy of that is declared`,
    );
  }
}

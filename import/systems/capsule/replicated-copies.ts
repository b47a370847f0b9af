import { matchesLabels, type LabelSelector } from '@tenantry/kube/label-selector';
import { groupOf, type KubeObject } from '@tenantry/kube/object';
import type { Path } from '@tenantry/kube/problem';
import type { SystemObject } from '../system-object.ts';
import { objectLabels } from './keys.ts';
import type { ReplicatedResource } from './other-schemas.ts';
import { fillText, fillValue } from './placeholders.ts';
import {
  findKindFault,
  TOO_MANY,
  withMetadata,
  type Replications,
  type ReplicationTarget,
} from './replicas.ts';

type Item = NonNullable<ReplicatedResource['namespacedItems']>[number];
type Placed = readonly (readonly [string, KubeObject])[];

/**
 * Copies the objects of the source that `namespacedItems` names. What a replication made is not copied again.
 * @param refuse returns why objects of an API version may not be copied from a namespace
 * @param home the namespace of items that name none
 */
export function copyItems(
  one: SystemObject,
  resource: ReplicatedResource,
  path: Path,
  targets: readonly ReplicationTarget[],
  replications: Replications,
  refuse: (namespace: string, apiVersion: string) => string | undefined,
  home?: string,
): void {
  for (const [i, item] of (resource.namespacedItems ?? []).entries()) {
    const at = [...path, 'namespacedItems', i];
    const placed = copyItem(item, resource, targets, replications, refuse, home);
    if (typeof placed === 'string') one.leave(at, placed);
    else if (!replications.add(placed, one)) one.leave(at, TOO_MANY);
    else {
      one.change(
        at,
        `${placed.length} copies`,
        'a copy no longer follows its original: use a preset in `presets.resources` of the class to change them together',
      );
    }
  }
}

function copyItem(
  item: Item,
  resource: ReplicatedResource,
  targets: readonly ReplicationTarget[],
  { index }: Replications,
  refuse: (namespace: string, apiVersion: string) => string | undefined,
  home: string | undefined,
): Placed | string {
  const fault = findKindFault(item.apiVersion, item.kind);
  if (fault !== undefined) return fault;
  if (targets.length === 0) return 'it selects no namespace of the source';
  const placed: (readonly [string, KubeObject])[] = [];
  for (const { namespace, values } of targets) {
    if (namespace === undefined) return 'only objects of the scope Namespace are copied';
    const from = fillText(item.namespace ?? home ?? '', values);
    if (from === '') return 'it names no namespace: import the objects that it made';
    const reason = refuse(from, item.apiVersion);
    if (reason !== undefined) return reason;
    const found = select(item, values, index.list(groupOf(item.apiVersion), item.kind, from));
    if (found.length === 0) return `the source has no such object in ${from}`;
    for (const original of from === namespace ? [] : found) {
      const copy = withMetadata(dropSelectedLabels(original, item), resource, values);
      const whole = { ...copy, metadata: { ...copy.metadata, namespace } };
      if (index.has(whole)) return `the source has the copy itself in ${namespace}`;
      placed.push([namespace, copy]);
    }
  }
  return placed;
}

function select(
  { name, selector }: Item,
  values: ReadonlyMap<string, string>,
  objects: readonly { readonly object: KubeObject }[],
): KubeObject[] {
  const wanted = name === undefined ? undefined : fillText(name, values);
  const filled = fillValue(selector ?? {}, values) as LabelSelector;
  return objects
    .map(({ object }) => object)
    .filter(({ metadata }) =>
      wanted === undefined || wanted === ''
        ? matchesLabels(filled, metadata.labels ?? {})
        : metadata.name === wanted,
    );
}

/** A copy lacks the labels by which its original was selected, and those that only Capsule reads. */
function dropSelectedLabels(object: KubeObject, { selector }: Item): KubeObject {
  const dropped = new Set([
    ...objectLabels,
    ...Object.keys(selector?.matchLabels ?? {}),
    ...(selector?.matchExpressions ?? []).map(({ key }) => key),
  ]);
  const labels = Object.entries(object.metadata.labels ?? {}).filter(([key]) => !dropped.has(key));
  return { ...object, metadata: { ...object.metadata, labels: Object.fromEntries(labels) } };
}

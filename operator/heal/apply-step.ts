import { isDeepStrictEqual } from 'node:util';
import type { KubeObject } from '@tenantry/kube/object';
import { ifGone } from '@tenantry/runtime/errors/reaction';
import type { ObjectMeta, Written } from '@tenantry/runtime/kinds/kind';
import { RoleBinding } from '@tenantry/runtime/kinds/rbac';
import { getWholeKind, type WholeKind } from '../cluster/kinds.ts';
import { diffObject } from '../drift/object-drift.ts';
import { normalizeContent, keepAddedPullSecrets, digestContent } from '../stored/content.ts';
import type { HealClient } from './policy.ts';
import { buildTrimPatch, type HealStep } from './plan.ts';

/** The field manager of everything that the operator applies. */
export const FIELD_MANAGER = 'tenantry-operator';

/**
 * The outcome of a step. `unchanged`: the write would change nothing, or something modified the object as it was
 * written.
 */
type StepOutcome = 'done' | 'unchanged';

/**
 * Tracking marks are not written to objects that the operator creates or restores: Argo CD prunes what carries them.
 */
const tracking = {
  labels: 'app.kubernetes.io/instance',
  annotations: 'argocd.argoproj.io/tracking-id',
};

/** Applies a step of a plan. Rejects with the error of the API server. */
export async function applyStep(step: HealStep, client: HealClient): Promise<StepOutcome> {
  const object = withoutTracking(step.object);
  switch (step.type) {
    case 'create':
      return create(object, client);
    case 'replace':
      return replace(object, step.live!, client);
    // A controller created this account and nobody has changed it since, so completing it overrules nobody.
    case 'complete':
    case 'restore':
      return restore(keepAdded(object, step.live!), step.live!, client);
  }
}

/** Returns the object to write, with the entries that controllers add to a list that is written as one value. */
function keepAdded(object: KubeObject, live: KubeObject): KubeObject {
  return object.kind === 'ServiceAccount' ? keepAddedPullSecrets(object, live) : object;
}

/** Creates the object. A Namespace that somebody else creates at the same time is not taken over. */
async function create(object: KubeObject, client: HealClient): Promise<StepOutcome> {
  await client.create(getWholeKind(object), toWritten(object), { fieldManager: FIELD_MANAGER });
  return 'done';
}

/** Replaces a binding by deleting and creating it. A dry run under another name first checks that it can be created. */
async function replace(
  object: KubeObject,
  live: KubeObject,
  client: HealClient,
): Promise<StepOutcome> {
  const { name, ...metadata } = object.metadata;
  const other = { ...object, metadata: { ...metadata, generateName: `${name.slice(0, 200)}-` } };
  const options = { fieldManager: FIELD_MANAGER };
  await client.create(getWholeKind(object), toWritten(other as never), {
    ...options,
    dryRun: true,
  });
  const { uid, resourceVersion } = live.metadata as ObjectMeta;
  await client
    .delete(RoleBinding, object.metadata, { preconditions: { uid, resourceVersion } })
    .catch(ifGone);
  return create(object, client);
}

/** Removes undeclared parts first, because some of them exclude declared ones; then applies the declaration. */
async function restore(
  object: KubeObject,
  live: KubeObject,
  client: HealClient,
): Promise<StepOutcome> {
  const trimmed = (await trim(object, live, client)) ?? live;
  const kind = getWholeKind(object);
  const options = { fieldManager: FIELD_MANAGER, force: true };
  const wanted = toWritten(pinResourceVersion(object, trimmed));
  const tried = await client.apply(kind, wanted, { ...options, dryRun: true });
  if (isSame(trimmed, tried as KubeObject))
    return trimmed === live ? 'unchanged' : done(object, trimmed);
  return done(object, (await client.apply(kind, wanted, options)) as KubeObject);
}

/** Removes undeclared parts and returns the object; undefined if there are none or they cannot be removed. */
async function trim(
  object: KubeObject,
  live: KubeObject,
  client: HealClient,
): Promise<KubeObject | undefined> {
  const patch = buildTrimPatch(object, live);
  if (!patch) return undefined;
  const { name, namespace, resourceVersion } = live.metadata as ObjectMeta;
  const conditionalPatch = {
    ...patch,
    metadata: { ...(patch['metadata'] as object), resourceVersion },
  };
  const options = { fieldManager: FIELD_MANAGER };
  const kind = getWholeKind(object);
  const tried = await client.patch(kind, { name, namespace }, conditionalPatch, {
    ...options,
    dryRun: true,
  });
  if (isSame(live, tried as KubeObject)) return undefined;
  return (await client.patch(kind, { name, namespace }, conditionalPatch, options)) as KubeObject;
}

function done(object: KubeObject, stored: KubeObject): StepOutcome {
  return diffObject(object, stored).length === 0 ? 'done' : 'unchanged';
}

/**
 * Makes the write conditional on the state that was checked. The ownership of a Namespace was checked for this state
 * only. A controller may add a pull secret to a ServiceAccount after it.
 */
function pinResourceVersion(object: KubeObject, live: KubeObject): KubeObject {
  if (object.kind !== 'Namespace' && object.kind !== 'ServiceAccount') return object;
  const { resourceVersion } = live.metadata as ObjectMeta;
  return { ...object, metadata: { ...object.metadata, resourceVersion } as KubeObject['metadata'] };
}

function isSame(a: KubeObject, b: KubeObject): boolean {
  const { labels, annotations } = a.metadata;
  return (
    digestContent(normalizeContent(a)!) === digestContent(normalizeContent(b)!) &&
    isDeepStrictEqual(labels ?? {}, b.metadata.labels ?? {}) &&
    isDeepStrictEqual(annotations ?? {}, b.metadata.annotations ?? {})
  );
}

function withoutTracking(object: KubeObject): KubeObject {
  const { labels = {}, annotations = {} } = object.metadata;
  const { [tracking.labels]: _, ...keptLabels } = labels;
  const { [tracking.annotations]: __, ...keptAnnotations } = annotations;
  const metadata = { ...object.metadata, labels: keptLabels, annotations: keptAnnotations };
  return { ...object, metadata };
}

/** Returns the object as a writable one: declared objects are of the kinds of which tenants consist, and fit them. */
function toWritten(object: KubeObject): Written<WholeKind> {
  return object as Written<WholeKind>;
}

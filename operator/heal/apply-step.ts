import { isDeepStrictEqual } from 'node:util';
import type { KubeObject } from '../../kube/object.ts';
import { ifGone } from '../../runtime/errors/expected.ts';
import type { ObjectMeta, Written } from '../../runtime/kinds/kind.ts';
import { RoleBinding } from '../../runtime/kinds/rbac.ts';
import { wholeKindOf, type WholeKind } from '../cluster/kinds.ts';
import { diffObject } from '../drift/object-drift.ts';
import { normalizeContent } from '../stored/content.ts';
import { digestOf } from '../stored/digest.ts';
import { keepAddedPullSecrets } from '../stored/service-account.ts';
import type { HealClient } from './heal-access.ts';
import type { HealStep } from './plan.ts';
import { buildTrimPatch } from './trim.ts';

/** As what the operator writes. */
export const FIELD_MANAGER = 'tenantry-operator';

/**
 * What came of a step. Unchanged: the API server would store what is there already, or what was written is
 * something else at once: something changes it as it is written.
 */
export type StepOutcome = 'done' | 'unchanged';

/** What the operator would write over its own name alone: Argo CD prunes what carries its marks. */
const tracking = {
  labels: 'app.kubernetes.io/instance',
  annotations: 'argocd.argoproj.io/tracking-id',
};

/** Does what a step says. Rejects with what the API server says against it. */
export async function applyStep(step: HealStep, client: HealClient): Promise<StepOutcome> {
  const object = withoutTracking(step.object);
  switch (step.type) {
    case 'create':
      return create(object, client);
    case 'replace':
      return replace(object, step.live!, client);
    // Of an account that a controller made nobody said anything in this state of it: nobody is overruled.
    case 'complete':
    case 'restore':
      return restore(keepAdded(object, step.live!), step.live!, client);
  }
}

/** The object as it is written: with what controllers add to a list that is written as one value. */
function keepAdded(object: KubeObject, live: KubeObject): KubeObject {
  return object.kind === 'ServiceAccount' ? keepAddedPullSecrets(object, live) : object;
}

/** A Namespace that somebody makes at the same time is not taken over. */
async function create(object: KubeObject, client: HealClient): Promise<StepOutcome> {
  await client.create(wholeKindOf(object), writtenOf(object), { fieldManager: FIELD_MANAGER });
  return 'done';
}

/** What cannot be created again is not deleted: that is asked before, under another name. */
async function replace(
  object: KubeObject,
  live: KubeObject,
  client: HealClient,
): Promise<StepOutcome> {
  const { name, ...metadata } = object.metadata;
  const other = { ...object, metadata: { ...metadata, generateName: `${name.slice(0, 200)}-` } };
  const options = { fieldManager: FIELD_MANAGER };
  await client.create(wholeKindOf(object), writtenOf(other as never), { ...options, dryRun: true });
  const { uid, resourceVersion } = live.metadata as ObjectMeta;
  await client
    .delete(RoleBinding, object.metadata, { preconditions: { uid, resourceVersion } })
    .catch(ifGone);
  return create(object, client);
}

/** First takes away what nobody declared, for some of it excludes what is declared; then applies that. */
async function restore(
  object: KubeObject,
  live: KubeObject,
  client: HealClient,
): Promise<StepOutcome> {
  const trimmed = (await trim(object, live, client)) ?? live;
  const kind = wholeKindOf(object);
  const options = { fieldManager: FIELD_MANAGER, force: true };
  const wanted = writtenOf(pinResourceVersion(object, trimmed));
  const tried = await client.apply(kind, wanted, { ...options, dryRun: true });
  if (isSame(trimmed, tried as KubeObject))
    return trimmed === live ? 'unchanged' : done(object, trimmed);
  return done(object, (await client.apply(kind, wanted, options)) as KubeObject);
}

/** The object without what is extra; undefined where there is none, or it cannot be taken away. */
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
  const kind = wholeKindOf(object);
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
 * Whose a Namespace is was asked of this state of it, and to the pull secrets of this state of a ServiceAccount a
 * controller may add one.
 */
function pinResourceVersion(object: KubeObject, live: KubeObject): KubeObject {
  if (object.kind !== 'Namespace' && object.kind !== 'ServiceAccount') return object;
  const { resourceVersion } = live.metadata as ObjectMeta;
  return { ...object, metadata: { ...object.metadata, resourceVersion } as KubeObject['metadata'] };
}

function isSame(a: KubeObject, b: KubeObject): boolean {
  const { labels, annotations } = a.metadata;
  return (
    digestOf(normalizeContent(a)!) === digestOf(normalizeContent(b)!) &&
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

/** What is declared is of the kinds that tenants consist of, and fits them. */
function writtenOf(object: KubeObject): Written<WholeKind> {
  return object as Written<WholeKind>;
}

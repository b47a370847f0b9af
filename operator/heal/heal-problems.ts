import type { KubeObject } from '../../kube/object.ts';
import type { Live } from '../../runtime/kinds/kind.ts';
import { formatObjectName, identifyObject, type Drift } from '../drift/object-drift.ts';
import { MOST_HEALED } from './attempts.ts';
import type { Problem } from './problem.ts';

/** The operator lacks a right that a class has allowed since the operator's role was rendered. */
export function buildMayNotBindProblem(object: KubeObject, role: string): Problem {
  const message = `${formatObjectName(identifyObject(object))}: the operator may not bind ClusterRole ${role}, which a class has allowed since its rights were rendered: render and apply the operator again`;
  return { reason: 'MayNotBind', message };
}

/**
 * Returns the problem of an object that is being deleted: it cannot be deleted again, nor replaced before it is gone.
 */
export function findDeletionProblem(live: KubeObject): Problem | undefined {
  const { deletionTimestamp, finalizers = [] } = (live as KubeObject & Live).metadata;
  if (deletionTimestamp === undefined) return undefined;
  const message = `${formatObjectName(identifyObject(live))} is being deleted, and waits for ${finalizers.join(', ')}`;
  return { reason: 'HealRefused', message };
}

/** Something, such as a webhook, changes the object as the operator writes it. */
export function buildChangedOnWriteProblem(object: KubeObject): Problem {
  const message = `${formatObjectName(identifyObject(object))} is changed as it is written, by a webhook for one`;
  return { reason: 'ChangedOnWrite', message };
}

/** Something changes the object back as often as the operator heals it. */
export function buildFightProblem(object: KubeObject, drift: readonly Drift[]): Problem {
  const hands = [...new Set(drift.flatMap(({ manager }) => manager ?? []))];
  const by = hands.length > 0 ? ` by ${hands.join(', ')}` : '';
  const message = `${formatObjectName(identifyObject(object))} was healed ${MOST_HEALED} times or more, and is changed again${by}`;
  return { reason: 'Fought', message };
}

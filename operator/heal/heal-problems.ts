import type { KubeObject } from '../../kube/object.ts';
import type { Live } from '../../runtime/kinds/kind.ts';
import { formatObjectName, identifyObject, type Drift } from '../drift/object-drift.ts';
import { MOST_HEALED } from './attempts.ts';
import type { Problem } from './problem.ts';

/** The operator lacks a right that its class has given since. */
export function buildMayNotBindProblem(object: KubeObject, role: string): Problem {
  const message = `${formatObjectName(identifyObject(object))}: the operator may not bind ClusterRole ${role}, which a class has allowed since its rights were rendered: render and apply the operator anew`;
  return { reason: 'MayNotBind', message };
}

/** What is deleted already is not deleted again, and nothing can be made in its place before it has gone. */
export function findDeletionProblem(live: KubeObject): Problem | undefined {
  const { deletionTimestamp, finalizers = [] } = (live as KubeObject & Live).metadata;
  if (deletionTimestamp === undefined) return undefined;
  const message = `${formatObjectName(identifyObject(live))} is being deleted, and waits for ${finalizers.join(', ')}`;
  return { reason: 'HealRefused', message };
}

/** Something changes what the operator writes. */
export function buildChangedOnWriteProblem(object: KubeObject): Problem {
  const message = `${formatObjectName(identifyObject(object))} is changed as it is written, by a webhook for one`;
  return { reason: 'ChangedOnWrite', message };
}

/** Something else changes an object as often as the operator heals it. */
export function buildFightProblem(object: KubeObject, drift: readonly Drift[]): Problem {
  const hands = [...new Set(drift.flatMap(({ manager }) => manager ?? []))];
  const by = hands.length > 0 ? ` by ${hands.join(', ')}` : '';
  const message = `${formatObjectName(identifyObject(object))} was healed ${MOST_HEALED} times or more, and is changed again${by}`;
  return { reason: 'Fought', message };
}

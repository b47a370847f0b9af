import { isDeepStrictEqual } from 'node:util';
import type { Predicate } from '../../runtime/controller/predicate.ts';
import type { Live } from '../../runtime/kinds/kind.ts';
import type { Kept } from '../cluster/kinds.ts';
import { levelsOf, type UsedQuota } from './pressure.ts';

/**
 * Whether a change of an object matters to its tenant: its content, its tenant or its deletion. The API server updates
 * the usage of a quota at every start of a pod. Of that, only whether the quota is nearly used up matters.
 */
export const isSignificantChange: Predicate = ({ object, old }) =>
  old === undefined || !isDeepStrictEqual(extractRelevantState(object), extractRelevantState(old));

function extractRelevantState(object: Live): readonly unknown[] {
  const { labels, annotations, deletionTimestamp, uid, ownerReferences, finalizers } =
    object.metadata;
  const { digest, phase, waitsFor, ...used } = object as Live &
    Kept &
    UsedQuota & { readonly phase?: string; readonly waitsFor?: string };
  const lives = [deletionTimestamp, uid, ownerReferences, finalizers];
  return [digest, labels, annotations, lives, phase, waitsFor, levelsOf(used)];
}

import type { Namespace } from '../../runtime/kinds/core.ts';
import type { Live } from '../../runtime/kinds/kind.ts';

/** Characters of what is quoted. */
const LONGEST = 400;

/** What keeps a Namespace, as its conditions say it: those of its deletion, and of what is left in it. */
const keeping = /^Namespace(Deletion\w+Failure|ContentRemaining|FinalizersRemaining)$/;

/**
 * What a Namespace that is being deleted waits for, in the words of the API server: of its conditions, else
 * the finalizers on itself. Undefined: it does not say, or is not being deleted.
 */
export function describeDeletionBlockers({
  metadata,
  status,
}: Live<typeof Namespace>): string | undefined {
  if (metadata.deletionTimestamp === undefined) return undefined;
  const conditions = (status?.conditions ?? []).filter(
    (one) => one.status === 'True' && keeping.test(one.type),
  );
  const words = conditions.map(({ type, message = '' }) => `${type}: ${message}`);
  const { finalizers = [] } = metadata;
  const own = finalizers.length > 0 ? [`finalizers ${finalizers.join(', ')}`] : [];
  const all = [...words, ...own].join('; ').replaceAll(/\s+/g, ' ').trim();
  return all === '' ? undefined : all.length > LONGEST ? `${all.slice(0, LONGEST - 1)}…` : all;
}

import type { Namespace } from '../../runtime/kinds/core.ts';
import type { Live } from '../../runtime/kinds/kind.ts';

/** The most characters of a quotation. */
const LONGEST = 400;

/** The conditions that report what keeps a Namespace: failures of its deletion, and remaining content. */
const keeping = /^Namespace(Deletion\w+Failure|ContentRemaining|FinalizersRemaining)$/;

/**
 * Describes what a Namespace that is being deleted waits for: the messages of its conditions, or else its own
 * finalizers. Returns undefined if there is neither, or if it is not being deleted.
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

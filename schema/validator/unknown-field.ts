import { errorAt, type Finding } from '../../kube/finding.ts';
import { didYouMean, formatList, findNearest, show, type Path } from '../../kube/problem.ts';
import { UNKNOWN_FIELD } from './keyword.ts';

/** The maximum number of fields in the message. A longer list does not help. */
const MOST_NAMED = 20;

/**
 * Builds the error for an undeclared field.
 * @param known the declared fields beside it; undefined if they are unknown
 */
export function buildUnknownFieldError(path: Path, known: readonly string[] | undefined): Finding {
  const key = String(path.at(-1));
  const meantField = known && findNearest(key, known);
  const hint = meantField === undefined ? othersThan(known) : didYouMean(meantField);
  const message = `must be a known field, got ${show(key)}${hint}`;
  return {
    ...errorAt(path, message, UNKNOWN_FIELD),
    atKey: true,
    ...(meantField !== undefined && { about: { meantField } }),
  };
}

function othersThan(known: readonly string[] | undefined): string {
  if (known === undefined) return '';
  if (known.length === 0) return '; none is known here';
  return `; known: ${known.length > MOST_NAMED ? formatList(known) : known.join(', ')}`;
}

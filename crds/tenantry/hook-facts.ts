import { string, type Schema } from '../../schema/language.ts';

/** The facts that a hook may send, in addition to `contact.KEY` and `label.KEY` of the Tenant. */
export const HOOK_FACTS = [
  'key',
  'event',
  'at',
  'tenant',
  'uid',
  'class',
  'cluster',
  'namespaces',
] as const;

/** One fact, as a part of a pattern. */
const FACT = `(${HOOK_FACTS.join('|')}|(contact|label)\\.[A-Za-z0-9][-A-Za-z0-9_./]{0,252})`;

const LIST = `${HOOK_FACTS.join(', ')}, contact.KEY or label.KEY`;

/** The name of something that is known of a call. */
export const hookFact = (description: string, example: string): Schema<string> =>
  string(description, {
    pattern: `^${FACT}$`,
    maxLength: 262,
    must: `one of ${LIST}`,
    example,
  });

/** A text with placeholders such as `{tenant}` for the facts of a call. */
export const hookText = (
  description: string,
  maxLength: number,
  example: string,
  absent: string,
): Schema<string> =>
  string(description, {
    pattern: `^([^{}]|\\{${FACT}\\})+$`,
    maxLength,
    must: `a text of at most ${maxLength} characters, in which braces stand around one of ${LIST}`,
    example,
    absent,
  });

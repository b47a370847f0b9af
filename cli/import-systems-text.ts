import { count, formatNumber } from './console-output.ts';
import type { ReportedTranslation } from './import-systems-report.ts';

/** The number of objects of a kind that are listed one by one. */
const LISTED_OBJECTS = 3;

/** The number of accepted objects with the same reason that are listed one by one. */
const LISTED_SAME = 20;

/** The number of names in a line. */
const LISTED_NAMES = 3;

const words = { taken: 'becomes', changed: 'nearly becomes', left: 'is left:' } as const;

type Field = ReportedTranslation['fields'][number];

/**
 * Lists what became of the objects of other systems. Few objects of a kind are listed with all their fields. Many are
 * listed together: first each difference with the objects that have it, the most frequent one first, then how many
 * fields have the same effect. JSON has all.
 */
export function listTranslations(translated: readonly ReportedTranslation[]): string[] {
  const byKind = Map.groupBy(
    translated,
    ({ system, object }) => `${object.slice(0, object.indexOf(' '))} of ${system}`,
  );
  return [...byKind].flatMap(([kind, objects]) =>
    objects.length > LISTED_OBJECTS ? summarize(kind, objects) : objects.flatMap(listFields),
  );
}

interface Explained {
  readonly object: string;
  readonly reason?: string;
  readonly accepted: boolean;
}

/**
 * Lists objects one by one, those first that are not accepted. Many accepted ones with the same reason are one line, so
 * that they do not hide the others.
 */
export function listWithReasons<T extends Explained>(
  objects: readonly T[],
  format: (object: T) => string,
): string[] {
  const open = objects.filter(({ accepted }) => !accepted);
  const accepted = objects.filter((one) => one.accepted);
  const byReason = Map.groupBy(accepted, ({ object, reason = '' }) =>
    reason === '' ? object : reason,
  );
  return [
    ...open.map(format),
    ...[...byReason.values()].flatMap((same) => summarizeSame(same, format)),
  ];
}

function summarizeSame<T extends Explained>(
  same: readonly T[],
  format: (object: T) => string,
): string[] {
  const [first] = same;
  if (same.length <= LISTED_SAME || first?.reason === undefined) return same.map(format);
  const names = listNames(same.map(({ object }) => object));
  return [`${count(same.length, 'object')}: ${first.reason} (accepted): ${names}`];
}

const mark = (accepted: boolean): string => (accepted ? ' (accepted)' : '');

function listFields({
  object,
  system,
  file,
  line,
  fields,
  accepted,
}: ReportedTranslation): string[] {
  return [
    `${object} of ${system}${file === undefined ? '' : ` (${file}:${line})`}${mark(accepted)}`,
    ...fields.map(({ field, outcome, text }) => `  ${field} ${words[outcome]} ${text}`),
  ];
}

function summarize(kind: string, objects: readonly ReportedTranslation[]): string[] {
  const accepted = objects.filter((one) => one.accepted).length;
  const differences = new Map<string, Set<string>>();
  let same = 0;
  for (const { object, fields } of objects) {
    for (const field of fields) {
      if (field.outcome === 'taken') {
        same += 1;
        continue;
      }
      const name = object.slice(object.indexOf(' ') + 1);
      const line = formatField(field).replaceAll(` of the tenant ${name}:`, ' of the tenant:');
      const names = differences.get(line) ?? new Set();
      differences.set(line, names);
      names.add(name);
    }
  }
  return [
    `${formatNumber(objects.length)} objects ${kind}, ${formatNumber(accepted)} of them accepted or without a difference`,
    ...[...differences]
      .toSorted(([, a], [, b]) => b.size - a.size)
      .map(([line, names]) => `  ${line} (${listNames([...names])})`),
    `  ${count(same, 'field')} with the same effect`,
  ];
}

/** Positions in lists make no difference. */
function formatField({ field, outcome, text }: Field): string {
  return `${field.replaceAll(/\[\d+\]/g, '[]')} ${words[outcome]} ${text}`;
}

function listNames(names: readonly string[]): string {
  const listed = names.slice(0, LISTED_NAMES).join(', ');
  const more = names.length - LISTED_NAMES;
  return more > 0 ? `${listed} and ${formatNumber(more)} more` : listed;
}

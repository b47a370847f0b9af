import type { Change, DefinitionComparison } from '@tenantry/crd/compatibility';
import { code, escaped, fitting, folded } from '../../markdown.ts';
import { count, type Paint } from '../../console-output.ts';

export interface Totals {
  readonly breaking: number;
  readonly unknown: number;
  readonly compatible: number;
  readonly advice: number;
}

export function countByVerdict(comparisons: readonly DefinitionComparison[]): Totals {
  const totals = { breaking: 0, unknown: 0, compatible: 0, advice: 0 };
  for (const { changes, advice } of comparisons) {
    totals.advice += advice.length;
    for (const { verdict } of changes) totals[verdict] += 1;
  }
  return totals;
}

/** `2 definitions compared: 1 breaking change, 0 unknown, 3 compatible`. */
export function summary(comparisons: readonly DefinitionComparison[]): string {
  const { breaking, unknown, compatible } = countByVerdict(comparisons);
  return `${count(comparisons.length, 'definition')} compared: ${count(breaking, 'breaking change')}, ${unknown} unknown, ${compatible} compatible`;
}

const verdicts = ['breaking', 'unknown', 'compatible'] as const;
const styles = { breaking: 'red', unknown: 'yellow', compatible: 'green' } as const;

/** `v1 .spec.x`, `spec.scope`, or nothing for the definition as a whole. */
function formatPlace({ version, path }: { version?: string; path: string }): string {
  return [version, path].filter(Boolean).join(' ');
}

/** Formats the report for a terminal: breaking changes first, without unchanged definitions. */
export function textLines(comparisons: readonly DefinitionComparison[], paint: Paint): string[] {
  return comparisons.flatMap(({ name, changes, advice, notChecked }) => {
    const lines = [
      ...inOrder(changes).map(
        (change) =>
          `  ${paint(styles[change.verdict], change.verdict.padEnd(11))} ${sentence(change)} ${paint('dim', `(${change.rule})`)}`,
      ),
      ...advice.map(
        (one) =>
          `  ${paint('cyan', 'advice     ')} ${sentence(one)} ${paint('dim', `(${one.rule})`)}`,
      ),
      ...(changes.length === 0
        ? []
        : notChecked.map(
            ({ rule, message }) =>
              `  ${paint('dim', 'not checked')} ${message} ${paint('dim', `(${rule})`)}`,
          )),
    ];
    return lines.length === 0 ? [] : [paint('bold', name), ...lines, ''];
  });
}

function sentence(entry: { version?: string; path: string; message: string }): string {
  return [formatPlace(entry), entry.message].filter(Boolean).join(': ');
}

function inOrder(changes: readonly Change[]): Change[] {
  const gathered = withWordsGathered(changes);
  return verdicts.flatMap((verdict) => gathered.filter((change) => change.verdict === verdict));
}

/** The rule for texts that only people read. */
const WORDS = 'documentation';

/** Merges changed descriptions, since hundreds of them would hide the rest. JSON has all of them. */
function withWordsGathered(changes: readonly Change[]): readonly Change[] {
  const isOfWords = ({ rule }: Change): boolean => rule === WORDS;
  const places = changes.filter(isOfWords).length;
  if (places < 2) return changes;
  const message = `words for people (descriptions, examples) differ at ${places} places`;
  const one: Change = { path: '', verdict: 'compatible', rule: WORDS, message };
  return [...changes.filter((change) => !isOfWords(change)), one];
}

/** Formats the report as a comment on a merge request: tables, with compatible changes collapsed. */
export function markdown(comparisons: readonly DefinitionComparison[]): string {
  const reported = comparisons.filter(
    ({ changes, advice }) => changes.length > 0 || advice.length > 0,
  );
  const sections = reported.map(section);
  const head = [
    '### Compatibility of CustomResourceDefinitions',
    '',
    `${summary(comparisons)}.`,
    '',
  ];
  const lines = [...head, ...(sections.length === 0 ? ['Nothing changed.', ''] : [])];
  const { taken, left } = fitting(sections, lines.join('\n').length);
  lines.push(...taken);
  if (left > 0) lines.push(`And ${count(left, 'more definition')}: run \`tenantry crd diff\`.`, '');
  return lines.join('\n');
}

function section({ name, changes, advice, notChecked }: DefinitionComparison): string {
  const ordered = inOrder(changes);
  const bad = ordered.filter(({ verdict }) => verdict !== 'compatible');
  const good = ordered.filter(({ verdict }) => verdict === 'compatible');
  const lines = [`#### \`${name}\``, ''];
  if (bad.length > 0) lines.push(...table(bad.map((change) => [change.verdict, change])), '');
  if (good.length > 0) {
    lines.push(
      ...folded(
        `${changes.length - bad.length} compatible`,
        table(good.map((change) => ['compatible', change])),
      ),
    );
  }
  if (advice.length > 0) {
    lines.push(...folded(`${advice.length} advice`, table(advice.map((one) => ['advice', one]))));
  }
  for (const { message, rule } of changes.length > 0 ? notChecked : []) {
    lines.push(`Not checked: ${escaped(message)} (\`${rule}\`).`, '');
  }
  return lines.join('\n');
}

type Row = readonly [string, { version?: string; path: string; rule: string; message: string }];

function table(rows: readonly Row[]): string[] {
  return [
    '| verdict | where | what | rule |',
    '| --- | --- | --- | --- |',
    ...rows.map(([verdict, entry]) => {
      const place = formatPlace(entry);
      const bold = verdict === 'breaking' ? '**breaking**' : verdict;
      return `| ${bold} | ${place && code(place)} | ${escaped(entry.message)} | ${code(entry.rule)} |`;
    }),
  ];
}

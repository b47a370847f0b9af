import { escapeForTerminal } from '@tenantry/kube/printable';
import { count, formatNumber, problemLines, truncateList, type Paint } from './console-output.ts';
import type { ImportReport } from './import-report.ts';
import { listTranslations, listWithReasons } from './import-systems-text.ts';
import type { ReportedCluster } from './live-source/reported-cluster.ts';
import { code, escaped, folded } from './markdown.ts';

/** The number of lines of a section; JSON has all. */
const LISTED = 50;

interface Section {
  readonly title: string;
  readonly lines: readonly string[];
}

/** Formats the report for a terminal. */
export function importLines(report: ImportReport, paint: Paint): string[] {
  const sections = listSections(report).flatMap(({ title, lines }) => [
    '',
    paint('bold', `${title}:`),
    ...truncateList(
      lines.map((line) => `  ${escapeForTerminal(line)}`),
      LISTED,
    ),
  ]);
  return [
    ...headLines(report),
    ...problemLines(report.problems, paint),
    ...sections,
    '',
    ...closingLines(report),
  ];
}

/** Formats the report for a merge request. */
export function importMarkdown(report: ImportReport): string[] {
  return [
    `### Import: ${closingLines(report)[0]}`,
    '',
    ...headLines(report).map((line) => `- ${escaped(line)}`),
    ...report.problems.map(
      ({ file, line, message }) => `- ${code(`${file}:${line}`)} ${escaped(message)}`,
    ),
    '',
    ...listSections(report).flatMap(({ title, lines }) =>
      folded(
        title,
        lines.map((line) => `- ${escaped(line)}`),
      ),
    ),
  ];
}

function headLines({ namespaces, tenants, grouping, objects, ...report }: ImportReport): string[] {
  const { total, equal, different, leftOut, made, added, accepted } = objects;
  const parts = [
    `${formatNumber(equal)} equal`,
    `${formatNumber(different)} different`,
    `${formatNumber(leftOut)} left out`,
    ...(made > 0 ? [`${formatNumber(made)} made by controllers`] : []),
    ...(added > 0 ? [`${formatNumber(added)} added`] : []),
    ...(accepted > 0 ? [`${formatNumber(accepted)} of these accepted`] : []),
  ];
  return [
    ...(report.cluster ? [formatSource(report.cluster)] : []),
    `${count(namespaces, 'namespace')}: ${count(tenants.length, 'tenant')} of class ${report.class}`,
    ...grouping.map((line) => `Grouping: ${line}`),
    `${count(total, 'object')}: ${parts.join(', ')}`,
  ];
}

/** `Cluster https://10.0.0.1:6443: 9 list requests: Namespace 2, Role 1`. */
function formatSource({ server, kinds }: ReportedCluster): string {
  const total = kinds.reduce((sum, { requests }) => sum + requests, 0);
  const each = kinds.map(({ kind, requests }) => `${kind} ${requests}`).join(', ');
  return `Cluster ${server}: ${count(total, 'list request')}: ${each}`;
}

const mark = ({ accepted }: { readonly accepted: boolean }): string =>
  accepted ? ' (accepted)' : '';

function listSections(report: ImportReport): Section[] {
  const sections: Section[] = [
    {
      title: 'Different',
      lines: report.differences.flatMap((one) => [
        `${withPlace(one)}${mark(one)}`,
        ...[...one.fields, ...one.reasons].map((line) => `  ${line}`),
      ]),
    },
    {
      title: 'Left out',
      lines: listWithReasons(report.leftOut, (one) => {
        const manager = one.manager === undefined ? '' : ` (${one.manager})`;
        return `${withPlace(one)}: ${one.reason}${manager}${mark(one)}`;
      }),
    },
    {
      title: 'Made by controllers, and not declared',
      lines: report.made.map(
        ({ kind, reason, objects }) => `${formatNumber(objects)} ${kind}: ${reason}`,
      ),
    },
    ...(report.cluster ? listClusterSections(report.cluster) : []),
    {
      title: 'Added',
      lines: listWithReasons(
        report.added,
        (one) => `${one.object}${one.reason ? `: ${one.reason}` : ''}${mark(one)}`,
      ),
    },
    {
      title: 'Of other tenancy systems',
      lines: listTranslations(report.translated),
    },
    {
      title: 'Labels and annotations that only another system reads, not declared',
      lines: report.bookkeeping.map(
        ({ system, key, namespaces }) =>
          `${key} (${system}) of ${count(namespaces.length, 'namespace')}`,
      ),
    },
    {
      title: 'Probably wrong in the source',
      lines: report.observations.map((one) => {
        const place = one.file === undefined ? '' : `${one.file}:${one.line} `;
        return `${place}${one.object}: ${one.message} (${one.rule})`;
      }),
    },
    {
      title: 'Exceptions of the class, to be reviewed',
      lines: report.exceptions.map(({ tenants, namespaces, allows }) => {
        const whom = `${tenants.join(', ')}${namespaces ? ` in ${namespaces.join(', ')}` : ''}`;
        return `${whom}: ${allows.join('; ')}`;
      }),
    },
    { title: 'Files', lines: listFiles(report) },
  ];
  return sections.filter(({ lines }) => lines.length > 0);
}

/** `Role shop/reader (manifests/roles.yaml:3)`; without the place for an object of a cluster. */
function withPlace({ object, file, line }: Placed): string {
  const place = `${file}:${line}`;
  return file === undefined || object === place ? object : `${object} (${place})`;
}

type Placed = Pick<ImportReport['leftOut'][number], 'object' | 'file' | 'line'>;

function listClusterSections({
  excluded,
  dropped,
  notRead,
  unavailable,
}: ReportedCluster): Section[] {
  return [
    {
      title: 'Namespaces that are not imported',
      lines: excluded.map(
        ({ reason, namespaces }) =>
          `${formatNumber(namespaces.length)}, because ${reason}: ${namespaces.join(', ')}`,
      ),
    },
    {
      title: 'Written by tools for themselves, and not declared',
      lines: dropped.map(
        ({ what, writer, objects }) => `${what} of ${writer}: on ${count(objects, 'object')}`,
      ),
    },
    {
      title: 'Kinds that were not read (--kinds adds all but Secret)',
      lines: notRead.length > 0 ? [notRead.join(', ')] : [],
    },
    {
      title: 'APIs whose kinds are unknown, because their server does not answer',
      lines: unavailable,
    },
  ];
}

function listFiles({ files, isWritten }: ImportReport): string[] {
  const changed = files.filter(({ change }) => change !== 'unchanged');
  if (isWritten)
    return changed.map(({ path, change }) => `${change === 'new' ? '+' : '~'} ${path}`);
  return changed.map(({ path, change, added, removed }) =>
    change === 'new'
      ? `+ ${path}`
      : `~ ${path}: would add ${count(added, 'line')}, and remove ${formatNumber(removed)}`,
  );
}

function closingLines({ outcome, files, isWritten }: ImportReport): string[] {
  const changed = files.filter(({ change }) => change !== 'unchanged').length;
  if (outcome === 'blocked') {
    return [
      'Nothing was written, because files exist with other content: add --overwrite to replace them.',
    ];
  }
  const written = isWritten
    ? changed === 0
      ? 'All files are as they should be.'
      : `${count(changed, 'file')} written.`
    : `${count(changed, 'file')} would be written.`;
  if (outcome === 'different') {
    return [
      `${written} Not every object is equal: change the declarations, or accept each with --accept.`,
    ];
  }
  return [
    `${written} Every object is equal or accepted.`,
    'Next: tenantry check, then docs/importing.md.',
  ];
}

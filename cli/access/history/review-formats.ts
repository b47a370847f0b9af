import { escapeForTerminal } from '@tenantry/kube/printable';
import type { Paint } from '../../console-output.ts';
import { tableLines, type Cell } from '../../tenants/table.ts';
import type { ReviewedChange } from './review.ts';

/** A column of a review: its title, and the text of a change. */
interface Column {
  readonly title: string;
  text(change: ReviewedChange): string;
}

const ID_LENGTH = 10;

const day: Column = { title: 'DATE', text: ({ date }) => date.slice(0, 10) };
const change: Column = { title: 'CHANGE', text: (one) => one.change };
const subject: Column = { title: 'SUBJECT', text: (one) => one.subject };
const what: Column = { title: 'WHAT', text: (one) => one.what };
const namespace: Column = { title: 'NAMESPACE', text: (one) => one.namespace ?? 'all' };
const cluster: Column = { title: 'CLUSTER', text: (one) => one.cluster };
const mergedBy: Column = { title: 'MERGED BY', text: (one) => one.mergedBy };
const commit: Column = { title: 'COMMIT', text: (one) => one.commit.slice(0, ID_LENGTH) };
const author: Column = {
  title: 'AUTHOR',
  text: ({ authors }) => [...new Set(authors.map((one) => one.author))].join(', '),
};

/** Returns the columns of a table; that of clusters only if there are several. */
function selectColumns(changes: readonly ReviewedChange[]): readonly Column[] {
  const several = new Set(changes.map((one) => one.cluster)).size > 1;
  const places = several ? [cluster, namespace] : [namespace];
  return [day, change, subject, what, ...places, author, mergedBy, commit];
}

/** Formats changes for a terminal. */
export function reviewLines(changes: readonly ReviewedChange[], paint: Paint): readonly string[] {
  const columns = selectColumns(changes);
  const rows = changes.map((one) =>
    columns.map((column): Cell => {
      const style = one.change === 'gained' ? 'green' : 'red';
      return { text: column.text(one), ...(column === change && { style }) };
    }),
  );
  return tableLines({ head: columns.map(({ title }) => title), rows }, paint);
}

/** Returns the titles and texts of a page. */
export function reviewRows(changes: readonly ReviewedChange[]): {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
} {
  const columns = [...selectColumns(changes), { title: 'REASON', text: formatReasons }];
  return {
    head: columns.map(({ title }) => title),
    rows: changes.map((one) => columns.map((column) => column.text(one))),
  };
}

const formatReasons = ({ authors }: ReviewedChange): string =>
  authors.map(({ id, subject: reason }) => `${id.slice(0, ID_LENGTH)} ${reason}`).join(', ');

const csvColumns: readonly Column[] = [
  { title: 'date', text: ({ date }) => date },
  { title: 'change', text: (one) => one.change },
  { title: 'risk', text: ({ risk }) => risk },
  { title: 'subject', text: (one) => one.subject },
  { title: 'what', text: (one) => one.what },
  { title: 'power', text: ({ power = '' }) => power },
  { title: 'cluster', text: (one) => one.cluster },
  { title: 'namespace', text: (one) => one.namespace ?? '' },
  { title: 'tenant', text: ({ tenant }) => tenant ?? '' },
  { title: 'authors', text: author.text },
  { title: 'merged by', text: (one) => one.mergedBy },
  { title: 'commit', text: (one) => one.commit },
  { title: 'author commits', text: ({ authors }) => authors.map(({ id }) => id).join(' ') },
  { title: 'reasons', text: formatReasons },
];

/** Formats changes as CSV (RFC 4180). No cell is a formula to a spreadsheet. */
export function reviewCsv(changes: readonly ReviewedChange[]): string {
  const lines = [
    csvColumns.map(({ title }) => title),
    ...changes.map((one) => csvColumns.map((column) => column.text(one))),
  ];
  return lines.map((cells) => `${cells.map(formatCell).join(',')}\r\n`).join('');
}

/**
 * A begin that a spreadsheet evaluates, the wide forms of these characters too.
 * Source: https://owasp.org/www-community/attacks/CSV_Injection
 */
const FORMULA = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/;

function formatCell(text: string): string {
  const line = escapeForTerminal(text);
  const safe = FORMULA.test(line) ? `'${line}` : line;
  return `"${safe.replaceAll('"', '""')}"`;
}

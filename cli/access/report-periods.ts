import type { AuthorizationRequest } from '@tenantry/kube/authorization';
import { escapeForTerminal } from '@tenantry/kube/printable';
import { paintIf, printJson } from '../console-output.ts';
import type { ExitCode } from '../failure-report.ts';
import { resolveSettings } from '../settings.ts';
import { tableLines, type Cell } from '../tenants/table.ts';
import { UsageError } from '../usage-error.ts';
import type { AccessOptions } from './access-options.ts';
import { explainBeginning } from './history/beginning.ts';
import { findPeriods, type Period, type Turn } from './history/periods.ts';
import { RecordCache } from './history/record-cache.ts';
import { findCommittedOutput, findRange } from './history/revisions.ts';
import { formatRequest } from './request-argument.ts';

interface PeriodOptions extends AccessOptions {
  readonly since: string;
  readonly until: string;
  readonly all?: boolean;
  readonly allNamespaces?: boolean;
}

const others = ['fromCluster', 'at', 'tenants', 'platform', 'date', 'allNamespaces'] as const;

const flags = {
  fromCluster: '--from-cluster',
  at: '--at',
  tenants: '--tenants',
  platform: '--platform',
  date: '--date',
  allNamespaces: '--all-namespaces',
} as const;

/**
 * Reports everybody who could do something in a range of commits, and when.
 * @throws {UsageError} outside of a repository, or when the command line contradicts itself
 */
export function reportPeriods(request: AuthorizationRequest, options: PeriodOptions): ExitCode {
  const wrong = others.filter((name) => options[name] !== undefined).map((name) => flags[name]);
  if (wrong.length > 0)
    throw new UsageError(`--since cannot be combined with ${wrong.join(' and ')}`);
  const settings = resolveSettings(options);
  const shown = options.rendered ?? settings.out;
  const output = findCommittedOutput(shown, '--since');
  const range = findRange(output, options.since, options.until);
  const notes = explainBeginning(output, range);
  const cache = new RecordCache(settings.memory, shown);
  const found = findPeriods(output, range, request, cache);
  cache.save();
  const periods = found.filter(
    ({ cluster, isSystem }) =>
      (options.all === true || !isSystem) &&
      (options.cluster === undefined || cluster === options.cluster),
  );
  const { since, until } = options;
  if (settings.json) {
    printJson('access who-can', { outcome: 'done', request, since, until, periods, notes });
    return 0;
  }
  const what = escapeForTerminal(formatRequest(request));
  if (periods.length === 0) console.log(`nobody could ${what}`);
  else for (const line of periodLines(periods, paintIf(settings.colors.out))) console.log(line);
  if (!settings.quiet) for (const note of notes) console.error(`note: ${escapeForTerminal(note)}`);
  return 0;
}

function periodLines(periods: readonly Period[], paint: Parameters<typeof tableLines>[1]) {
  const several = new Set(periods.map(({ cluster }) => cluster)).size > 1;
  const rows = periods.map(({ subject, cluster, answer, from, until }): Cell[] =>
    [
      answer === 'yes' ? subject : `${subject} (unknown)`,
      ...(several ? [cluster] : []),
      from ? from.date.slice(0, 10) : 'before',
      until ? until.date.slice(0, 10) : 'still',
      from ? formatTurn(from) : '',
      until ? formatTurn(until) : '',
    ].map((text) => ({ text })),
  );
  const head = [
    'SUBJECT',
    ...(several ? ['CLUSTER'] : []),
    'FROM',
    'UNTIL',
    'GAINED BY',
    'LOST BY',
  ];
  return tableLines({ head, rows }, paint);
}

const formatTurn = ({ commit, author }: Turn): string => `${commit.slice(0, 10)} ${author}`;

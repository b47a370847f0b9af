import type { Access } from '../crds/access.ts';
import type { NetworkSettings } from '../crds/network.ts';
import type { EnvironmentQuota, TemporaryHolders, TemporaryTenantQuota } from '../crds/types.ts';
import { formatList, type Path } from '@tenantry/kube/problem';
import type { TenantClassDeclaration, TenantDeclaration } from './declaration.ts';
import { accessLevels } from './layers/grants.ts';

/** Days before the end date in which it is reported. */
export const NOTICE_DAYS = 30;

/** Something in a declaration that ends. */
export interface Ending {
  /** The place of its end date. */
  readonly path: Path;
  /** The last day, as `2027-01-31` in UTC. */
  readonly until: string;
  /** What ends, for messages. */
  readonly what: string;
}

/** The settings of a layer that can have end dates. */
interface EndingSettings {
  readonly access?: Access;
  readonly network?: NetworkSettings;
  readonly quota?: { readonly temporary?: readonly TemporaryTenantQuota[] } | EnvironmentQuota;
}

/**
 * Whether something is over on a date. The last day is included, and a thing without a last day does not end.
 * @param date undefined if it is not known; then nothing is over
 */
export function hasEnded(until: string | undefined, date: string | undefined): boolean {
  return until !== undefined && date !== undefined && until < date;
}

/** Lists what ends in a Tenant. */
export function listTenantEndings({ spec }: Pick<TenantDeclaration, 'spec'>): readonly Ending[] {
  return [
    ...listSettingsEndings(spec, ['spec']),
    ...(spec.namespaces ?? []).flatMap((entry, i) =>
      listSettingsEndings(entry, ['spec', 'namespaces', i]),
    ),
  ];
}

/** Lists what ends in a class, without its parent. */
export function listClassEndings({
  spec,
}: Pick<TenantClassDeclaration, 'spec'>): readonly Ending[] {
  const { defaults, environments = [], exceptions = [] } = spec;
  return [
    ...listSettingsEndings(defaults ?? {}, ['spec', 'defaults']),
    ...environments.flatMap((one, i) => listSettingsEndings(one, ['spec', 'environments', i])),
    ...listEntries(exceptions, ['spec', 'exceptions'], ({ tenants }) => {
      return `the exception for ${formatList(tenants)}`;
    }),
  ];
}

function listSettingsEndings(settings: EndingSettings, at: Path): Ending[] {
  const { access = {}, network = {}, quota = {} } = settings;
  const raises = 'temporary' in quota ? quota.temporary : [];
  return [
    ...accessLevels.flatMap((level) =>
      listEntries(
        access[level]?.temporary,
        [...at, 'access', level, 'temporary'],
        (group) => `access as ${level} of ${formatHolders(group)}`,
      ),
    ),
    ...listEntries(
      access.clusterRoles,
      [...at, 'access', 'clusterRoles'],
      (entry) => `ClusterRole ${formatList([entry.name])} of ${formatHolders(entry)}`,
    ),
    ...listEntries(
      access.roles,
      [...at, 'access', 'roles'],
      (entry) => `Role ${formatList([entry.name ?? entry.preset!])} of ${formatHolders(entry)}`,
    ),
    ...(['allowFrom', 'allowTo'] as const).flatMap((field) =>
      listEntries(
        network[field],
        [...at, 'network', field],
        ({ name }) => `${field} ${formatList([name])}`,
      ),
    ),
    ...listEntries(raises, [...at, 'quota', 'temporary'], ({ hard, total }) => {
      return `the raised quota of ${formatList(Object.keys({ ...hard, ...total }))}`;
    }),
  ];
}

function listEntries<T extends { readonly until?: string }>(
  entries: readonly T[] = [],
  at: Path,
  describe: (entry: T) => string,
): Ending[] {
  return entries.flatMap((entry, i) =>
    entry.until === undefined
      ? []
      : [{ path: [...at, i, 'until'], until: entry.until, what: describe(entry) }],
  );
}

function formatHolders({
  users = [],
  groups = [],
  serviceAccounts = [],
}: Omit<TemporaryHolders, 'until'>): string {
  const accounts = serviceAccounts.map(({ namespace, name }) => `${namespace}/${name}`);
  return formatList([...users, ...groups, ...accounts]) || 'nobody';
}

/**
 * The dates on which a rendering stays the same: from a first day on, and before another one. Absent bounds are open.
 * It is plain data.
 */
export interface Period {
  readonly from?: string;
  readonly before?: string;
}

/** Returns the period around a date in which nothing ends, and no end comes near. */
export function findPeriod(endings: readonly Pick<Ending, 'until'>[], date: string): Period {
  const changes = endings.flatMap(({ until }) => [noticeDay(until), addDays(until, 1)]).toSorted();
  const from = changes.findLast((one) => one <= date);
  const before = changes.find((one) => one > date);
  return { ...(from !== undefined && { from }), ...(before !== undefined && { before }) };
}

/** Whether a date is in a period. An unknown date is in none. */
export function isInPeriod({ from, before }: Period, date: string | undefined): boolean {
  if (date === undefined) return false;
  return (from === undefined || from <= date) && (before === undefined || date < before);
}

/** Returns the milliseconds from a point in time to the first end after it; undefined if nothing ends. */
export function millisecondsToNextEnd(
  endings: readonly Pick<Ending, 'until'>[],
  now: Date,
): number | undefined {
  const ends = endings.map(({ until }) => Date.parse(`${until}T00:00:00Z`) + DAY - now.getTime());
  const next = Math.min(...ends.filter((left) => left > 0));
  return Number.isFinite(next) ? next : undefined;
}

/** Returns the first day on which an end is reported in advance. */
export function noticeDay(until: string): string {
  return addDays(until, -NOTICE_DAYS);
}

/** Returns the date in UTC: `2027-01-31`. */
export function formatDate(time: Date): string {
  return time.toISOString().slice(0, 10);
}

const DAY = 86_400_000;

/** Adds days to a date, within the years that four digits can express. */
function addDays(date: string, days: number): string {
  const sum = new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY).toISOString();
  if (sum.startsWith('-')) return '0000-01-01';
  return sum.startsWith('+') ? '9999-12-31' : sum.slice(0, 10);
}

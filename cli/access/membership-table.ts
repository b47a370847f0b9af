import { formatList } from '@tenantry/kube/problem';
import type { Paint } from '../console-output.ts';
import { tableLines, type Cell } from '../tenants/table.ts';
import { formatObjectPlace, type ReportedMembership } from './report-grants.ts';

/** The number of namespaces that a row names; JSON has all. */
const NAMED = 3;

/** Formats bindings as a table; those that differ only in the namespace are one row. */
export function membershipLines(
  memberships: readonly ReportedMembership[],
  paint: Paint,
): readonly string[] {
  const groups = Map.groupBy(memberships, (one) =>
    JSON.stringify([
      one.subject,
      one.cluster,
      bareName(one.binding.object, one),
      bareName(one.role.object, one),
      one.namespace === undefined,
      one.until,
    ]),
  );
  const several = new Set(memberships.map(({ cluster }) => cluster)).size > 1;
  const ends = memberships.some(({ until }) => until !== undefined);
  const rows = [...groups.values()].map((some): Cell[] => {
    const first = some[0]!;
    const names = [...new Set(some.map(({ namespace }) => namespace ?? 'all'))];
    const place = first.declared
      ? `${first.declared.file}:${first.declared.line}`
      : formatObjectPlace(first.binding);
    const texts = [
      first.subject,
      ...(several ? [first.cluster] : []),
      names.length > NAMED
        ? `${names.slice(0, NAMED).join(', ')} and ${names.length - NAMED} more`
        : formatList(names),
      bareName(first.role.object, first) + (first.role.defined ? '' : ' (not defined)'),
      bareName(first.binding.object, first),
      ...(ends ? [first.until ?? '-'] : []),
      place,
    ];
    return texts.map((text) => ({ text }));
  });
  const head = [
    'SUBJECT',
    ...(several ? ['CLUSTER'] : []),
    'NAMESPACE',
    'ROLE',
    'BINDING',
    ...(ends ? ['UNTIL'] : []),
    'DECLARED',
  ];
  return tableLines({ head, rows }, paint);
}

/** Removes the namespace of a binding from the name of an object in it. */
function bareName(object: string, { namespace }: ReportedMembership): string {
  return namespace === undefined ? object : object.replace(` ${namespace}/`, ' ');
}

/** Returns the same bindings once each, although several of their rules may grant a request. */
export function uniqueMemberships<T extends ReportedMembership>(all: readonly T[]): T[] {
  const key = ({ subject, cluster, binding }: T): string =>
    JSON.stringify([subject, cluster, binding.object]);
  return [...new Map(all.map((one) => [key(one), one])).values()];
}

import type { Command } from 'commander';
import { addReportOptions } from '../../options.ts';
import {
  networkReport,
  tenantsIn,
  type RenderedCluster,
  sideText,
  type ReportedCluster,
  type ReportedConnection,
  type ReportedNamespace,
} from '../../../apps/network-report.ts';
import { didYouMean, findNearest, formatList, show, type Problem } from '@tenantry/kube/problem';
import type { ExitCode } from '../../failure-report.ts';
import { withRendered, type RenderedOptions } from '../../rendered.ts';
import type { Settings } from '../../settings.ts';
import { UsageError } from '../../usage-error.ts';
import { paintIf, printJson, warningLines, type Paint } from '../../console-output.ts';
import { formatPorts } from '@tenantry/kube/network-policy';

/** `tenantry tenant network`: prints who can reach whom according to the rendered policies. */
export function configure(command: Command): void {
  command
    .argument('[tenant]', 'only the namespaces of this tenant (default: all of them)')
    .option('--rendered <dir>', 'read rendered output from this folder instead of rendering')
    .option('--tenants <dir>', 'the folder of tenants and classes (default: tenants)')
    .option('--platform <file>', 'the platform file (default: tenantry.yaml, if there is one)');
  addReportOptions(command, 'do not print rendering warnings')
    .addHelpText(
      'after',
      `
Renders like \`tenantry synth\`, to a temporary folder. It does not contact a cluster. A connection is
listed if the policies of both sides allow it.

  from      who may reach the pods of the namespace
  to        whom its pods may reach
  anyone    any peer whose own side allows it, outside the cluster too
  external  a namespace that is not rendered: its own policies are unknown

Pods are unknown, too: if a policy selects some of them, their labels are printed.

Examples:
  tenantry tenant network
  tenantry tenant network payments
  tenantry tenant network payments --rendered dist --output json

Exit codes: 0 done; 1 user error; 2 internal error.`,
    )
    .action(async (tenant: string | undefined, options: RenderedOptions) => {
      const kinds = ['Namespace', 'NetworkPolicy'];
      process.exitCode = await withRendered('tenant network', options, kinds, (...given) =>
        report(tenant, ...given),
      );
    });
}

/** @throws {UsageError} when there is no such tenant */
function report(
  tenant: string | undefined,
  clusters: readonly RenderedCluster[],
  { json, quiet, colors }: Settings,
  warnings: readonly Problem[],
): ExitCode {
  if (tenant !== undefined) checkTenant(tenant, tenantsIn(clusters));
  const reported = networkReport(clusters, { tenant });
  if (json) {
    printJson('tenant network', { outcome: 'done', clusters: reported, warnings });
    return 0;
  }
  if (!quiet) for (const line of warningLines(warnings, paintIf(colors.err))) console.error(line);
  for (const line of networkLines(reported, paintIf(colors.out))) console.log(line);
  return 0;
}

function checkTenant(name: string, known: ReadonlySet<string>): void {
  if (known.has(name)) return;
  const hint = didYouMean(findNearest(name, known));
  throw new UsageError(`the tenant must be one that has a namespace, got ${show(name)}${hint}`);
}

/** One row of the table before its columns are aligned. */
type Row = readonly [direction: string, side: string, ports: string, own: string];

/** Formats the table for people: clusters, namespaces with equal rows, rows. */
export function networkLines(clusters: readonly ReportedCluster[], paint: Paint): string[] {
  const blocks = clusters.flatMap(({ name, namespaces }) =>
    grouped(namespaces).map(({ names, tenant, rows }) => {
      const whose = tenant === undefined ? '' : ` (tenant ${tenant})`;
      const title = paint('bold', `${formatList(names)} on ${name}${whose}`);
      return [title, ...aligned(rows)];
    }),
  );
  return blocks.flatMap((lines, i) => (i === 0 ? lines : ['', ...lines]));
}

interface Group {
  readonly names: string[];
  readonly tenant: string | undefined;
  readonly rows: readonly Row[];
}

function grouped(namespaces: readonly ReportedNamespace[]): Group[] {
  const groups = new Map<string, Group>();
  for (const { name, tenant, in: incoming, out } of namespaces) {
    const rows = [...buildRows('from', incoming), ...buildRows('to', out)];
    const key = JSON.stringify([tenant, rows]);
    const group = groups.get(key);
    if (group) group.names.push(name);
    else groups.set(key, { names: [name], tenant, rows });
  }
  return [...groups.values()];
}

/** Merges the connections that differ only in the namespace. */
function buildRows(direction: string, connections: readonly ReportedConnection[]): Row[] {
  if (connections.length === 0) return [[direction, 'no one', '', '']];
  const sides = new Map<string, { readonly one: ReportedConnection; readonly names: string[] }>();
  for (const one of connections) {
    const { namespace, ...side } = { namespace: undefined, ...one.with };
    const { tenant: _, ...alike } = { tenant: undefined, ...side };
    const key = JSON.stringify([one.pods, alike, namespace === undefined, one.ports]);
    const known = sides.get(key);
    if (known && namespace !== undefined) known.names.push(namespace);
    else sides.set(key, { one, names: namespace === undefined ? [] : [namespace] });
  }
  return [...sides.values()].map(({ one, names }) => [
    direction,
    sideText(one.with, names),
    formatPorts(one.ports),
    one.pods === undefined ? '' : `only pods with ${one.pods}`,
  ]);
}

/** The widest other side for which the column of ports is aligned. */
const WIDEST = 100;

function aligned(rows: readonly Row[]): string[] {
  const width = Math.min(WIDEST, Math.max(...rows.map(([, side]) => side.length)));
  const ports = Math.max(...rows.map(([, , text]) => text.length));
  return rows.map(([direction, side, text, own]) =>
    `  ${direction.padEnd(4)}  ${side.padEnd(width)}  ${text.padEnd(own === '' ? 0 : ports)}  ${own}`.trimEnd(),
  );
}

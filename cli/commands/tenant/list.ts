import type { Command } from 'commander';
import { tenant as tenantKind } from '../../../crds/tenant.ts';
import { TENANT_LABEL } from '@tenantry/kube/cascade-root';
import { omitUndefined } from '@tenantry/kube/mapping';
import type { KubeObject } from '@tenantry/kube/object';
import type { Problem } from '@tenantry/kube/problem';
import type { RenderedCluster } from '../../../apps/network-report.ts';
import { resolveRenderDate } from '../../../apps/render-date.ts';
import type { TenantSpec } from '../../../crds/types.ts';
import type { ExitCode } from '../../failure-report.ts';
import { addReportOptions, DATE_OPTION } from '../../options.ts';
import { buildEndsCell, collectEnds, type TenantEnds } from '../../tenants/tenant-ends.ts';
import { withRendered, type RenderedOptions } from '../../rendered.ts';
import type { Settings } from '../../settings.ts';
import { tableLines, type Table } from '../../tenants/table.ts';
import { count, paintIf, printJson, warningLines } from '../../console-output.ts';

/** `tenantry tenant list`: lists the declared tenants. */
export function configure(command: Command): void {
  command
    .option('--rendered <dir>', 'read rendered output from this folder instead of rendering')
    .option('--tenants <dir>', 'the folder of tenants and classes (default: tenants)')
    .option('--platform <file>', 'the platform file (default: tenantry.yaml, if there is one)')
    .option('--date <day>', DATE_OPTION);
  addReportOptions(command, 'do not print rendering warnings')
    .addHelpText(
      'after',
      `
Renders like \`tenantry synth\`, to a temporary folder. It does not contact a cluster: \`tenantry tenant
status\` lists the tenants of a cluster and their state. Tenants in an app in TypeScript are listed, too.

  CLASS       the class that it names; - for the default class of the platform
  LIFECYCLE   Active, Suspended or Retired
  CLUSTERS    where it has namespaces
  NAMESPACES  how many it has on all clusters
  ENDS        the next last day (until) in the Tenant, and how many more there are

Examples:
  tenantry tenant list
  tenantry tenant list --rendered dist
  tenantry tenant list --output json

Exit codes: 0 done; 1 user error; 2 internal error.`,
    )
    .action(async (options: RenderedOptions) => {
      const kinds = ['Namespace', tenantKind.kind];
      process.exitCode = await withRendered('tenant list', options, kinds, report);
    });
}

/** A declared tenant, on all clusters. */
interface ListedTenant {
  readonly name: string;
  readonly className: string | undefined;
  readonly lifecycle: string;
  readonly clusters: readonly { readonly name: string; readonly namespaces: readonly string[] }[];
  readonly ends: TenantEnds;
}

function report(
  clusters: readonly RenderedCluster[],
  settings: Settings,
  warnings: readonly Problem[],
): ExitCode {
  const { json, quiet, colors } = settings;
  const { date } = resolveRenderDate(settings);
  const tenants = collectTenants(clusters, date);
  if (json) {
    printJson('tenant list', { outcome: 'done', tenants, warnings });
    return 0;
  }
  if (!quiet) for (const line of warningLines(warnings, paintIf(colors.err))) console.error(line);
  if (tenants.length > 0) {
    for (const line of tableLines(buildTable(tenants, date), paintIf(colors.out)))
      console.log(line);
    console.log('');
  }
  console.log(count(tenants.length, 'tenant'));
  return 0;
}

/** Returns the tenants by name. A tenant is rendered once for each of its clusters. */
function collectTenants(clusters: readonly RenderedCluster[], date: string): ListedTenant[] {
  const placed = clusters.flatMap((cluster) => {
    const objects = [...cluster.objects];
    return objects
      .filter(({ kind }) => kind === tenantKind.kind)
      .map((object) => ({
        object,
        cluster: { name: cluster.name, namespaces: listNamespaces(object, objects) },
      }));
  });
  return [...Map.groupBy(placed, ({ object }) => object.metadata.name)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, some]) => {
      const spec = (some[0]!.object['spec'] ?? {}) as TenantSpec;
      const { className, lifecycle = 'Active' } = spec;
      const ends = collectEnds({ name, spec }, date);
      return { name, className, lifecycle, clusters: some.map(({ cluster }) => cluster), ends };
    });
}

function listNamespaces({ metadata }: KubeObject, objects: readonly KubeObject[]): string[] {
  return objects
    .filter(({ kind }) => kind === 'Namespace')
    .filter((one) => one.metadata.labels?.[TENANT_LABEL] === metadata.name)
    .map((one) => one.metadata.name);
}

function buildTable(tenants: readonly ListedTenant[], date: string): Table {
  const hasEnds = tenants.some(({ ends }) => ends.endings.length > 0);
  return {
    head: ['NAME', 'CLASS', 'LIFECYCLE', 'CLUSTERS', 'NAMESPACES', ...(hasEnds ? ['ENDS'] : [])],
    rows: tenants.map(({ name, className = '-', lifecycle, clusters, ends }) => [
      { text: name },
      { text: className },
      omitUndefined({ text: lifecycle, style: lifecycle !== 'Active' ? 'yellow' : undefined }),
      { text: clusters.map((cluster) => cluster.name).join(',') },
      { text: String(clusters.flatMap(({ namespaces }) => namespaces).length) },
      ...(hasEnds ? [buildEndsCell(ends, date)] : []),
    ]),
  };
}

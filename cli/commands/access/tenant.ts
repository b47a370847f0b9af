import type { Command } from 'commander';
import { formatSubject, isBuiltin, type Membership } from '@tenantry/kube/authorization';
import { escapeForTerminal } from '@tenantry/kube/printable';
import { didYouMean, findNearest, show } from '@tenantry/kube/problem';
import { addAccessOptions, withAccess, type AccessOptions } from '../../access/access-options.ts';
import type { AccessSource } from '../../access/access-source.ts';
import { membershipLines } from '../../access/membership-table.ts';
import { count, paintIf, printJson, warningLines } from '../../console-output.ts';
import type { ExitCode } from '../../failure-report.ts';
import { UsageError } from '../../usage-error.ts';

/** `tenantry access tenant`: lists who has access to the namespaces of a tenant. */
export function configure(command: Command): void {
  command.argument('<tenant>', 'the name of the tenant');
  addAccessOptions(command)
    .addHelpText(
      'after',
      `
Lists every subject of every binding in the namespaces of the tenant, in each cluster of the files, with the
line of the Tenant that declares it. Subjects that are bound in the whole cluster are counted: list them with
\`tenantry access who-can\`.

Examples:
  tenantry access tenant payments
  tenantry access tenant payments --cluster fra1 --output json
  tenantry access tenant payments --rendered dist
  tenantry access tenant payments --from-cluster --context fra1

Exit codes: 0 done; 1 user error; 2 internal error.`,
    )
    .action(async (tenant: string, options: AccessOptions) => {
      process.exitCode = await accessTenant(tenant, options);
    });
}

/** @throws {UsageError} when no namespace has such a tenant */
function accessTenant(tenant: string, options: AccessOptions): Promise<ExitCode> {
  return withAccess(
    'access tenant',
    options,
    ({ sources, reporter, settings, warnings, commit }) => {
      const namespaces = sources.flatMap((source) =>
        listNamespaces(source, tenant).map((namespace) => ({ source, namespace })),
      );
      if (namespaces.length === 0) throw new UsageError(explainMissing(tenant, sources));
      const access = namespaces.flatMap(({ source, namespace }) =>
        source.authorizer
          .listNamespaceMemberships(namespace)
          .map((one) => reporter.reportMembership(source, one)),
      );
      const everywhere = new Set(
        sources.flatMap(({ authorizer }) =>
          authorizer
            .listClusterMemberships()
            .filter(isOwn)
            .map(({ subject }) => formatSubject(subject)),
        ),
      ).size;
      if (settings.json) {
        const names = namespaces.map(({ source, namespace }) => ({
          cluster: source.cluster,
          namespace,
        }));
        const report = { tenant, namespaces: names, access, clusterWide: everywhere, warnings };
        printJson('access tenant', { outcome: 'done', ...(commit && { commit }), ...report });
        return 0;
      }
      const { colors, quiet } = settings;
      if (!quiet)
        for (const line of warningLines(warnings, paintIf(colors.err))) console.error(line);
      if (access.length === 0)
        console.log(`no binding is in a namespace of ${escapeForTerminal(tenant)}`);
      else for (const line of membershipLines(access, paintIf(colors.out))) console.log(line);
      if (!quiet && everywhere > 0) {
        const subjects = count(everywhere, 'subject');
        console.error(`note: ${subjects} bound in the whole cluster may have access too`);
      }
      return 0;
    },
  );
}

function listNamespaces({ tenants }: AccessSource, tenant: string): string[] {
  return [...tenants].flatMap(([namespace, own]) => (own === tenant ? [namespace] : []));
}

function explainMissing(tenant: string, sources: readonly AccessSource[]): string {
  const known = new Set(sources.flatMap(({ tenants }) => [...tenants.values()]).filter(Boolean));
  const hint = didYouMean(findNearest(tenant, known));
  return `the tenant must be one that has a namespace, got ${show(tenant)}${hint}`;
}

const isOwn = ({ binding }: Membership): boolean => !isBuiltin(binding.object);

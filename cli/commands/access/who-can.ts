import type { Command } from 'commander';
import {
  type AuthorizationRequest,
  formatSubject,
  type Grant,
  isBuiltin,
  isSystemSubject,
  type UnknownGrant,
} from '@tenantry/kube/authorization';
import { escapeForTerminal } from '@tenantry/kube/printable';
import {
  addAccessOptions,
  withAccess,
  type AccessOptions,
  type GivenAccess,
} from '../../access/access-options.ts';
import { reportPeriods } from '../../access/report-periods.ts';
import { membershipLines, uniqueMemberships } from '../../access/membership-table.ts';
import type { AccessSource } from '../../access/access-source.ts';
import { explainNamedSubjects, listNotes } from '../../access/notes.ts';
import {
  explainUnusualVerb,
  formatRequest,
  parseRequest,
  type RequestPlace,
} from '../../access/request-argument.ts';
import { count, paintIf, printJson, warningLines } from '../../console-output.ts';
import type { ExitCode } from '../../failure-report.ts';
import { UsageError } from '../../usage-error.ts';

/** `tenantry access who-can`: lists every subject that may do something, and by which path. */
export function configure(command: Command): void {
  command
    .argument('<verb>', 'a verb of a request, such as get')
    .argument('<resource>', 'pods, pods/exec, deployments.apps/scale, or a path such as /metrics')
    .option('-n, --namespace <name>', 'in this namespace (default: in all of them at once)')
    .option('-A, --all-namespaces', 'in any namespace')
    .option('--name <name>', 'the object of this name (default: a request without a name)')
    .option('--since <when>', 'everybody who could since this day or revision, and when')
    .option('--until <when>', 'with --since: up to this day or revision (default: HEAD)')
    .option('--all', 'list the subjects of Kubernetes itself too, such as its controllers');
  addAccessOptions(command)
    .addHelpText(
      'after',
      `
Lists users, groups and service accounts that a binding allows the request, in each cluster of the files.
A user may do what the groups may. Without -n and -A it lists who may do it in all namespaces at once.

A subject is listed as unknown if the role of its binding is not defined in the files, or is aggregated from
ClusterRoles that the files may lack. With --since it reads the committed output of each day from Git. docs/access.md has what no answer covers.

Examples:
  tenantry access who-can get secrets -n payments-prod
  tenantry access who-can create pods/exec --all-namespaces
  tenantry access who-can get secrets --name registry -n payments-prod --rendered dist
  tenantry access who-can get secrets -n payments-prod --since 2026-01-01
  tenantry access who-can delete nodes --from-cluster --context fra1 --output json

Exit codes: 0 done; 1 user error; 2 internal error.`,
    )
    .action(async (verb: string, resource: string, options: WhoCanOptions) => {
      process.exitCode = await whoCan(verb, resource, options);
    });
}

interface WhoCanOptions extends AccessOptions, RequestPlace {
  readonly since?: string;
  readonly until?: string;
  readonly allNamespaces?: boolean;
  readonly all?: boolean;
}

/** @throws {UsageError} when the question cannot be asked */
function whoCan(verb: string, resource: string, options: WhoCanOptions): Promise<ExitCode> {
  const { namespace, allNamespaces = false } = options;
  if (allNamespaces && namespace !== undefined) {
    throw new UsageError('--namespace and --all-namespaces cannot be combined');
  }
  const request = parseRequest(verb, resource, options);
  const { since, until = 'HEAD' } = options;
  if (since !== undefined)
    return Promise.resolve(reportPeriods(request, { ...options, since, until }));
  if (options.until !== undefined) throw new UsageError('--until must be given with --since');
  return withAccess('access who-can', options, (given) => {
    const { sources, reporter, settings, warnings, commit } = given;
    const found = sources.map((source) => ({
      source,
      ...source.authorizer.findSubjects(request, allNamespaces ? 'all-namespaces' : 'request'),
    }));
    const isShown = ({ subject, binding }: Grant | UnknownGrant): boolean =>
      options.all === true || !(isSystemSubject(subject) && isSystemBinding(given, binding.object));
    const shown = found.flatMap(({ source, grants }) =>
      grants.filter(isShown).map((grant) => reporter.reportGrant(source, grant)),
    );
    const unknown = found.flatMap(({ source, unknown: some }) =>
      some.filter(isShown).map((one) => reporter.reportUnknown(source, one)),
    );
    const hidden = new Set(
      found.flatMap(({ grants }) =>
        grants.filter((one) => !isShown(one)).map(({ subject }) => subject),
      ),
    ).size;
    const notes = listAllNotes(found, request, allNamespaces);
    if (settings.json) {
      const report = { request, allNamespaces, grants: shown, unknown, hidden, notes, warnings };
      printJson('access who-can', { outcome: 'done', ...(commit && { commit }), ...report });
      return 0;
    }
    const { colors, quiet } = settings;
    const paint = paintIf(colors.out);
    if (!quiet) for (const line of warningLines(warnings, paintIf(colors.err))) console.error(line);
    const what = formatRequest(request, allNamespaces ? 'in any namespace' : undefined);
    const known = uniqueMemberships(shown);
    if (known.length === 0) console.log(`nobody may ${escapeForTerminal(what)}`);
    else for (const line of membershipLines(known, paint)) console.log(line);
    if (unknown.length > 0) {
      console.log(`\n${paint('yellow', 'unknown')}:`);
      for (const line of membershipLines(uniqueMemberships(unknown), paint)) console.log(line);
      for (const reason of new Set(unknown.map((one) => one.reason)))
        console.log(`  ${escapeForTerminal(reason)}`);
    }
    if (!quiet && hidden > 0)
      console.error(
        `note: ${count(hidden, 'subject')} of Kubernetes itself not listed, --all lists them`,
      );
    if (!quiet) for (const note of notes) console.error(`note: ${escapeForTerminal(note)}`);
    return 0;
  });
}

/** Lists probable mistakes in a request, and who may do it with objects of some names only, on any of the clusters. */
function listAllNotes(
  found: readonly { readonly source: AccessSource; readonly grants: readonly Grant[] }[],
  request: AuthorizationRequest,
  allNamespaces: boolean,
): string[] {
  const unusual = explainUnusualVerb(request.verb);
  const sources = found.map(({ source }) => source);
  const named = found.flatMap(({ source, grants }) => {
    const shown = new Set(grants.map(({ subject }) => formatSubject(subject)));
    return explainNamedSubjects(source, request, { allNamespaces, shown });
  });
  return [
    ...(unusual === undefined ? [] : [unusual]),
    ...findSharedNotes(sources, request),
    ...new Set(named),
  ];
}

/** Returns the notes of a source if every source has some: a namespace is on some clusters only. */
function findSharedNotes(sources: GivenAccess['sources'], request: AuthorizationRequest): string[] {
  const notes = sources.map((source) => listNotes(source, request));
  return notes.every((some) => some.length > 0) ? (notes[0] ?? []) : [];
}

/** Whether Kubernetes creates the binding: in a cluster by its name, because the object is there. */
function isSystemBinding({ sources }: GivenAccess, object: Grant['binding']['object']): boolean {
  const isLive = sources.some((source) => source.isLive);
  return isBuiltin(object) || (isLive && isKubernetesBinding(object));
}

const isKubernetesBinding = ({ metadata }: Grant['binding']['object']): boolean =>
  metadata.labels?.['kubernetes.io/bootstrapping'] === 'rbac-defaults';

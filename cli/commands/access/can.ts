import type { Command } from 'commander';
import { escapeForTerminal } from '@tenantry/kube/printable';
import {
  type AccessSubject,
  type Answer,
  type AuthorizationRequest,
  buildRequester,
  type Decision,
  formatSubject,
  isMaster,
  MASTERS,
} from '@tenantry/kube/authorization';
import { formatList } from '@tenantry/kube/problem';
import { addAccessOptions, withAccess, type AccessOptions } from '../../access/access-options.ts';
import type { AccessSource } from '../../access/access-source.ts';
import { explainNames, explainSubject, listNotes } from '../../access/notes.ts';
import {
  formatCommit,
  formatObjectPlace,
  type ReportedGrant,
  type ReportedMembership,
  type ReportedUnknown,
} from '../../access/report-grants.ts';
import {
  explainUnusualVerb,
  formatRequest,
  parseRequest,
  type RequestPlace,
} from '../../access/request-argument.ts';
import { formatRule } from '../../access/rule-text.ts';
import { parseSubject } from '../../access/subject-argument.ts';
import {
  paintIf,
  printJson,
  truncateList,
  warningLines,
  type Paint,
} from '../../console-output.ts';
import type { ExitCode } from '../../failure-report.ts';
import { collect } from '../../options.ts';
import { UsageError } from '../../usage-error.ts';

/** `tenantry access can`: answers whether a subject may do something, and by which path. */
export function configure(command: Command): void {
  command
    .argument('<subject>', 'alice@example.com, group:payments or sa:shop-dev/ci')
    .argument('<verb>', 'a verb of a request, such as get')
    .argument('<resource>', 'pods, pods/exec, deployments.apps/scale, or a path such as /metrics')
    .option('-n, --namespace <name>', 'in this namespace (default: in all of them at once)')
    .option('--name <name>', 'the object of this name (default: a request without a name)')
    .option('--as-group <group>', 'the user is in this group too (repeatable)', collect);
  addAccessOptions(command)
    .addHelpText(
      'after',
      `
Answers yes, no or unknown, as the RBAC authorizer of the API server would, and prints every path that grants
it: binding, role and rule, with file and line. Renders like \`tenantry synth\`, to a temporary folder. With
--rendered it reads files, and with --from-cluster the roles and bindings of a cluster.

  yes      a binding in the files grants it, or a role and binding that Kubernetes itself creates
  no       nothing does, and every role that is bound to the subject is known
  unknown  a role that is bound to the subject is not defined in the files, or is aggregated from others

A user is in the groups that you name, and in those that Kubernetes adds, such as system:authenticated. Answers
from files do not know what somebody else added to the cluster. docs/access.md has what no answer covers.

Examples:
  tenantry access can alice@example.com get secrets -n payments-prod --cluster fra1
  tenantry access can group:payments create pods/exec -n payments-prod --cluster fra1
  tenantry access can sa:payments-dev/ci patch deployments.apps -n payments-dev --rendered dist
  tenantry access can alice@example.com list nodes --as-group platform --from-cluster --context fra1

Exit codes: 0 yes; 1 no, or user error; 2 internal error; 3 unknown.`,
    )
    .action(async (subject: string, verb: string, resource: string, options: CanOptions) => {
      process.exitCode = await can(subject, verb, resource, options);
    });
}

interface CanOptions extends AccessOptions, RequestPlace {
  readonly asGroup?: readonly string[];
}

const exitCodes: Readonly<Record<Answer, ExitCode>> = { yes: 0, no: 1, unknown: 3 };

/** @throws {UsageError} when the question cannot be asked */
function can(
  subjectText: string,
  verb: string,
  resource: string,
  options: CanOptions,
): Promise<ExitCode> {
  const subject = parseSubject(subjectText);
  const request = parseRequest(verb, resource, options);
  const groups = options.asGroup ?? [];
  const requester = buildRequester(subject, groups);
  return withAccess('access can', options, ({ sources, reporter, settings, warnings, commit }) => {
    const source = selectOne(sources);
    const decision = source.authorizer.decide(requester, request);
    const asked: Asked = { subject, groups, request, source };
    const report: Report = {
      answer: decision.answer,
      grants: decision.grants.map((grant) => reporter.reportGrant(source, grant)),
      unknown: decision.unknown.map((unknown) => reporter.reportUnknown(source, unknown)),
      notes: [
        ...(isMaster(requester)
          ? [`the API server allows members of ${MASTERS} everything, without any role`]
          : []),
        ...explainDecision(asked, decision),
      ],
    };
    if (settings.json) {
      printJson('access can', {
        outcome: 'done',
        ...(commit && { commit }),
        cluster: source.cluster,
        subject: formatSubject(subject),
        groups: requester.groups,
        request,
        ...report,
        warnings,
      });
      return exitCodes[decision.answer];
    }
    const { colors, quiet } = settings;
    if (!quiet) for (const line of warningLines(warnings, paintIf(colors.err))) console.error(line);
    for (const line of answerLines(asked, report, paintIf(colors.out))) console.log(line);
    if (!quiet) for (const note of report.notes) console.error(`note: ${escapeForTerminal(note)}`);
    return exitCodes[decision.answer];
  });
}

/** @throws {UsageError} if the files have several clusters */
function selectOne(sources: readonly AccessSource[]): AccessSource {
  const [source, ...others] = sources;
  if (source && others.length === 0) return source;
  const names = formatList(sources.map(({ cluster }) => cluster));
  throw new UsageError(
    source
      ? `--cluster must choose one of the clusters, because they may have different answers: ${names}`
      : 'the rendered output must have a cluster, got none',
  );
}

interface Asked {
  readonly subject: AccessSubject;
  readonly groups: readonly string[];
  readonly request: AuthorizationRequest;
  readonly source: AccessSource;
}

interface Report {
  readonly answer: Answer;
  readonly grants: readonly ReportedGrant[];
  readonly unknown: readonly ReportedUnknown[];
  readonly notes: readonly string[];
}

function explainDecision(
  { subject, groups, request, source }: Asked,
  { answer }: Decision,
): string[] {
  const verb = explainUnusualVerb(request.verb);
  return [
    ...(verb === undefined ? [] : [verb]),
    ...listNotes(source, request),
    ...(answer === 'yes' ? [] : explainNames(source, buildRequester(subject, groups), request)),
    ...(answer === 'yes' || groups.length > 0 ? [] : explainSubject(source, subject)),
  ];
}

/** The number of paths that are printed; JSON has all. */
const LISTED = 5;

function answerLines(
  { subject, groups, request, source }: Asked,
  { answer, grants, unknown }: Report,
  paint: Paint,
): string[] {
  const also = groups.length === 0 ? '' : ` in ${formatList(groups)}`;
  const where = source.cluster === '' ? '' : ` on ${source.cluster}`;
  const may = answer === 'no' ? 'may not' : 'may';
  const words =
    answer === 'unknown'
      ? `whether ${formatSubject(subject)}${also} may ${formatRequest(request)}${where}`
      : `${formatSubject(subject)}${also} ${may} ${formatRequest(request)}${where}`;
  const color = { yes: 'green', no: 'red', unknown: 'yellow' } as const;
  const blocks =
    answer === 'unknown'
      ? unknown.map(({ reason, ...one }) => [reason, ...pathLines(one)])
      : grants.map((grant) => [formatRule(grant.rule.rule), ...pathLines(grant)]);
  return [
    `${paint(color[answer], answer)}: ${escapeForTerminal(words)}`,
    ...truncateBlocks(blocks).map(escapeForTerminal),
  ];
}

function truncateBlocks(blocks: readonly (readonly string[])[]): string[] {
  const shown = blocks
    .slice(0, LISTED)
    .flatMap((lines) => ['', ...lines.map((line) => `  ${line}`)]);
  const rest = truncateList(blocks.map(String), LISTED).slice(LISTED);
  return [...shown, ...rest.flatMap((more) => ['', `  ${more} (--output json has all)`])];
}

const placed = (name: string, place: string): string =>
  place === '' ? name : `${name}   ${place}`;

function pathLines({
  binding,
  role,
  subject,
  declared,
  until,
  commit,
  rule,
}: ReportedMembership & Partial<Pick<ReportedGrant, 'rule'>>): string[] {
  const ofRole = role.defined ? formatObjectPlace(role) : 'not defined in the files';
  const isAggregated = rule !== undefined && rule.object !== role.object;
  return [
    `  binding   ${placed(binding.object, formatObjectPlace(binding))}`,
    `  subject   ${subject}`,
    `  role      ${placed(role.object, ofRole)}`,
    ...(isAggregated ? [`  rule of   ${placed(rule.object, formatObjectPlace(rule))}`] : []),
    ...(declared ? [`  declared  ${declared.file}:${declared.line}`] : []),
    ...(until === undefined ? [] : [`  until     ${until}`]),
    ...(commit ? [`  changed   ${formatCommit(commit)}`] : []),
  ];
}

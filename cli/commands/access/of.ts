import type { Command } from 'commander';
import {
  buildRequester,
  formatSubject,
  isBuiltin,
  type Membership,
} from '@tenantry/kube/authorization';
import { escapeForTerminal } from '@tenantry/kube/printable';
import type { RightsRule } from '@tenantry/kube/rights/rights';
import { addAccessOptions, withAccess, type AccessOptions } from '../../access/access-options.ts';
import { membershipLines } from '../../access/membership-table.ts';
import { explainSubject } from '../../access/notes.ts';
import { formatRule } from '../../access/rule-text.ts';
import { parseSubject } from '../../access/subject-argument.ts';
import { paintIf, printJson, truncateList, warningLines } from '../../console-output.ts';
import type { ExitCode } from '../../failure-report.ts';
import { collect } from '../../options.ts';

/** `tenantry access of`: lists every role of a subject, where it applies, and what it allows. */
export function configure(command: Command): void {
  command
    .argument('<subject>', 'alice@example.com, group:payments or sa:shop-dev/ci')
    .option('--as-group <group>', 'the user is in this group too (repeatable)', collect);
  addAccessOptions(command)
    .addHelpText(
      'after',
      `
Lists the bindings that apply to the subject, in each cluster of the files: its own, and those of its groups.
Then it lists the rules of the roles that the files define. JSON also has those of Kubernetes' roles.

Examples:
  tenantry access of alice@example.com --as-group payments
  tenantry access of group:payments --cluster fra1
  tenantry access of sa:payments-dev/ci --from-cluster --context fra1
  tenantry access of group:payments --rendered dist --output json

Exit codes: 0 done; 1 user error; 2 internal error.`,
    )
    .action(async (subject: string, options: OfOptions) => {
      process.exitCode = await accessOf(subject, options);
    });
}

interface OfOptions extends AccessOptions {
  readonly asGroup?: readonly string[];
}

/** @throws {UsageError} when there is no such subject or cluster */
function accessOf(text: string, options: OfOptions): Promise<ExitCode> {
  const subject = parseSubject(text);
  const requester = buildRequester(subject, options.asGroup);
  return withAccess('access of', options, ({ sources, reporter, settings, warnings, commit }) => {
    const memberships = sources.flatMap((source) =>
      source.authorizer.listMemberships(requester).map((one) => ({
        membership: one,
        reported: reporter.reportMembership(source, one),
        rules: one.role?.rules.map(({ rule }) => rule) ?? [],
      })),
    );
    const isNamed = sources.some((source) => explainSubject(source, subject).length === 0);
    const notes = isNamed || !sources[0] ? [] : explainSubject(sources[0], subject);
    if (settings.json) {
      printJson('access of', {
        outcome: 'done',
        ...(commit && { commit }),
        subject: formatSubject(subject),
        groups: requester.groups,
        access: memberships.map(({ reported, rules }) => ({ ...reported, rules })),
        notes,
        warnings,
      });
      return 0;
    }
    const { colors, quiet } = settings;
    const paint = paintIf(colors.out);
    if (!quiet) for (const line of warningLines(warnings, paintIf(colors.err))) console.error(line);
    // Everybody has the discovery roles of Kubernetes.
    const own = memberships.filter(({ membership }) => !isBuiltin(membership.binding.object));
    const isAny = own.length > 0;
    if (!isAny) console.log(`no binding applies to ${escapeForTerminal(formatSubject(subject))}`);
    else
      for (const line of membershipLines(
        own.map((one) => one.reported),
        paint,
      ))
        console.log(line);
    for (const [role, rules] of listDefinedRoles(own)) {
      console.log(`\n${paint('bold', escapeForTerminal(role))}`);
      for (const rule of rules) console.log(`  ${escapeForTerminal(formatRule(rule))}`);
    }
    if (!quiet) for (const note of notes) console.error(`note: ${escapeForTerminal(note)}`);
    return 0;
  });
}

interface RoleOfSubject {
  readonly membership: Membership;
  readonly rules: readonly RightsRule[];
}

/** Returns the rules of the roles that the objects define; a role that is the same in several namespaces once. */
function listDefinedRoles(all: readonly RoleOfSubject[]): Map<string, readonly RightsRule[]> {
  const defined = all.filter(({ membership: { role } }) => role && !isBuiltin(role.object));
  const equal = Map.groupBy(defined, ({ membership: { binding }, rules }) =>
    JSON.stringify([binding.role.kind, binding.role.name, rules]),
  );
  return new Map(
    [...equal.values()].map((some) => {
      const { kind, name } = some[0]!.membership.binding.role;
      const namespaces = new Set(some.map(({ membership }) => membership.binding.role.namespace));
      const where = kind === 'Role' ? ` in ${truncateList([...namespaces], 3).join(', ')}` : '';
      return [`${kind} ${name}${where}`, some[0]!.rules];
    }),
  );
}

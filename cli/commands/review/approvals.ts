import { writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { escapeForTerminal } from '@tenantry/kube/printable';
import { defaultInput } from '../../../apps/fleet-input.ts';
import { readPlatform } from '../../../apps/platform-file.ts';
import type { ExitCode } from '../../failure-report.ts';
import { printJson } from '../../console-output.ts';
import { findApprovers, type Approvers } from '../../forge/approvers.ts';
import { readJson } from '../../forge/environment.ts';
import { reportForgeErrors, useForge } from '../../forge/forge-run.ts';
import { listNeededOwners } from '../../forge/plan-verdict.ts';
import { escaped } from '../../markdown.ts';
import { choice } from '../../options.ts';

/** `tenantry review approvals`: prints who approves the commit. */
export function configure(command: Command): void {
  command
    .argument('<plan>', 'the file with what `tenantry plan --output json` printed')
    .option('--platform <file>', 'the platform file (default: tenantry.yaml, if there is one)')
    .option('--notes <file>', 'write the approvals that do not count to this file, as Markdown')
    .addOption(choice('--output <format>', 'the output format', 'text', 'json'))
    .addHelpText(
      'after',
      `
Prints one line for \`tenantry plan --approved-by\`: who approves the commit that the pipeline runs for, and
those teams among the owners of the plan and of the platform that one of them is a member of. An approval of an earlier commit,
one that was dismissed, and that of the author do not count. On stderr it reports what it cannot read.

In a merge queue, the approvals are those of the pull request that the queue tests.

The token is in GITHUB_TOKEN or GITLAB_TOKEN. GitHub lets the token of a workflow read no teams: a token that
may (members: read of the organization) can be in GITHUB_TEAMS_TOKEN.

Examples:
  tenantry review approvals plan.json
  tenantry plan --base origin/main --approved-by "$(tenantry review approvals plan.json)"

Exit codes: 0 done, also if nobody approves; 1 user error, or the forge rejects the token; 2 internal error,
or the forge does not answer.`,
    )
    .action(async (plan: string, options: ApprovalsOptions) => {
      process.exitCode = await reportForgeErrors(() => printApprovals(plan, options));
    });
}

interface ApprovalsOptions {
  readonly platform?: string;
  readonly notes?: string;
  readonly output: 'text' | 'json';
}

async function printApprovals(plan: string, options: ApprovalsOptions): Promise<ExitCode> {
  const { notes: file, output } = options;
  const needed = listNeededOwners(readJson(plan, 'the plan'));
  // An owner of the platform suffices for every need. The plan decides who that is, by the file of the base.
  const { platform } = readPlatform(options.platform ?? defaultInput.platform, {
    mustExist: false,
  });
  const owners = needed.length === 0 ? [] : [...needed, ...platform.delegation.owners];
  const { done, skipped } = await useForge((request) => findApprovers(request, owners));
  const { names, notes }: Approvers = done ?? {
    names: [],
    notes: [`approvals are not read: ${skipped}`],
  };
  for (const note of notes) console.error(escapeForTerminal(`note: ${note}`));
  if (file !== undefined) writeFileSync(file, notes.map((note) => `- ${escaped(note)}\n`).join(''));
  if (output === 'json') printJson('review approvals', { outcome: 'done', names, notes });
  else console.log(escapeForTerminal(names.join(',')));
  return 0;
}

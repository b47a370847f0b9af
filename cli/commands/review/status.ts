import type { Command } from 'commander';
import { escapeForTerminal } from '@tenantry/kube/printable';
import type { ExitCode } from '../../failure-report.ts';
import { printJson } from '../../console-output.ts';
import { readJson } from '../../forge/environment.ts';
import { reportForgeErrors, useForge } from '../../forge/forge-run.ts';
import { judgePlan } from '../../forge/plan-verdict.ts';
import { choice } from '../../options.ts';

/** `tenantry review status`: states the verdict of a plan as a status of the commit. */
export function configure(command: Command): void {
  command
    .argument('<plan>', 'the file with what `tenantry plan --approved-by --output json` printed')
    .addOption(choice('--output <format>', 'the output format', 'text', 'json'))
    .addHelpText(
      'after',
      `
On GitHub it sets the status tenantry/review of the commit, or tenantry/review (BRANCH) if the request merges into
a branch that is not the default one. On GitLab the result of the job is the status. The exit code states the
verdict too. An empty file is a plan that could not begin: it is not approved.

The token is in GITHUB_TOKEN (statuses: write) or GITLAB_TOKEN. The pipeline of a fork has no token that may
write: then no status is set, and only the exit code states the verdict.

Examples:
  tenantry plan --base origin/main --approved-by @ann --output json > plan.json
  tenantry review status plan.json

Exit codes: 0 approved, or nobody must agree; 1 not approved, user error, or the forge rejects the token;
2 internal error, or the forge does not answer.`,
    )
    .action(async (plan: string, options: StatusOptions) => {
      process.exitCode = await reportForgeErrors(() => writeStatus(plan, options));
    });
}

interface StatusOptions {
  readonly output: 'text' | 'json';
}

async function writeStatus(plan: string, { output }: StatusOptions): Promise<ExitCode> {
  const { state, description, code } = judgePlan(readJson(plan, 'the plan'));
  const { done, skipped } = await useForge((request) =>
    request.publishStatus({ state, description }),
  );
  if (output === 'json') {
    const outcome = code === 0 ? 'done' : 'refused';
    printJson('review status', {
      outcome,
      state,
      description,
      isSet: done ?? false,
      reason: skipped,
    });
    return code;
  }
  if (skipped !== undefined) console.log(`the status is skipped: ${skipped}`);
  console.log(escapeForTerminal(`${state}: ${description}`));
  return code;
}

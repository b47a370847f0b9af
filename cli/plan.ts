import { Command } from 'commander';
import { choice } from './options.ts';
import type { PlanOptions } from './plan-run.ts';

/** `tenantry plan`: explains what a change means for the clusters. */
export function planCommand(): Command {
  return new Command('plan')
    .description(
      'List what a change does to the clusters, the riskiest effects first; write nothing.',
    )
    .option(
      '--base <revision>',
      'compare with the merge base of HEAD and this Git revision (default: HEAD)',
    )
    .option('--rendered <dir>', 'read rendered output from this folder instead of rendering')
    .option('--tenants <dir>', 'the folder of tenants and classes (default: tenants)')
    .option('--platform <file>', 'the platform file (default: tenantry.yaml, if there is one)')
    .option('--out <dir>', 'the output folder (default: output of cdk8s.yaml, or dist)')
    .addOption(
      choice('--fail-on <risk>', 'the lowest risk that fails', 'never', 'high', 'medium', 'low'),
    )
    .addOption(choice('--output <format>', 'what is printed', 'text', 'json', 'markdown'))
    .option('--quiet', 'print only what is of high or medium risk, and no warnings')
    .addOption(choice('--color <when>', 'color the output', 'auto', 'always', 'never'))
    .showHelpAfterError('(see tenantry plan --help)')
    .exitOverride()
    .addHelpText(
      'after',
      `
Renders like \`tenantry synth\`, to a temporary folder, and compares the objects with the output folder in
Git. It does not contact a cluster. It reports removed namespaces and data, access, isolation, network,
definitions, projects of Argo CD, quota, and then all other differences. docs/plan.md lists every rule.

  high    data is lost, isolation is weakened, or somebody gains power over others
  medium  somebody must decide whether it is intended
  low     reported for information

Examples:
  tenantry plan
  tenantry plan --base origin/main
  tenantry plan --base origin/main --output markdown > plan.md
  tenantry plan --base origin/main --fail-on high --quiet

Exit codes: 0 nothing that fails; 1 a change that fails (--fail-on), or a user error;
2 internal error.`,
    )
    .action(async (options: PlanOptions) => {
      const { runPlan } = await import('./plan-run.ts');
      process.exitCode = await runPlan(options);
    });
}

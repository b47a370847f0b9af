import { Command } from 'commander';
import { choice } from './options.ts';
import type { PlanOptions } from './plan-run.ts';

/** `tenantry plan`: what a change means for the clusters. */
export function planCommand(): Command {
  return new Command('plan')
    .description('Say what a change means for the clusters, the riskiest first; write nothing.')
    .option(
      '--base <revision>',
      'compare with what HEAD had when it left this Git revision (default: HEAD)',
    )
    .option('--rendered <dir>', 'read what is rendered in this folder, instead of rendering')
    .option('--tenants <dir>', 'the folder of tenants and classes (default: tenants)')
    .option('--platform <file>', 'the platform file (default: tenantry.yaml, if there is one)')
    .option('--out <dir>', 'the output folder (default: output of cdk8s.yaml, or dist)')
    .addOption(
      choice('--fail-on <risk>', 'the mildest risk that fails', 'never', 'high', 'medium', 'low'),
    )
    .addOption(choice('--output <format>', 'what is printed', 'text', 'json', 'markdown'))
    .option('--quiet', 'print only what is of high or medium risk, and no warnings')
    .addOption(choice('--color <when>', 'colours', 'auto', 'always', 'never'))
    .showHelpAfterError('(see tenantry plan --help)')
    .exitOverride()
    .addHelpText(
      'after',
      `
Renders as \`tenantry synth\` does, to a folder that it removes again, and compares the objects with
those of the output folder in Git. No cluster is asked. Namespaces and data that go, access, isolation,
network, definitions, Argo CD's projects, quota; then whatever else differs. docs/plan.md has every rule.

  high    data is lost, a wall falls, or somebody comes to have power over others
  medium  somebody must decide whether it is meant
  low     it is told

Examples:
  tenantry plan
  tenantry plan --base origin/main
  tenantry plan --base origin/main --output markdown > plan.md
  tenantry plan --base origin/main --fail-on high --quiet

Exit codes: 0 nothing that fails; 1 a change that fails (--fail-on), or something of yours must be
fixed; 2 internal error.`,
    )
    .action(async (options: PlanOptions) => {
      const { runPlan } = await import('./plan-run.ts');
      process.exitCode = await runPlan(options);
    });
}

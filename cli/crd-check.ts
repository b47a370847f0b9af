import { Command } from 'commander';
import type { CheckOptions } from './crd-check-run.ts';
import { addReportOptions } from './options.ts';

/** `tenantry crd check`: what the API server would say of CustomResourceDefinitions. */
export function crdCheckCommand(): Command {
  const command = new Command('check')
    .description('Say what the API server would refuse in CustomResourceDefinitions, without one.')
    .argument('<source...>', 'file, folder, REV:PATH of Git, or - for standard input')
    .option('--strict', 'fail on what is not checked, too');
  return addReportOptions(command, 'print only what is refused')
    .showHelpAfterError('(see tenantry crd check --help)')
    .exitOverride()
    .addHelpText(
      'after',
      `
The rules are those of Kubernetes 1.36, on creation with strict field validation. A warning is about
what the API server accepts and hardly anybody means. What only the API server can decide, such as
a CEL rule nested more than 100 deep, is reported as not checked; with --strict that fails.

Examples:
  tenantry crd check config/crd/bases
  tenantry crd check origin/main:config/crd --output json
  helm template chart --include-crds | tenantry crd check -

Exit codes: 0 nothing is refused; 1 something is, cannot be read or, with --strict, is not checked;
2 internal error.`,
    )
    .action(async (sources: readonly string[], options: CheckOptions) => {
      const { runCheck } = await import('./crd-check-run.ts');
      process.exitCode = await runCheck(sources, options);
    });
}

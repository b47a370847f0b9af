import { Command } from 'commander';
import type { CheckOptions } from './crd-check-run.ts';
import { addReportOptions } from './options.ts';

/** `tenantry crd check`: validates CustomResourceDefinitions like the API server. */
export function crdCheckCommand(): Command {
  const command = new Command('check')
    .description(
      'Report what the API server would reject in CustomResourceDefinitions, without contacting one.',
    )
    .argument('<source...>', 'file, folder, REV:PATH of Git, or - for standard input')
    .option('--strict', 'also fail on what is not checked');
  return addReportOptions(command, 'print only errors')
    .showHelpAfterError('(see tenantry crd check --help)')
    .exitOverride()
    .addHelpText(
      'after',
      `
The rules are those of Kubernetes 1.36 for creation with strict field validation. A warning reports what the
API server accepts but is rarely intended. What only the API server can decide, such as a CEL rule nested
more than 100 deep, is reported as not checked; --strict fails on it.

Examples:
  tenantry crd check config/crd/bases
  tenantry crd check origin/main:config/crd --output json
  helm template chart --include-crds | tenantry crd check -

Exit codes: 0 no error; 1 an error, unreadable input or, with --strict, something not checked;
2 internal error.`,
    )
    .action(async (sources: readonly string[], options: CheckOptions) => {
      const { runCheck } = await import('./crd-check-run.ts');
      process.exitCode = await runCheck(sources, options);
    });
}

import { Command } from 'commander';
import type { PreviewOptions } from './bundle-preview-run.ts';
import { choice } from './options.ts';

/** `tenantry bundle preview`: shows a bundle like a page of a catalog. */
export function bundlePreviewCommand(): Command {
  return new Command('preview')
    .description('Print a bundle as OperatorHub shows it, and what the operator may do.')
    .argument('<bundle>', 'the folder of a bundle, or an OCI image layout')
    .addOption(choice('--output <format>', 'what is printed', 'text', 'json'))
    .addOption(choice('--color <when>', 'color the output', 'auto', 'always', 'never'))
    .showHelpAfterError('(see tenantry bundle preview --help)')
    .exitOverride()
    .addHelpText(
      'after',
      `
Prints name, provider, channels, capability level, categories, links, maintainers, the description without
Markdown, kinds with examples, install modes, and a description of the rights of the ServiceAccounts. Rights that
can take over other rights come first, with an exclamation mark. Lines are as wide as the terminal. The bundle is
not validated: see bundle validate.

Examples:
  tenantry bundle preview operators/redis/1.2.3
  tenantry bundle preview layout --output json

Exit codes: 0 done; 1 the bundle cannot be read; 2 internal error.`,
    )
    .action(async (bundle: string, options: PreviewOptions) => {
      const { runPreview } = await import('./bundle-preview-run.ts');
      process.exitCode = runPreview(bundle, options);
    });
}

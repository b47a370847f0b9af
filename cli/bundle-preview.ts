import { Command } from 'commander';
import type { PreviewOptions } from './bundle-preview-run.ts';
import { choice } from './options.ts';

/** `tenantry bundle preview`: how a page of operators shows a bundle. */
export function bundlePreviewCommand(): Command {
  return new Command('preview')
    .description('Show a bundle as OperatorHub does, and what the operator may do, as text.')
    .argument('<bundle>', 'the folder of a bundle, or an OCI image layout')
    .addOption(choice('--output <format>', 'what is printed', 'text', 'json'))
    .addOption(choice('--color <when>', 'colours', 'auto', 'always', 'never'))
    .showHelpAfterError('(see tenantry bundle preview --help)')
    .exitOverride()
    .addHelpText(
      'after',
      `
Name, provider, channels, level of capability, categories, links, maintainers, the description without its
Markdown, kinds with their examples, install modes, and in words what the ServiceAccounts may do. Rights by
which others can be taken come first, with an exclamation mark. Lines are as long as the terminal is wide.
Nothing is checked: ask bundle validate.

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

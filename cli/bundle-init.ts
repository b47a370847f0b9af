import { Command } from 'commander';
import type { BundleInitOptions } from './bundle-init-run.ts';
import { collect, addReportOptions } from './options.ts';

/** `tenantry bundle init`: writes a program for the first bundle of an operator. */
export function bundleInitCommand(): Command {
  const command = new Command('init')
    .description(
      'Write a program that renders a new bundle and its catalog; prompts on a terminal.',
    )
    .requiredOption('--to <dir>', 'the folder of the program; files in it are never overwritten')
    .option('--package <name>', 'the name of the package, and of the operator')
    .option('--display-name <name>', 'the display name')
    .option('--description <text>', 'what it does, in Markdown')
    .option('--operator-version <version>', 'its version, semver')
    .option('--image <image>', 'the image of the operator, with a tag or a digest')
    .option('--channel <name>', 'a channel (repeatable; the last is the default)', collect)
    .option(
      '--maintainer <name and address>',
      "such as 'Shops <shops@example.com>' (repeatable)",
      collect,
    )
    .option('--provider <name>', 'the organization that provides it')
    .option('--capabilities <level>', 'its capability level, such as Basic Install')
    .option(
      '--category <name>',
      'a category under which it is listed, such as Database (repeatable)',
      collect,
    )
    .option('--min-kube-version <version>', 'the oldest Kubernetes version that it supports')
    .option(
      '--crds <source>',
      'a file or folder of CustomResourceDefinitions (repeatable)',
      collect,
    );
  return addReportOptions(command, 'print only problems')
    .showHelpAfterError('(see tenantry bundle init --help)')
    .exitOverride()
    .addHelpText(
      'after',
      `
On a terminal, the command prompts for missing options; otherwise it reports all of them. It writes a starting
point: operator.ts, bundle.ts, definitions/ and app.ts, which renders the bundle and its catalog.

Examples:
  tenantry bundle init --to packaging --crds config/crd/bases
  tenantry bundle init --to packaging --package shops --display-name Shops --description 'Runs shops.' \\
    --operator-version 1.0.0 --image quay.io/example/shops:1.0.0 --channel stable --provider Example \\
    --maintainer 'Shops <shops@example.com>' --capabilities 'Basic Install' --category Database \\
    --min-kube-version 1.30.0

Exit codes: 0 done; 1 user error; 2 internal error.`,
    )
    .action(async (options: BundleInitOptions) => {
      const { runBundleInit } = await import('./bundle-init-run.ts');
      process.exitCode = await runBundleInit(options);
    });
}

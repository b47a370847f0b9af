import { Command } from 'commander';
import type { BundleInitOptions } from './bundle-init-run.ts';
import { collect, addReportOptions } from './options.ts';

/** `tenantry bundle init`: a program for the bundle of an operator that has none. */
export function bundleInitCommand(): Command {
  const command = new Command('init')
    .description('Write a program for a new bundle and its catalog; asks on a terminal.')
    .requiredOption('--to <dir>', 'the folder of the program; files in it are never overwritten')
    .option('--package <name>', 'the name of the package, and of the operator')
    .option('--display-name <name>', 'the name that people read')
    .option('--description <text>', 'what it does, in Markdown')
    .option('--operator-version <version>', 'its version, semver')
    .option('--image <image>', 'the image of the operator, with a tag or a digest')
    .option('--channel <name>', 'a channel (repeatable; the last is the default)', collect)
    .option(
      '--maintainer <name and address>',
      "such as 'Shops <shops@example.com>' (repeatable)",
      collect,
    )
    .option('--provider <name>', 'who stands behind it')
    .option('--capabilities <level>', 'what it can do, such as Basic Install')
    .option('--category <name>', 'under what it is listed, such as Database (repeatable)', collect)
    .option('--min-kube-version <version>', 'the oldest Kubernetes that it runs on')
    .option(
      '--crds <source>',
      'a file or folder of CustomResourceDefinitions (repeatable)',
      collect,
    );
  return addReportOptions(command, 'print only what fails')
    .showHelpAfterError('(see tenantry bundle init --help)')
    .exitOverride()
    .addHelpText(
      'after',
      `
On a terminal, what no option says is asked; elsewhere all that is missing is told at once. What is
written is a start: operator.ts, bundle.ts, definitions/ and app.ts, which renders the bundle and a
catalog of it.

Examples:
  tenantry bundle init --to packaging --crds config/crd/bases
  tenantry bundle init --to packaging --package shops --display-name Shops --description 'Runs shops.' \\
    --operator-version 1.0.0 --image quay.io/example/shops:1.0.0 --channel stable --provider Example \\
    --maintainer 'Shops <shops@example.com>' --capabilities 'Basic Install' --category Database \\
    --min-kube-version 1.30.0

Exit codes: 0 done; 1 something of yours must be fixed; 2 internal error.`,
    )
    .action(async (options: BundleInitOptions) => {
      const { runBundleInit } = await import('./bundle-init-run.ts');
      process.exitCode = await runBundleInit(options);
    });
}

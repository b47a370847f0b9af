import { Command } from 'commander';
import type { RenderCommandOptions } from './catalog-render-run.ts';
import { choice, collect } from './options.ts';

/** `tenantry catalog render`: a catalog of bundles. */
export function catalogRenderCommand(): Command {
  return new Command('render')
    .description('Print the file-based catalog of bundles, of one operator or of several.')
    .argument('<bundles...>', 'folders of bundles, or folders in which there are some')
    .requiredOption(
      '--image <template>',
      'where each bundle will be: {package}, {name} and {version} are filled in',
    )
    .addOption(
      choice('--update-graph <mode>', 'where entries of channels lead', 'replaces', 'semver'),
    )
    .option(
      '--default-channel <package=channel>',
      'the default channel of a package (repeatable; default: what its bundles say)',
      collect,
    )
    .option(
      '--with <file>',
      'objects that come besides, such as olm.deprecations (repeatable)',
      collect,
    )
    .addOption(choice('--contents <what>', 'what is told of a bundle', 'metadata', 'objects'))
    .addOption(choice('--output <format>', 'what is printed', 'yaml', 'json'))
    .showHelpAfterError('(see tenantry catalog render --help)')
    .exitOverride()
    .addHelpText(
      'after',
      `
Packages and channels are those that the annotations of the bundles say. By \`--update-graph replaces\`
each entry leads where its bundle says (replaces, skips, olm.skipRange), and a channel holds what its
bundles replace, too; by \`semver\` it replaces the one of the next lower version. What people are told of a
bundle is in one property (\`--contents metadata\`); OpenShift before 4.15 wants all manifests (\`objects\`).
The same bundles give the same bytes, in whatever order. A catalog that OLM would refuse is not printed.

Examples:
  tenantry catalog render operators --image 'quay.io/example/{package}-bundle:v{version}' > catalog.yaml
  tenantry catalog render operators/redis/1.0.0 operators/redis/1.1.0 \\
    --image 'quay.io/example/{name}' --update-graph semver --with deprecations.yaml

Exit codes: 0 done; 1 something of yours must be fixed; 2 internal error.`,
    )
    .action(async (bundles: readonly string[], options: RenderCommandOptions) => {
      const { runCatalogRender } = await import('./catalog-render-run.ts');
      process.exitCode = runCatalogRender(bundles, options);
    });
}

import { Command } from 'commander';
import type { RenderCommandOptions } from './catalog-render-run.ts';
import { choice, collect } from './options.ts';

/** `tenantry catalog render`: a catalog of bundles. */
export function catalogRenderCommand(): Command {
  return new Command('render')
    .description('Print the file-based catalog of the bundles of one or several operators.')
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
    .option('--with <file>', 'further objects, such as olm.deprecations (repeatable)', collect)
    .addOption(choice('--contents <what>', 'the data of a bundle', 'metadata', 'objects'))
    .addOption(choice('--output <format>', 'what is printed', 'yaml', 'json'))
    .showHelpAfterError('(see tenantry catalog render --help)')
    .exitOverride()
    .addHelpText(
      'after',
      `
Packages and channels come from the annotations of the bundles. With \`--update-graph replaces\`, each entry
follows its bundle (replaces, skips, olm.skipRange), and a channel contains what its bundles replace, too;
with \`semver\`, it replaces the next lower version. The data shown to people is in one property
(\`--contents metadata\`); OpenShift before 4.15 needs all manifests (\`objects\`). The same bundles give the same
bytes, in any order. A catalog that OLM would reject is not printed.

Examples:
  tenantry catalog render operators --image 'quay.io/example/{package}-bundle:v{version}' > catalog.yaml
  tenantry catalog render operators/redis/1.0.0 operators/redis/1.1.0 \\
    --image 'quay.io/example/{name}' --update-graph semver --with deprecations.yaml

Exit codes: 0 done; 1 user error; 2 internal error.`,
    )
    .action(async (bundles: readonly string[], options: RenderCommandOptions) => {
      const { runCatalogRender } = await import('./catalog-render-run.ts');
      process.exitCode = runCatalogRender(bundles, options);
    });
}

import { Command } from 'commander';
import type { BundleImportOptions } from './bundle-import-run.ts';
import { addReportOptions } from './options.ts';

/** `tenantry bundle import`: an existing bundle as TypeScript that gives it again. */
export function bundleImportCommand(): Command {
  const command = new Command('import')
    .description(
      'Turn a bundle of others, or the config/ of a kubebuilder project, into TypeScript.',
    )
    .argument('<source>', 'a bundle (folder or OCI image layout), or the folder of a project')
    .requiredOption('--to <dir>', 'the folder of the program; files in it are never overwritten')
    .option(
      '--overlay <dir>',
      'the kustomization of a project to build (default: config/manifests, or else config/default)',
    )
    .option('--partial', 'write what can be carried over, and warn of the rest');
  return addReportOptions(command, 'print only what fails')
    .showHelpAfterError('(see tenantry bundle import --help)')
    .exitOverride()
    .addHelpText(
      'after',
      `
What is written is a program with the typed props of a Bundle: bundle.ts, operator.ts, definitions/ as
\`tenantry crd import\` writes them, and app.ts, which renders it. What it gives means the same as the
source: that is compared before anything is written, and whatever is not carried over is told with its
place. Of a project kustomize builds what runs: the kustomize on the PATH, or else that of kubectl.
Rules that the source breaks are accepted by name, so that it can be rendered as it is.

Examples:
  tenantry bundle import operators/redis/1.2.3 --to redis
  tenantry bundle import . --to packaging
  tenantry bundle import . --to packaging --overlay config/overlays/production
  skopeo copy docker://quay.io/example/redis-bundle:v1.2.3 oci:layout &&
    tenantry bundle import layout --to redis --partial

Exit codes: 0 done; 1 something of yours must be fixed, or is not carried over without --partial;
2 internal error.`,
    )
    .action(async (source: string, options: BundleImportOptions) => {
      const { runBundleImport } = await import('./bundle-import-run.ts');
      process.exitCode = runBundleImport(source, options);
    });
}

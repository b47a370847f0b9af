import { Command } from 'commander';
import type { BundleImportOptions } from './bundle-import-run.ts';
import { addReportOptions } from './options.ts';

/** `tenantry bundle import`: converts an existing bundle to TypeScript. */
export function bundleImportCommand(): Command {
  const command = new Command('import')
    .description(
      'Generate TypeScript from an existing bundle or from the config/ of a kubebuilder project.',
    )
    .argument('<source>', 'a bundle (folder or OCI image layout), or the folder of a project')
    .requiredOption('--to <dir>', 'the folder of the program; files in it are never overwritten')
    .option(
      '--overlay <dir>',
      'the kustomization of a project to build (default: config/manifests, or else config/default)',
    )
    .option('--partial', 'write what can be imported, and warn about the rest');
  return addReportOptions(command, 'print only problems')
    .showHelpAfterError('(see tenantry bundle import --help)')
    .exitOverride()
    .addHelpText(
      'after',
      `
Writes a program with the typed props of a Bundle: bundle.ts, operator.ts, definitions/ as written by
\`tenantry crd import\`, and app.ts, which renders it. Before it writes, it renders the program and compares the
result with the source. Everything that cannot be imported is reported with its place. Projects are built with
the kustomize on the PATH, or else with that of kubectl. Rules that the source breaks are listed as accepted, so
that it can be rendered unchanged.

Examples:
  tenantry bundle import operators/redis/1.2.3 --to redis
  tenantry bundle import . --to packaging
  tenantry bundle import . --to packaging --overlay config/overlays/production
  skopeo copy docker://quay.io/example/redis-bundle:v1.2.3 oci:layout &&
    tenantry bundle import layout --to redis --partial

Exit codes: 0 done; 1 user error, or something cannot be imported without --partial;
2 internal error.`,
    )
    .action(async (source: string, options: BundleImportOptions) => {
      const { runBundleImport } = await import('./bundle-import-run.ts');
      process.exitCode = runBundleImport(source, options);
    });
}

import { Command } from 'commander';
import type { ImportOptions } from './crd-import-run.ts';
import { collect, addReportOptions } from './options.ts';

/** `tenantry crd import`: converts existing CustomResourceDefinitions to TypeScript. */
export function crdImportCommand(): Command {
  const command = new Command('import')
    .description('Generate typed constructs from existing CustomResourceDefinitions.')
    .argument('<source...>', 'file, folder, https URL, cluster, or - for standard input')
    .option('--out <dir>', 'the folder for the TypeScript files', 'imports')
    .option('--only <name>', 'a group, or a definition by plural.group (repeatable)', collect)
    .option('--context <name>', 'the kubectl context, for cluster (default: the current one)')
    .option('--keep-going', 'import what can be imported; without it, one problem stops the import')
    .option('--check', 'write nothing; fail if the folder differs from what would be written');
  return addReportOptions(command, 'print only problems')
    .showHelpAfterError('(see tenantry crd import --help)')
    .exitOverride()
    .addHelpText(
      'after',
      `
Writes <out>/<group>/<plural>.ts for each definition: types for each version, the definition, and a class for
each served version. It writes everything or nothing; with --keep-going, it leaves out definitions that have
a problem. All problems are reported, with their files. Files of earlier imports and files that Tenantry did
not write are kept. The same definitions give the same bytes.

Examples:
  tenantry crd import https://github.com/cert-manager/cert-manager/releases/download/v1.19.1/cert-manager.crds.yaml
  tenantry crd import config/crd/bases --out src/imports
  tenantry crd import cluster --context production --only cert-manager.io
  helm template chart --include-crds | tenantry crd import -
  tenantry crd import config/crd/bases --check

Exit codes, also with --keep-going: 0 done; 1 user error; 2 internal error.`,
    )
    .action(async (sources: readonly string[], options: ImportOptions) => {
      const { runImport } = await import('./crd-import-run.ts');
      process.exitCode = await runImport(sources, options);
    });
}

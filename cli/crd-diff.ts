import { Command } from 'commander';
import type { DiffOptions } from './crd-diff-run.ts';
import { choice } from './options.ts';

/** `tenantry crd diff`: compares CustomResourceDefinitions. */
export function crdDiffCommand(): Command {
  return new Command('diff')
    .description(
      'Compare CustomResourceDefinitions, and classify changes as compatible, breaking or unknown.',
    )
    .argument('[old]', 'file, folder, REV:PATH of Git, or - for standard input')
    .argument('[new]', 'the same, for the new version')
    .option('--base <revision>', 'compare NEW with the same path in this Git revision; omit OLD')
    .addOption(choice('--output <format>', 'what is printed', 'text', 'json', 'markdown'))
    .addOption(
      choice(
        '--fail-on <verdict>',
        'the lowest verdict that fails',
        'unknown',
        'breaking',
        'never',
      ),
    )
    .addOption(
      choice('--advice <what>', 'advice on the style of new fields', 'show', 'off', 'error'),
    )
    .addOption(
      choice(
        '--widening <verdict>',
        'the verdict on accepting more than before',
        'compatible',
        'breaking',
      ),
    )
    .option('--quiet', 'print only breaking and unknown changes')
    .addOption(choice('--color <when>', 'color the output', 'auto', 'always', 'never'))
    .showHelpAfterError('(see tenantry crd diff --help)')
    .exitOverride()
    .addHelpText(
      'after',
      `
Definitions are matched by metadata.name. A definition that is missing from NEW is breaking, because its
objects are deleted with it; a new one is compatible. If OLD is from a cluster, its status.storedVersions
is read, too.

Examples:
  tenantry crd diff old.yaml new.yaml
  tenantry crd diff main:config/crd config/crd
  tenantry crd diff --base origin/main config/crd --output markdown
  kubectl get crd -o yaml | tenantry crd diff - config/crd

Exit codes: 0 nothing that fails; 1 a breaking or unknown change (--fail-on), advice
(--advice error), or input that cannot be read; 2 internal error.`,
    )
    .action(async (...given: [string | undefined, string | undefined, DiffOptions]) => {
      const { diff } = await import('./crd-diff-run.ts');
      process.exitCode = await diff(...given);
    });
}

import { Command } from 'commander';
import type { DiffOptions } from './crd-diff-run.ts';
import { choice } from './options.ts';

/** `tenantry crd diff`: compares CustomResourceDefinitions. */
export function crdDiffCommand(): Command {
  return new Command('diff')
    .description(
      'Judge what changed between CustomResourceDefinitions: compatible, breaking or unknown.',
    )
    .argument('[old]', 'file, folder, REV:PATH of Git, or - for the standard input')
    .argument('[new]', 'the same, of what is to come')
    .option(
      '--base <revision>',
      'compare NEW with what this Git revision has at its path; without OLD',
    )
    .addOption(choice('--output <format>', 'what is printed', 'text', 'json', 'markdown'))
    .addOption(
      choice('--fail-on <verdict>', 'the least that fails', 'unknown', 'breaking', 'never'),
    )
    .addOption(
      choice('--advice <what>', 'advice on the style of what is new', 'show', 'off', 'error'),
    )
    .addOption(
      choice(
        '--widening <verdict>',
        'what it is to accept more than before',
        'compatible',
        'breaking',
      ),
    )
    .option('--quiet', 'print breaking and unknown changes only')
    .addOption(choice('--color <when>', 'colours', 'auto', 'always', 'never'))
    .showHelpAfterError('(see tenantry crd diff --help)')
    .exitOverride()
    .addHelpText(
      'after',
      `
Definitions are matched by metadata.name. One that is missing in NEW breaks, for its objects go with
it; a new one does not. Where OLD comes from a cluster, its status.storedVersions is asked too.

Examples:
  tenantry crd diff old.yaml new.yaml
  tenantry crd diff main:config/crd config/crd
  tenantry crd diff --base origin/main config/crd --output markdown
  kubectl get crd -o yaml | tenantry crd diff - config/crd

Exit codes: 0 nothing that fails; 1 a breaking or unknown change (--fail-on), advice
(--advice error), or input that cannot be read; 2 a mistake of ours.`,
    )
    .action(async (...given: [string | undefined, string | undefined, DiffOptions]) => {
      const { diff } = await import('./crd-diff-run.ts');
      process.exitCode = await diff(...given);
    });
}

import type { Command } from 'commander';
import { addRenderOptions } from '../options.ts';
import { dirname, resolve } from 'node:path';
import type { Summary } from '../../synth/report.ts';
import { measureSize } from '../../apps/size.ts';
import { parseTenantFile } from '../../model/layout.ts';
import { runApp } from '../app.ts';
import { formatUnexpectedFilesError, newsLines } from '../changes.ts';
import { reportFailure, type ExitCode } from '../failure-report.ts';
import { hasRepository } from '../git/git.ts';
import { resolveSettings, type CommandOptions, type Settings } from '../settings.ts';
import {
  count,
  elapsed,
  formatNumber,
  paintIf,
  printJson,
  sizeWords,
  truncateList,
  warningLines,
} from '../console-output.ts';

/** `tenantry synth`: renders to the output folder. */
export function configure(command: Command): void {
  addRenderOptions(command)
    .addHelpText(
      'after',
      `
Runs the app of cdk8s.yaml (a project in TypeScript). Without cdk8s.yaml, renders the folder of tenants.
Unchanged files are not touched, and files of deleted tenants are removed. Files that Tenantry did not
generate are kept: one in the place of a rendered file is refused, another one below clusters/ ends with 1.

Examples:
  tenantry synth
  tenantry synth --tenants teams --platform platform.yaml --out rendered
  tenantry synth --output json`,
    )
    .action(async (options: CommandOptions) => {
      process.exitCode = await synth(resolveSettings(options));
    });
}

/** Renders to the output folder and reports what changed. */
async function synth(settings: Settings): Promise<ExitCode> {
  const report = await runApp(settings, 'write');
  if (report.outcome !== 'done') return reportFailure('synth', report, settings);
  const { summary } = report;
  const { changes, warnings } = summary;
  const alone = changes.unexpected.length === 0;
  const code = alone ? 0 : 1;
  if (settings.json) {
    const { added, changed, removed, unchanged, unexpected } = changes;
    const files = { added, changed, removed, unchanged, unexpected };
    const ending = alone
      ? { outcome: 'done' }
      : { outcome: 'refused', written: true, problems: [] };
    printJson('synth', { ...ending, ...measureSize(summary), files, warnings });
    return code;
  }
  const paint = paintIf(settings.colors.err);
  for (const line of warningLines(warnings, paint)) console.error(line);
  if (!settings.quiet) for (const line of lines(summary, settings)) console.log(line);
  if (!alone)
    for (const line of formatUnexpectedFilesError(changes, settings.out, paint))
      console.error(line);
  return code;
}

function lines(summary: Summary, settings: Settings): string[] {
  const paint = paintIf(settings.colors.out);
  const { added, changed, removed, unchanged, unexpected } = summary.changes;
  const news = newsLines(summary.changes, paint);
  const written = added.length + changed.length;
  const seconds = `${elapsed().toFixed(1)} s`;
  return [
    `${paint('bold', sizeWords(measureSize(summary)))} in ${settings.out} (${seconds})`,
    `${count(written, 'file')} written, ${formatNumber(unchanged)} unchanged, ${formatNumber(removed.length)} removed`,
    ...truncateList(news, 10).map((line) => `  ${line}`),
    ...goneTenants(removed, added).map((name) =>
      paint('red', `  tenant ${name} is gone from a cluster`),
    ),
    ...(unexpected.length > 0 ? [] : ['', next(news.length, settings)]),
  ];
}

function next(changes: number, { out }: Settings): string {
  if (changes === 0) return `Nothing changed: ${out} is up to date.`;
  const look = hasRepository(dirname(resolve(out)))
    ? `look at \`git diff ${out}\`, commit it`
    : 'commit it to Git';
  return `Next: ${look}, and let Argo CD sync its folders.`;
}

function goneTenants(removed: readonly string[], added: readonly string[]): string[] {
  const gone = removed.map(parseTenantFile).filter((file) => file && file.namespace === undefined);
  const there = new Set(added.map((path) => parseTenantFile(path)?.tenant));
  return [...new Set(gone.map((file) => file!.tenant))].filter((name) => !there.has(name));
}

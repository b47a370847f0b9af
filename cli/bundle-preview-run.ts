import { InvalidInput } from '../kube/problem.ts';
import { placing } from '../olm/bundle/bundle.ts';
import { readBundle } from '../olm/folder/read-bundle.ts';
import { buildPreview } from '../olm/preview/preview.ts';
import { previewLines } from './bundle-preview-report.ts';
import type { ExitCode } from './ending.ts';
import { resolveColors, type ColorChoice } from './settings.ts';
import { paintIf, printJson, printProblems } from './words.ts';

/** The command line, as commander gives it. */
export interface PreviewOptions {
  readonly output: 'text' | 'json';
  readonly color: ColorChoice;
}

const COMMAND = 'bundle preview';

/** The width of lines in characters: limits for terminals, and the value for other outputs. */
const WIDTH = { least: 40, usual: 80, most: 100 };

/** Prints a bundle as a catalog shows it. */
export function runPreview(source: string, { output, color }: PreviewOptions): ExitCode {
  const bundle = readBundle(source);
  const colors = resolveColors(color);
  const unread = bundle.faults.filter(({ severity }) => severity === 'error');
  if (unread.length > 0) {
    const { problems } = new InvalidInput(unread.map(placing(bundle, source)));
    if (output === 'json') printJson(COMMAND, { outcome: 'refused', problems });
    else printProblems(problems, 'nothing is shown', paintIf(colors.err));
    return 1;
  }
  const preview = buildPreview(bundle);
  if (output === 'json') {
    printJson(COMMAND, { outcome: 'done', preview });
    return 0;
  }
  const columns = (process.stdout.isTTY && process.stdout.columns) || WIDTH.usual;
  const width = Math.min(Math.max(columns, WIDTH.least), WIDTH.most);
  for (const line of previewLines(preview, width, paintIf(colors.out))) console.log(line);
  return 0;
}

import type { Finding } from '../finding.ts';
import { formatBrief, show, type Path } from '../problem.ts';
import { resolvePlain } from './scalar.ts';

/** The text of the scalars of a document. */
export interface ScalarTexts {
  misreadTextAt(path: Path): string | undefined;
}

/**
 * Adds the written text to a finding about an unquoted scalar that YAML reads as something else: `got true` becomes
 * `got true, as YAML reads yes without quotes`. A message that does not show the value, such as one about a Secret,
 * stays as it is.
 */
export function explainMisread(finding: Finding, document: ScalarTexts | undefined): Finding {
  const text = finding.atKey ? undefined : document?.misreadTextAt(finding.path);
  if (text === undefined || finding.message.includes('YAML reads')) return finding;
  const shown = `got ${show(resolvePlain(text))}`;
  const at = finding.message.lastIndexOf(shown);
  if (at < 0) return finding;
  const end = at + shown.length;
  const written = `, as YAML reads ${text === '' ? 'nothing' : formatBrief(text)} without quotes`;
  return {
    ...finding,
    message: finding.message.slice(0, end) + written + finding.message.slice(end),
  };
}

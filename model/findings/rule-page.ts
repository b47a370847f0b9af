import type { TenantRule } from './rule.ts';
import { tenantRules } from './tenant-rules.ts';

/**
 * Renders the page of rules again: the rows of the rules in the list are generated, the rest of the page is kept.
 *
 * @throws {Error} for a rule of the list that has no row, because only a person can choose its section
 */
export function renderRulesPage(page: string): string {
  const rules = new Map<string, TenantRule>(tenantRules.map((rule) => [rule.id, rule]));
  const missing = new Set(rules.keys());
  const lines = page.split('\n').map((line) => {
    const id = ROW.exec(line)?.[1];
    const rule = id === undefined ? undefined : rules.get(id);
    if (rule) missing.delete(rule.id);
    return rule ? renderRow(rule) : compactRow(line);
  });
  if (missing.size > 0) {
    throw new Error(
      `docs/reference/rules.md must have a row for each rule, got none for ${[...missing].join(', ')}`,
    );
  }
  return lines.join('\n');
}

const ROW = /^\| `([a-z-]+)` +\|/;

function renderRow({ id, place, severity, description }: TenantRule): string {
  return `| \`${id}\` | ${place} | ${severity} | ${description} |`;
}

/** Removes the padding of a row of a table. */
function compactRow(line: string): string {
  if (!line.startsWith('|')) return line;
  return line.replaceAll(/ +\|/g, ' |').replaceAll(/-{3,}/g, '---');
}

/** Formats a table of Markdown. */
export function markdownTable(
  head: readonly string[],
  body: readonly (readonly string[])[],
): string {
  const rule = head.map(() => '---');
  return [head, rule, ...body].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** `10,000` */
export function grouped(value: number): string {
  return value.toLocaleString('en');
}

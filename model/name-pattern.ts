/** Whether a name matches one of the patterns: it is equal, or begins with the text before a `*`. */
export function matchesName(patterns: readonly string[], name: string): boolean {
  return patterns.some((pattern) =>
    pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : pattern === name,
  );
}

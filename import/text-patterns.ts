/** Returns whether a text matches one of the patterns. In a pattern, `*` matches any text. */
export function createMatcher(patterns: readonly string[]): (text: string) => boolean {
  const parts = patterns.map((pattern) => pattern.split('*'));
  return (text) => parts.some((pieces) => matchesPieces(pieces, text));
}

function matchesPieces([first = '', ...rest]: readonly string[], text: string): boolean {
  const last = rest.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  let at = first.length;
  const end = text.length - last.length;
  for (const piece of rest) {
    const found = text.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return at <= end;
}

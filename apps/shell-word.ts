/**
 * Quotes a word for a POSIX shell, if it needs quotes. A name in RBAC may have nearly any character, and a `~` at its begin
 * is expanded without them.
 */
export const quoteForShell = (word: string): string =>
  /^[-\w./@%+=:,]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

// Characters that are not seen as themselves. Letters, marks, digits, punctuation, symbols and the plain space are
// seen. Not so control characters, which a terminal obeys (U+009B alone begins a command). Nor those that reorder
// (CVE-2021-42574) or hide their neighbors, or letters and marks that leave no ink.
const UNSEEN = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]|[\p{DI}\u2800]/gu;
const UNSEEN_IN_JSON = /[^\p{L}\p{M}\p{N}\p{P}\p{S} \n]|[\p{DI}\u2800]/gu;

/** Matches most texts: this test is several times faster. */
const ASCII = /^[ -~]*$/;

/** Escapes a text of others, such as the name of a file, so that it can be shown on one line of a terminal. */
export function escapeForTerminal(text: string): string {
  return ASCII.test(text) ? text : text.replaceAll(UNSEEN, escaped);
}

/** Whether every character of a text is seen as itself, on one line. */
export function isSafeForTerminal(text: string): boolean {
  return escapeForTerminal(text) === text;
}

/** Returns the same JSON, in which every unseen character of a string is written as `\u001b`. */
export function escapeJsonForTerminal(json: string): string {
  return json.replaceAll(UNSEEN_IN_JSON, escaped);
}

/** Shortens a text to at most so many whole characters: half a surrogate pair would be stored as another character. */
export function truncate(text: string, length: number): string {
  if (text.length <= length) return text;
  // So many UTF-16 units hold at least one character more.
  const characters = Array.from(text.slice(0, 2 * length + 1));
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`;
}

/** Escapes each UTF-16 unit as in JSON. */
function escaped(unseen: string): string {
  return Array.from(
    { length: unseen.length },
    (_, at) => `\\u${unseen.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('');
}

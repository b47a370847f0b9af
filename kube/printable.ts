// What is seen as itself: letters, marks, digits, punctuation, symbols and the plain space. Not
// control characters, which a terminal obeys (U+009B alone begins a command); nor those that
// reorder (CVE-2021-42574) or hide their neighbours; nor letters and marks that leave no ink.
const UNSEEN = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]|[\p{DI}\u2800]/gu;
const UNSEEN_IN_JSON = /[^\p{L}\p{M}\p{N}\p{P}\p{S} \n]|[\p{DI}\u2800]/gu;

/** Of which most texts are: asking this is several times faster. */
const ASCII = /^[ -~]*$/;

/** A text of others, such as the name of a file, as it may be shown on one line of a terminal. */
export function escapeForTerminal(text: string): string {
  return ASCII.test(text) ? text : text.replaceAll(UNSEEN, escaped);
}

/** Whether every character of a text is seen as itself, on one line. */
export function isSafeForTerminal(text: string): boolean {
  return escapeForTerminal(text) === text;
}

/** The same JSON, in which every character of a string that is not seen is written as `\u001b`. */
export function escapeJsonForTerminal(json: string): string {
  return json.replaceAll(UNSEEN_IN_JSON, escaped);
}

/** Each unit of UTF-16 as JSON escapes it. */
function escaped(unseen: string): string {
  return Array.from(
    { length: unseen.length },
    (_, at) => `\\u${unseen.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('');
}

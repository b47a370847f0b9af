/**
 * The most characters of an answer, or of one line of a stream. V8 limits strings to 2^29 - 24, and parsing takes
 * several times the memory of the text.
 */
export const maxTextLength = 2 ** 28;

/**
 * The answer, or one line of a stream, was too long to be read, and its connection was closed. A list in smaller pages
 * (`limit`) may succeed; caches do that automatically.
 */
export class TooLarge extends Error {
  /** In characters. */
  readonly most: number;
  /** `GET /api/v1/configmaps`. */
  readonly request: string | undefined;

  constructor(most: number, request?: string) {
    super(`the answer must be at most ${most.toLocaleString('en')} characters long, got more`);
    this.name = 'TooLarge';
    this.most = most;
    this.request = request;
  }
}

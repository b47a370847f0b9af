/**
 * Characters of an answer, or of one line of a stream. A string of V8 ends at 2^29 - 24, and what is read
 * of a text takes several times its memory.
 */
export const maxTextLength = 2 ** 28;

/**
 * The answer, or one line of a stream, was longer than one that is read: its connection is closed. A
 * list in smaller pages (`limit`) may be read; caches do that of themselves.
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

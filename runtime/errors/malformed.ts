import { show } from '../../kube/problem.ts';

/** What is known of a malformed answer. */
export interface MalformedContext {
  /** `GET /api/v1/namespaces/shop`. */
  readonly request?: string | undefined;
  /** The received text. */
  readonly text?: string | undefined;
  readonly cause?: unknown;
}

/**
 * The server or an intermediary answered what no API server answers: not JSON, not an object, or a line of a watch that
 * is not an event. The message shows its first characters.
 */
export class Malformed extends Error {
  readonly request: string | undefined;

  /** @param expected as in a message: `an event of a watch` */
  constructor(expected: string, { request, text, cause }: MalformedContext = {}) {
    super(
      `the answer must be ${expected}, got ${show(text)}`,
      cause === undefined ? {} : { cause },
    );
    this.name = 'Malformed';
    this.request = request;
  }
}

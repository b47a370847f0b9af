import { show } from '../../kube/problem.ts';

/** What is known of a malformed answer. */
export interface MalformedContext {
  /** `GET /api/v1/namespaces/shop`. */
  readonly request?: string | undefined;
  /** What was read. */
  readonly text?: string | undefined;
  readonly cause?: unknown;
}

/**
 * The server, or something in between, answered what no API server answers: no JSON, no object, a
 * line of a watch that is no event. The message shows the first characters of it.
 */
export class Malformed extends Error {
  readonly request: string | undefined;

  /** `expected` in the words of a message: `an event of a watch`. */
  constructor(expected: string, { request, text, cause }: MalformedContext = {}) {
    super(
      `the answer must be ${expected}, got ${show(text)}`,
      cause === undefined ? {} : { cause },
    );
    this.name = 'Malformed';
    this.request = request;
  }
}

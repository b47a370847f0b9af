import type { Priority } from './flow-control.ts';

/** Values that are undefined are left out. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** What is asked of an API server. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** '/api/v1/namespaces', each part encoded. */
  readonly path: string;
  readonly query?: Query | undefined;
  /** What it is about: `pods`, `deployments.apps/status`. @default - the path says it alone */
  readonly resource?: string | undefined;
  readonly body?: unknown;
  /** @default application/json */
  readonly contentType?: string | undefined;
  /** @default application/json */
  readonly accept?: string | undefined;
  /** @default call */
  readonly priority?: Priority | undefined;
  /** Done twice it does what it does once. @default - of GET */
  readonly isIdempotent?: boolean | undefined;
  /** Milliseconds from the call to the whole answer; of a stream, to its head. @default 30,000 */
  readonly timeout?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Asked when there is a connection, before anything is written to it; what it throws ends the call. */
  readonly permit?: (() => void) | undefined;
}

/** The call as errors and logs name it: `GET /api/v1/pods`. */
export function formatCall({ method, path }: Call): string {
  return `${method} ${path}`;
}

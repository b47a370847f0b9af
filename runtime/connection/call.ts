import type { Priority } from './flow-control.ts';

/** The parameters of a query; undefined values are omitted. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** A request to an API server. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** '/api/v1/namespaces', each part encoded. */
  readonly path: string;
  readonly query?: Query | undefined;
  /** The resource of the call: `pods`, `deployments.apps/status`. @default - only the path identifies it */
  readonly resource?: string | undefined;
  readonly body?: unknown;
  /** @default application/json */
  readonly contentType?: string | undefined;
  /** @default application/json */
  readonly accept?: string | undefined;
  /** @default call */
  readonly priority?: Priority | undefined;
  /** Whether repeating the call has no further effect. @default - true for GET */
  readonly isIdempotent?: boolean | undefined;
  /** Milliseconds from the call to the whole answer, or for a stream to its headers. @default 30,000 */
  readonly timeout?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /**
   * Called once there is a connection, before anything is written to it. If it throws, the call rejects with the error.
   */
  readonly permit?: (() => void) | undefined;
}

/** Formats the call for errors and logs: `GET /api/v1/pods`. */
export function formatCall({ method, path }: Call): string {
  return `${method} ${path}`;
}

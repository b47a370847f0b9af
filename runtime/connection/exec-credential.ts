import type { Authorization } from './connection.ts';

/** A credential from a program, and its expiry in milliseconds since 1970. */
export interface Credential extends Authorization {
  readonly until: number;
}

/** The fields of ExecCredential that are read. */
interface Fields {
  readonly apiVersion?: unknown;
  readonly kind?: unknown;
  readonly status?: {
    readonly token?: unknown;
    readonly clientCertificateData?: unknown;
    readonly clientKeyData?: unknown;
    readonly expirationTimestamp?: unknown;
  } | null;
}

/**
 * Parses the credential in the output of a program (client.authentication.k8s.io, ExecCredential): a token, a
 * certificate with its key, or both.
 * @throws {Error} if it is invalid; the message contains no part of it
 */
export function parseCredential(output: string, apiVersion: string): Credential {
  const { apiVersion: got, kind, status } = parseOutput(output);
  if (kind !== 'ExecCredential' || got !== apiVersion) {
    throw new Error(`the output must be an ExecCredential of ${apiVersion}, got something else`);
  }
  const { token, clientCertificateData: cert, clientKeyData: key } = status ?? {};
  const bearerToken = textOf(token)?.trim();
  const [certificate, ownKey] = [textOf(cert), textOf(key)];
  if ((certificate === undefined) !== (ownKey === undefined)) {
    throw new Error('status must have clientCertificateData and clientKeyData, got one of them');
  }
  if (bearerToken === undefined && certificate === undefined) {
    throw new Error('status must have a token, or a certificate with its key, got neither');
  }
  return {
    headers: { ...(bearerToken !== undefined && { authorization: `Bearer ${bearerToken}` }) },
    tls: { ...(certificate !== undefined && { cert: certificate, key: ownKey ?? '' }) },
    until: parseExpiration(status?.expirationTimestamp ?? undefined),
  };
}

function parseOutput(output: string): Fields {
  let read: unknown;
  try {
    read = JSON.parse(output);
  } catch {
    // The original message would quote the text.
    throw new Error('the output must be JSON, got something else');
  }
  return typeof read === 'object' && read !== null ? read : {};
}

/** Returns a text; undefined if it is absent. */
function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

function parseExpiration(expirationTimestamp: unknown): number {
  if (expirationTimestamp === undefined) return Infinity;
  const until = Date.parse(String(expirationTimestamp));
  if (!Number.isNaN(until)) return until;
  throw new Error('status.expirationTimestamp must be a time of RFC 3339, got something else');
}

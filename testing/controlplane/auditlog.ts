import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AuditedRequest } from '../access/accessuse.ts';

/** One entry of the audit log (audit.k8s.io/v1, Event), the fields that tests look at. */
export interface AuditEntry extends AuditedRequest {
  readonly user: { readonly username: string; readonly groups?: readonly string[] };
  readonly userAgent?: string;
  readonly requestURI: string;
  readonly objectRef?: NonNullable<AuditedRequest['objectRef']> & { readonly apiVersion?: string };
  readonly responseStatus?: {
    readonly code: number;
    readonly reason?: string;
    readonly message?: string;
  };
  /** What was sent; of writes only. */
  readonly requestObject?: unknown;
  readonly stage: string;
  readonly stageTimestamp: string;
  /** With microseconds. */
  readonly requestReceivedTimestamp: string;
}

/** All that the API server of the cluster in that folder has noted so far, the oldest first. */
export function auditEntries(folder: string): AuditEntry[] {
  const lines = readFileSync(join(folder, 'audit.log'), 'utf8').split('\n');
  return lines.slice(0, -1).map((line) => JSON.parse(line) as AuditEntry);
}

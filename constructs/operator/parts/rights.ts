import {
  certificateAccess,
  electionForLifeAccess,
  leaseElectionAccess,
  type AccessRule,
} from '../../../kube/access.ts';
import { usesOwnCertificates } from './certificates.ts';
import { namespaceOf, webhookName } from './names.ts';
import type { ImagelessSpec } from './spec.ts';
import { restrictToWatched, watchedNamespaces } from './watch.ts';
import { listCaBundleTargets } from './webhook-targets.ts';

/** What an operator may do, by what asks for it. */
export interface OperatorRights {
  /** What its controllers declare, held to what it watches. */
  readonly declared: readonly AccessRule[];
  /** What the election of a leader asks. */
  readonly election: readonly AccessRule[];
  /** What it needs to make certificates of its webhooks itself; OLM makes them for it. */
  readonly certificates: readonly AccessRule[];
}

export function resolveRights(spec: ImagelessSpec): OperatorRights {
  const watched = watchedNamespaces(spec);
  return {
    declared: spec.access.map((rule) => restrictToWatched(watched, rule, spec)),
    election: listElectionRights(spec),
    certificates: listCertificateRights(spec),
  };
}

function listElectionRights(spec: ImagelessSpec): readonly AccessRule[] {
  const lease = { name: spec.name, namespace: namespaceOf(spec) };
  switch (spec.leaderElection ?? 'Lease') {
    case 'Lease':
      return leaseElectionAccess(lease);
    case 'ForLife':
      return electionForLifeAccess(lease);
    case 'None':
      return [];
  }
}

function listCertificateRights(spec: ImagelessSpec): readonly AccessRule[] {
  if (!spec.webhooks || !usesOwnCertificates(spec.webhooks)) return [];
  return certificateAccess({
    secret: { name: webhookName(spec), namespace: namespaceOf(spec) },
    targets: listCaBundleTargets(spec),
    mayCreate: false,
  });
}

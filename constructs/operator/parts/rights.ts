import {
  certificateAccess,
  electionForLifeAccess,
  leaseElectionAccess,
  type AccessRule,
} from '../../../kube/access.ts';
import { usesOwnCertificates, listCaBundleTargets } from './certificates.ts';
import { namespaceOf, webhookName } from './names.ts';
import type { ImagelessSpec } from './spec.ts';
import { restrictToWatched, watchedNamespaces } from './watch.ts';

/** The rights of an operator, by purpose. */
export interface OperatorRights {
  /** The access of its controllers, restricted to the namespaces that it watches. */
  readonly declared: readonly AccessRule[];
  /** The rights for the leader election. */
  readonly election: readonly AccessRule[];
  /** The rights to make the certificates of its webhooks itself. With OLM it needs none, because OLM makes them. */
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

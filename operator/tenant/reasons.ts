/** All reasons of the conditions of a Tenant, with their meaning (docs/operator.md contains the same table). */
export const reasons = {
  AsDeclared: 'Everything is as declared.',
  Drifted: 'Something differs from the declaration; see `status.drift`.',
  UndeclaredAccess:
    'Somebody granted access by hand that the tenant’s users may not grant; see `status.undeclared`.',
  Undeclared:
    'Somebody created an object by hand that grants no such access; see `status.undeclared`.',
  NotObserved:
    'A kind cannot be listed or watched, or an object cannot be read, so its state is not known; see the message.',
  NotRead:
    'Declared objects cannot be compared: their kind is not on the cluster, the operator may not read it, or they are nested too deep.',
  NotCompared:
    'The tenant could not be compared; see the message. The rest of the status is the last known state.',
  RollingOut:
    'The declaration changed a short while ago, and the cluster still matches the earlier one.',
  Refused:
    'The Tenant breaks a rule, or its class cannot be used, so nothing is compared; see the message.',
  NamespaceTaken: 'Another Tenant has a namespace that this one names, so nothing is compared.',
  NotDeclaredHere: 'None of its namespaces is for this cluster.',
  NamespaceTerminating: 'A namespace is being deleted, and waits for something.',
  Leaving: 'The Tenant is being deleted, and the operator still runs its finalizer tasks.',
  FinalizersRemain:
    'The Tenant is being deleted, and finalizers of others keep it; the message names them.',
  HealRefused:
    'The API server refuses to heal an object; the message contains its error. The operator retries with backoff.',
  MayNotBind:
    'A class allows a ClusterRole that the operator’s role does not name yet: render and apply the operator again.',
  ChangedOnWrite:
    'Something, such as a webhook, changes what the operator writes. The operator does not write it again.',
  Fought:
    'Somebody repeatedly reverts what the operator heals; the operator leaves the object alone for a while.',
  NamespaceNotOurs:
    'A namespace that it names exists and does not belong to the tenant, so nothing is written in it.',
  QuotaWaits:
    'A quota is raised once others are lowered, or once the namespace that holds its part of the total is gone.',
  AccessRemains:
    'A role binding made by hand gives access in a Suspended or Retired namespace, and `driftPolicy` is not `Heal`; the message names the binding and the subjects.',
  Cordoned: 'The Tenant is cordoned: the operator leaves it alone.',
} as const;

/** One of the `reasons`. */
export type Reason = keyof typeof reasons;

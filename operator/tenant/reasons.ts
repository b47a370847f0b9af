/**
 * Why a condition is what it is: all of the words that a status of a Tenant may have, and what they mean
 * (docs/operator.md has them as a table).
 */
export const reasons = {
  AsDeclared: 'The cluster is what is declared.',
  Drifted: 'Something differs from what is declared; `status.drift` says what.',
  UndeclaredAccess:
    'Somebody gave access by hand that the users of the tenant may not give; `status.undeclared` says which.',
  Undeclared:
    'Somebody made something by hand that gives no such access; `status.undeclared` says what.',
  NotObserved:
    'A kind cannot be listed or watched, or an object cannot be read: what happens to it is not known. The message says why.',
  NotRead:
    'Declared objects cannot be compared: their kind is not on the cluster, the operator may not read it, or they are nested too deep.',
  NotCompared:
    'The tenant could not be compared; the message says why. The rest of the status is what was known before.',
  RollingOut:
    'The declaration has changed a short while ago, and the cluster is still as it was declared before.',
  Refused:
    'The Tenant breaks a rule, or its class cannot be used: nothing is compared. The message says which.',
  NamespaceTaken: 'Another Tenant has a namespace that this one names: nothing is compared.',
  NotDeclaredHere: 'None of its namespaces is for this cluster.',
  NamespaceTerminating: 'A namespace is being deleted, and waits for something.',
  Leaving: 'The Tenant is being deleted, and the operator has something to do before it goes.',
  FinalizersRemain:
    'The Tenant is being deleted, and finalizers of others keep it: the message names them.',
  HealRefused:
    'The API server refuses what would heal an object; the message has its words. It is tried again, ever more seldom.',
  MayNotBind:
    'A class allows a ClusterRole that the operator’s role does not name yet: render and apply the operator again.',
  ChangedOnWrite:
    'What the operator writes is changed as it is written, by a webhook for one: it is not fought.',
  Fought:
    'Somebody changes back what the operator heals, again and again: it is left alone for a while.',
  NamespaceNotOurs:
    'A namespace that it names is there, and not the tenant’s: nothing is written in it.',
  QuotaWaits:
    'A quota is raised only when others are lowered, or the namespace is gone that holds its part of the total.',
  AccessRemains:
    'A role binding made by hand gives access in a Suspended or Retired namespace, and `driftPolicy` is not `Heal`: the message names binding and subjects.',
  Cordoned: 'The Tenant is cordoned: the operator leaves it alone.',
} as const;

/** One of them. */
export type Reason = keyof typeof reasons;

/** Why something is not healed: the words that a condition has for it. */
export type HealReason =
  | 'HealRefused'
  | 'MayNotBind'
  | 'ChangedOnWrite'
  | 'Fought'
  | 'NamespaceNotOurs'
  | 'QuotaWaits'
  | 'AccessRemains';

/** Something that the operator would heal, and does not. */
export interface Problem {
  readonly reason: HealReason;
  /** With the object that it is about. */
  readonly message: string;
}

/** Why an object is not healed, as a reason of a condition. */
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
  /** Includes the name of the object. */
  readonly message: string;
}

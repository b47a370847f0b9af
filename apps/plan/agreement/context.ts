import type { Approval } from '../../../model/approval.ts';
import type { JudgedChange } from '../change.ts';
import type { ClusterChange } from '../cluster-changes.ts';
import type { FleetFacts } from './fleet-facts.ts';
import type { TrustedPeers } from './trusted-peers.ts';
import type { Verdict } from '../verdict.ts';

/** What decides about the changes of a cluster. */
export interface AgreementContext {
  readonly approval: Approval;
  readonly change: ClusterChange;
  readonly facts: FleetFacts;
  readonly trusted: TrustedPeers;
  /** The annotations that are for people, and of which no program takes notice. */
  readonly contacts: ReadonlySet<string>;
}

/** Decides about a change of some rules. */
export type Decide = (change: JudgedChange, context: AgreementContext) => Verdict;

/** The decisions about the changes of one area, by the id of the plan rule. */
export type Decisions = Readonly<Record<string, Decide>>;

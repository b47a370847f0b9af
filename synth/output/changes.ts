/** What an output changed, or would change. Paths are relative, sorted by code units. */
export interface Changes {
  /** `added` and `changed` together. */
  readonly written: readonly string[];
  readonly added: readonly string[];
  readonly changed: readonly string[];
  /** Files of ours that are no longer part of the output. */
  readonly removed: readonly string[];
  /** How many files were left as they are. */
  readonly unchanged: number;
  /** Files of others that stand in the way; only a comparison reports them, a write throws. */
  readonly foreign: readonly string[];
  /** A write was interrupted and awaits its completion; only a comparison finds that. */
  readonly interrupted: boolean;
}

/** Whether the folder is what the output says, so that nothing is to be done. */
export function isUpToDate(changes: Changes): boolean {
  const { written, removed, foreign, interrupted } = changes;
  return written.length + removed.length + foreign.length === 0 && !interrupted;
}

/** What an output changed, or would change. Paths are relative, sorted by code units. */
export interface OutputChanges {
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
  /**
   * What stands where only the output may, and is no part of it: files, links, and folders that
   * hold nothing (these end in `/`). A write leaves them where they are.
   */
  readonly strangers: readonly string[];
  /** A writer was killed in its swap, which explains differences; only a comparison finds that. */
  readonly interrupted: boolean;
}

/** Whether the folder is what the output says, so that nothing is to be done. */
export function isUpToDate({ written, removed, foreign, strangers }: OutputChanges): boolean {
  return written.length + removed.length + foreign.length + strangers.length === 0;
}

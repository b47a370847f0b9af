/** The changes of an output, made or predicted. Paths are relative and sorted by code units. */
export interface OutputChanges {
  /** `added` and `changed` together. */
  readonly written: readonly string[];
  readonly added: readonly string[];
  readonly changed: readonly string[];
  /** Files that Tenantry rendered and that are no longer part of the output. */
  readonly removed: readonly string[];
  /** The number of files that are unchanged. */
  readonly unchanged: number;
  /** Foreign files in the place of output files. Only a comparison reports them; a write throws. */
  readonly foreign: readonly string[];
  /**
   * Unexpected entries where only the output may be: files, links, and empty folders, which end in
   * `/`. A write leaves them where they are.
   */
  readonly unexpected: readonly string[];
  /**
   * Whether a writer was killed during its swap, which explains differences. Only a comparison
   * reports it.
   */
  readonly interrupted: boolean;
}

/** Whether the folder equals the output, so that nothing is to be done. */
export function isUpToDate({ written, removed, foreign, unexpected }: OutputChanges): boolean {
  return written.length + removed.length + foreign.length + unexpected.length === 0;
}

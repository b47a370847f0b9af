/** Reports that files could not be written; the folder is unchanged. The reason is the `cause`. */
export class OutputNotWritten extends Error {
  override readonly name = 'OutputNotWritten';

  constructor(output: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`${output} could not be written and is as it was before: ${reason}`, { cause });
  }
}

/** Converts errors of the file system to `OutputNotWritten`. Other errors are clear enough. */
export function withWriteErrors<T>(output: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    const ofSystem = typeof error === 'object' && error !== null && 'syscall' in error;
    throw ofSystem ? new OutputNotWritten(output, error) : error;
  }
}

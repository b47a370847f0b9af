/** The files could not be written; the folder is as it was. The reason is the `cause`. */
export class OutputNotWritten extends Error {
  override readonly name = 'OutputNotWritten';

  constructor(output: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`${output} could not be written and is as it was before: ${reason}`, { cause });
  }
}

/** Errors of the file system become `OutputNotWritten`; all others say enough themselves. */
export function withWriteErrors<T>(output: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    const ofSystem = typeof error === 'object' && error !== null && 'syscall' in error;
    throw ofSystem ? new OutputNotWritten(output, error) : error;
  }
}

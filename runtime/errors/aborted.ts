/** Whether the error was caused by the signal: it is its reason, or the error of a call that it ended. */
export function isAborted(error: unknown, { aborted, reason }: AbortSignal): boolean {
  return aborted && (error === reason || nameOf(error) === 'AbortError');
}

/** Errors of Node itself, such as DOMException, need not be instances of this program's Error. */
function nameOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'name' in error ? error.name : undefined;
}

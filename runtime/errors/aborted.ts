/** Whether the error came of the signal: its reason, or what calls throw that it ended. */
export function isAborted(error: unknown, { aborted, reason }: AbortSignal): boolean {
  return aborted && (error === reason || nameOf(error) === 'AbortError');
}

/** Errors of Node's own, such as DOMException, need not be instances of this program's Error. */
function nameOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'name' in error ? error.name : undefined;
}

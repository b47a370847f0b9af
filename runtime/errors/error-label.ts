/**
 * Returns one of few words for an error, as a label of metrics: `ECONNREFUSED`, `ERR_MODULE_NOT_FOUND`, or else the
 * name of its class. Errors of Node itself need not be instances of this program's Error.
 */
export function errorLabel(error: unknown): string {
  if (typeof error !== 'object' || error === null) return 'other';
  const { code, name } = error as { readonly code?: unknown; readonly name?: unknown };
  return [code, name].find((word) => typeof word === 'string') ?? 'other';
}

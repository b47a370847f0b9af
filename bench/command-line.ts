/** Shared functions for the command lines of benchmarks. */

/** @throws {Error} when it is not a positive whole number */
export function positive(option: string, text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new Error(`${option} must be a number above 0, got '${text}'`);
}

/**
 * Parses `--only`, to be spread into options: nothing where it is absent.
 * @throws {Error} for an unknown name
 */
export function parseOnly(
  text: string | undefined,
  names: readonly string[],
): { readonly only?: ReadonlySet<string> } {
  const only = text?.split(',');
  const unknown = only?.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw new Error(`--only must be some of ${names.join(', ')}, got '${unknown}'`);
  }
  return only ? { only: new Set(only) } : {};
}

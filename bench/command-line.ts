/** What command lines of benchmarks have in common. */

/** @throws {Error} when it is none */
export function positive(option: string, text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new Error(`${option} must be a number above 0, got '${text}'`);
}

/**
 * What `--only` names, to be spread into options: nothing where it was not said.
 * @throws {Error} for what is not among the names
 */
export function onlyOf(
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

/** Formats a field name for people: `minReadySeconds` becomes `Min Ready Seconds`, `podIP` becomes `Pod IP`. */
export function displayName(name: string): string {
  const words = name
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[-_]/g, ' ')
    .split(' ')
    .filter((word) => word !== '');
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ');
}

/** Words that CEL reserves. */
const reserved = new Set(
  (
    'true false null in as break const continue else for function if import let loop package ' +
    'namespace return var void while'
  ).split(' '),
);

const written: Readonly<Record<string, string>> = {
  __: '__underscores__',
  '.': '__dot__',
  '-': '__dash__',
  '/': '__slash__',
};

/**
 * Returns the name of a property in the CEL rules of a CustomResourceDefinition: `self.max__dash__size` for `max-size`.
 * Returns undefined if rules cannot name it.
 *
 * Source: https://kubernetes.io/docs/reference/using-api/cel/#escaping
 */
export function celName(property: string): string | undefined {
  if (!/^[A-Za-z_./-][A-Za-z0-9_./-]*$/.test(property)) return undefined;
  if (reserved.has(property)) return `__${property}__`;
  return property.replaceAll(/__|[./-]/g, (part) => written[part]!);
}

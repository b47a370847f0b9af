/**
 * What the image of a bundle is built from, in the folder in which it lies.
 * @param labels what the image says of itself: the annotations of the bundle
 * @param folders what is copied into it, each to its own place
 */
export function bundleImageFile(
  labels: Readonly<Record<string, string>>,
  folders: readonly string[],
): string {
  const labelLines = Object.entries(labels).map(
    ([key, value]) => `LABEL ${word(key)}=${word(value)}`,
  );
  const copies = folders.map((folder) => `COPY ${folder} /${folder}/`);
  return ['FROM scratch', '', ...labelLines, '', ...copies, ''].join('\n');
}

/** As Docker reads a word: in quotes where it is not plain. */
function word(text: string): string {
  if (/^[\w./,+:@-]+$/.test(text)) return text;
  return `"${text.replaceAll(/["\\$]/g, String.raw`\$&`).replaceAll(/[\r\n]+/g, ' ')}"`;
}

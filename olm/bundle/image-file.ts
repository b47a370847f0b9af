/**
 * Renders the file from which the image of a bundle is built, for the folder that contains it.
 * @param labels the labels of the image: the annotations of the bundle
 * @param folders the folders that are copied into it, each to the same place
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

/** Quotes a word for Docker if it is not plain. */
function word(text: string): string {
  if (/^[\w./,+:@-]+$/.test(text)) return text;
  return `"${text.replaceAll(/["\\$]/g, String.raw`\$&`).replaceAll(/[\r\n]+/g, ' ')}"`;
}

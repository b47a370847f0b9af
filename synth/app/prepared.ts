import type { PreparedUnit, Unit } from '../files.ts';
import { ManifestValidator } from '../manifests/manifests.ts';
import { contentHash } from '../output/stat-index.ts';

/**
 * Makes a unit ready where nothing else of the output is known, such as in a worker.
 * @returns undefined for one without a key, and for one with which something is wrong: `Sink.add` tells it
 */
export function prepareUnit({
  id,
  key,
  origin,
  files,
  namespaces,
  facts,
}: Unit): PreparedUnit | undefined {
  if (key === undefined) return undefined;
  const manifests = new ManifestValidator();
  const texts: string[] = [];
  const written: [string, string][] = [];
  for (const { path, content } of files) {
    const text =
      typeof content === 'string'
        ? manifests.validateText(path, content, id, origin)
        : manifests.renderObjects(path, content, () => id, { canonical: true, origin });
    if (text === undefined) return undefined;
    texts.push(text);
    written.push([path, contentHash(text)]);
  }
  if (manifests.problems.length > 0) return undefined;
  const { objects, holders } = manifests;
  const record = { id, files: written, objects, namespaces, holders, facts: facts ?? null };
  return { key, record, texts };
}

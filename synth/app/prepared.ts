import type { PreparedUnit, Unit } from '../files.ts';
import { ManifestValidator } from '../manifests/manifests.ts';
import { contentHash } from '../output/stat-index.ts';

/**
 * Prepares a unit without knowledge of the rest of the output, such as in a worker.
 * @returns undefined for a unit without a key or with a problem, which `Sink.add` then reports
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

import { validateDocumentMetadata, validateDocument } from '@tenantry/kube/document';
import { errorAt, toProblem, type Finding } from '@tenantry/kube/finding';
import { isMapping } from '@tenantry/kube/mapping';
import type { KubeObject } from '@tenantry/kube/object';
import type { Path, Problem } from '@tenantry/kube/problem';
import { readDocuments, type Position } from '@tenantry/kube/yaml/read';
import { isDefinition, type ManifestObject } from './placed-objects.ts';

/** Which objects of manifests are read: all, or only definitions. */
export type ManifestFilter = 'all' | 'definitions';

/** The objects of a text, and its problems. */
interface ReadObjects {
  readonly objects: readonly ManifestObject[];
  readonly problems: readonly Problem[];
}

/** Parses the objects of a text of YAML or JSON. A List is replaced by its items. */
export function parseManifests(file: string, text: string, wanted: ManifestFilter): ReadObjects {
  const { documents, problems: unread } = readDocuments(text);
  const problems: Problem[] = unread.map((one) => ({ file, path: '', rule: 'yaml', ...one }));
  const objects: ManifestObject[] = [];
  for (const document of documents) {
    for (const [value, path] of listItems(document.value)) {
      if (wanted === 'definitions' && !isDefinition(value)) continue;
      const finding = findFault(value);
      const position = (within: Path): Position => document.positionAt([...path, ...within]);
      if (finding) problems.push(toProblem(finding, { file, ...position(finding.path) }));
      else objects.push({ object: value as KubeObject, file, ...position([]) });
    }
  }
  return { objects, problems };
}

/** Returns the items of a List, which kubectl prints and applies; otherwise the value itself. */
function listItems(value: unknown): [value: unknown, path: Path][] {
  if (isMapping(value) && value['kind'] === 'List' && Array.isArray(value['items'])) {
    return value['items'].map((item: unknown, at) => [item, ['items', at]]);
  }
  return [[value, []]];
}

function findFault(value: unknown): Finding | undefined {
  const refusal = validateDocument(value);
  if (refusal) return refusal;
  const { kind, metadata } = value as KubeObject;
  if (kind === 'ClusterServiceVersion') {
    const message =
      'must be applied by OLM, got a ClusterServiceVersion: give its bundle to tenantry bundle run';
    return errorAt(['kind'], message, 'install');
  }
  return validateDocumentMetadata(metadata as Readonly<Record<string, unknown>>);
}

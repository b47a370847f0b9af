import { errorAt, warningAt, type Finding } from '@tenantry/kube/finding';
import { isMapping } from '@tenantry/kube/mapping';
import { show, type Path } from '@tenantry/kube/problem';
import type {
  BundleAnnotations,
  BundleDocument,
  BundleFinding,
  BundleProperty,
  ImageLabels,
} from './bundle.ts';

/** The metadata of a bundle, which is everything besides its manifests. */
interface BundleMetadata {
  readonly annotations: BundleAnnotations;
  readonly dependencies: readonly BundleProperty[];
  readonly properties: readonly BundleProperty[];
  readonly faults: readonly BundleFinding[];
}

/**
 * Reads the metadata of a bundle from the documents of its metadata folder. The fields of a document determine what it
 * is, not the name of its file.
 * @param documents the documents, those of annotations.yaml first
 * @param labels the labels that replace the annotations if there are none
 */
export function readBundleMetadata(
  documents: readonly BundleDocument[],
  labels: ImageLabels | undefined,
): BundleMetadata {
  const faults: BundleFinding[] = [];
  const annotated = documents.find(
    ({ value }) => isMapping(value) && isMapping(value['annotations']),
  );
  return {
    annotations: annotated
      ? { document: annotated, values: readAnnotations(annotated, faults) }
      : { values: labels?.values ?? {} },
    dependencies: readEntries(documents, 'dependencies', faults),
    properties: readEntries(documents, 'properties', faults),
    faults,
  };
}

function readAnnotations(
  document: BundleDocument,
  faults: BundleFinding[],
): Record<string, string> {
  const { value } = document;
  const annotations = isMapping(value) ? value['annotations'] : undefined;
  if (!isMapping(annotations)) return {};
  const texts = Object.entries(annotations).flatMap(([key, value]) => {
    if (typeof value === 'string') return [[key, value] as const];
    const message = `must be a string, got ${show(value)}`;
    const isScalar = typeof value === 'number' || typeof value === 'boolean';
    const buildFinding = isScalar ? warningAt : errorAt;
    faults.push(inside(document, buildFinding(['annotations', key], message, 'annotation-value')));
    return isScalar ? [[key, String(value)] as const] : [];
  });
  return Object.fromEntries(texts);
}

function readEntries(
  documents: readonly BundleDocument[],
  field: 'dependencies' | 'properties',
  faults: BundleFinding[],
): BundleProperty[] {
  return documents.flatMap((document) => {
    const entries = isMapping(document.value) ? document.value[field] : undefined;
    if (entries === undefined || entries === null) return [];
    const fault = (path: Path, message: string): BundleProperty[] => {
      faults.push(inside(document, errorAt(path, message, 'property')));
      return [];
    };
    if (!Array.isArray(entries)) return fault([field], `must be a list, got ${show(entries)}`);
    return entries.flatMap((entry: unknown, i): BundleProperty[] => {
      const path = [field, i];
      if (!isMapping(entry)) return fault(path, `must be a mapping, got ${show(entry)}`);
      const { type, value } = entry;
      if (typeof type === 'string') return [{ type, value, document, path }];
      return fault([...path, 'type'], `must be a type such as 'olm.package', got ${show(type)}`);
    });
  });
}

function inside({ file, index }: BundleDocument, finding: Finding): BundleFinding {
  return { ...finding, file, document: index };
}

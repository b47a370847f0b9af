import { validateDocumentMetadata, validateDocument } from '../../kube/document.ts';
import { errorAt, toProblem, type Finding } from '../../kube/finding.ts';
import type { KubeObject } from '../../kube/object.ts';
import type { Problem } from '../../kube/problem.ts';
import { NO_SKIP_MARKER, hasSkipMarker } from '../../kube/argocd-skip-marker.ts';
import { Lines, readDocuments } from '../../kube/yaml/read.ts';
import { findAmbiguousYaml } from '../../kube/yaml/plain.ts';

/** An object of a text, and its line. */
export interface WrittenObject {
  readonly object: KubeObject;
  readonly line: number;
}

/**
 * Reads the objects of a text from a stock cdk8s app or a Source. Content that readers could
 * interpret differently is a problem with its place. So are comments that instruct tools to change
 * a file, and comments without an object.
 */
export function parseManifests(
  file: string,
  text: string,
): { objects: readonly WrittenObject[]; problems: readonly Problem[] } {
  const { documents, problems: broken } = readDocuments(text);
  const problems = broken.map(({ message, ...position }) =>
    toProblem(errorAt([], message, 'yaml'), { file, ...position }),
  );
  const lines = new Lines(text);
  const at = (offset: number, message: string, rule: string): void => {
    problems.push(toProblem(errorAt([], message, rule), { file, ...lines.positionOf(offset) }));
  };
  if (problems.length === 0) checkText(text, at);
  const objects: WrittenObject[] = [];
  for (const document of documents) {
    const refusal = validateObject(document.value);
    if (refusal) {
      problems.push(toProblem(refusal, { file, ...document.positionAt(refusal.path) }));
    } else {
      const { line } = document.positionAt([]);
      objects.push({ object: document.value as KubeObject, line });
    }
  }
  return { objects, problems };
}

/** Returns the reason why a value is not the same single object to every reader. */
export function validateObject(value: unknown): Finding | undefined {
  return validateDocument(value) ?? validateDocumentMetadata((value as KubeObject).metadata);
}

type Report = (offset: number, message: string, rule: string) => void;

function checkText(text: string, report: Report): void {
  const marker = text.split('\n').findIndex(hasSkipMarker);
  if (marker >= 0) {
    const before = text.split('\n', marker).join('\n');
    report(marker === 0 ? 0 : before.length + 1, NO_SKIP_MARKER, 'steering-text');
    return;
  }
  const found = findAmbiguousYaml(text);
  if (found) report(found.offset, found.message, 'document');
}

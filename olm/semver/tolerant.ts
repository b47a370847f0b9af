import { trimSpace } from '../../kube/names.ts';
import { parseTolerantVersion, type Version } from '../../kube/semver.ts';

/** Reads a version as OLM reads `spec.version`: white space around it is none of it. */
export function parseOlmVersion(text: string): Version | undefined {
  return parseTolerantVersion(trimSpace(text));
}

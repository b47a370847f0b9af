import { trimSpace } from '../../kube/names.ts';
import { parseTolerantVersion, type Version } from '../../kube/semver.ts';

/** Parses a version as OLM parses `spec.version`, without surrounding white space. */
export function parseOlmVersion(text: string): Version | undefined {
  return parseTolerantVersion(trimSpace(text));
}

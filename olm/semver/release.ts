import { isIdentifier } from '../../kube/semver.ts';

/** The maximum length of a release, in characters. */
const LONGEST_RELEASE = 20;

/** Whether a text is the release of a bundle: identifiers as in a prerelease. */
export function isRelease(text: string): boolean {
  return text.length <= LONGEST_RELEASE && text.split('.').every(isIdentifier);
}

export const A_RELEASE =
  "identifiers with '.' between, of letters, digits and '-', without zeros before a number, at most 20 characters";

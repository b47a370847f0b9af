import { trimSpace } from '@tenantry/kube/names';
import {
  parseTolerantVersion,
  isIdentifier,
  type Version,
  compareVersions,
  parseVersion,
} from '@tenantry/kube/semver';

/** Parses a version as OLM parses `spec.version`, without surrounding white space. */
export function parseOlmVersion(text: string): Version | undefined {
  return parseTolerantVersion(trimSpace(text));
}

/** Formats a version as semver.org defines it: `1.2.3-rc.1+42`. */
export function formatVersion({ major, minor, patch, prerelease, build }: Version): string {
  const before = prerelease.length === 0 ? '' : `-${prerelease.join('.')}`;
  const after = build.length === 0 ? '' : `+${build.join('.')}`;
  return `${major}.${minor}.${patch}${before}${after}`;
}

/** The maximum length of a release, in characters. */
const MAX_RELEASE_LENGTH = 20;

/** Whether a text is the release of a bundle: identifiers as in a prerelease. */
export function isRelease(text: string): boolean {
  return text.length <= MAX_RELEASE_LENGTH && text.split('.').every(isIdentifier);
}

export const A_RELEASE =
  "identifiers with '.' between, of letters, digits and '-', without zeros before a number, at most 20 characters";

/** Reports whether a version is in a range. */
type Range = (version: Version) => boolean;

export const A_RANGE = "a range of versions such as '>=1.0.0 <1.2.0'";

/**
 * Parses a range as OLM does: comparisons that must all be true, in groups separated by two vertical bars, of which one
 * must be true. Operators are `<1.2.0`, `<=`, `>`, `>=`, `!=` or `!`, and `=`, `==` or none; `x` can
 * replace a number: `1.2.x`. Returns undefined if the text is not a range; an empty text is none.
 *
 * Source: https://github.com/blang/semver/tree/v4.0.0/v4#ranges
 */
export function parseRange(text: string): Range | undefined {
  const groups = groupParts(splitParts(text));
  const read = groups?.map((group) => group.flatMap(expandWildcard).map(parseComparison));
  if (!read || read.flat().includes(undefined)) return undefined;
  const ranges = read.map((group) => group.filter((one) => one !== undefined));
  return (version) => ranges.some((all) => all.length > 0 && all.every((holds) => holds(version)));
}

/** Splits at spaces; a space after `<`, `>` or `=` belongs to the comparison. */
function splitParts(text: string): string[] {
  const parts: string[] = [];
  let start = 0;
  let last = '';
  for (let i = 0; i < text.length; i += 1) {
    const character = text[i]!;
    if (character !== ' ') last = character;
    else if (!'<>='.includes(last) || last === '') {
      // OLM ignores single characters.
      if (start < i - 1) parts.push(text.slice(start, i));
      start = i + 1;
    }
  }
  if (start < text.length - 1) parts.push(text.slice(start));
  return parts.map((part) => part.replaceAll(' ', ''));
}

function groupParts(parts: readonly string[]): string[][] | undefined {
  if (parts.length === 0 || parts[0] === '||' || parts.at(-1) === '||') return undefined;
  const groups: string[][] = [[]];
  for (const part of parts) {
    if (part === '||') groups.push([]);
    else groups.at(-1)!.push(part);
  }
  return groups;
}

/** Splits a comparison into the operator and the rest from its first digit. */
function split(part: string): readonly [operator: string, version: string] | undefined {
  const digit = part.search(/\p{Nd}/u);
  return digit < 0 ? undefined : [part.slice(0, digit).trim(), part.slice(digit)];
}

/** Expands `1.2.x` into comparisons. The empty text is a comparison that no version satisfies. */
function expandWildcard(part: string): string[] {
  if (!part.includes('x')) return [part];
  const [operator, version] = split(part) ?? [];
  if (operator === undefined || version === undefined) return [''];
  const first = lowestMatch(version);
  const next = computeNextVersion(version, first);
  switch (operator) {
    case '':
    case '=':
    case '==':
      return [`>=${first}`, `<${next}`];
    case '!':
    case '!=':
      return [`<${first}`, `>=${next}`];
    case '>':
      return [`>=${next}`];
    case '<=':
      return [`<${next}`];
    case '<':
    case '>=':
      return [`${operator}${first}`];
    default:
      return [first];
  }
}

/** Returns the first version that a wildcard matches. */
function lowestMatch(wildcard: string): string {
  const flat = wildcard.replace('.x.x', '.x').replace('.x', '.0');
  return flat.split('.').length === 2 ? `${flat}.0` : flat;
}

/** Returns the first version after all that a wildcard matches; empty if `x` is not its last part. */
function computeNextVersion(wildcard: string, first: string): string {
  const parts = wildcard.split('.');
  const raised = parts.at(-1) === 'x' ? parts.length - 2 : -1;
  if (raised !== 0 && raised !== 1) return '';
  const numbers = first.split('.');
  if (!/^\d+$/.test(numbers[raised]!)) return '';
  return numbers.with(raised, String(BigInt(numbers[raised]!) + 1n)).join('.');
}

const comparisons: ReadonlyMap<string, (order: number) => boolean> = new Map([
  ['', (order) => order === 0],
  ['=', (order) => order === 0],
  ['==', (order) => order === 0],
  ['!', (order) => order !== 0],
  ['!=', (order) => order !== 0],
  ['>', (order) => order > 0],
  ['>=', (order) => order >= 0],
  ['<', (order) => order < 0],
  ['<=', (order) => order <= 0],
]);

function parseComparison(part: string): Range | undefined {
  const [operator, text] = split(part) ?? [];
  const compare = operator === undefined ? undefined : comparisons.get(operator);
  const bound = text === undefined ? undefined : parseVersion(text);
  return compare && bound && ((version) => compare(compareVersions(version, bound)));
}

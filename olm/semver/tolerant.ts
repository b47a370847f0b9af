import { trimSpace } from '../../kube/names.ts';
import { parseVersion, type Version } from './version.ts';

/**
 * Reads a version that is not written as semver.org wants it, as OLM reads `spec.version`: white space
 * around it, a leading `v`, zeros before a number, and numbers that are left out (`1.2` is `1.2.0`).
 *
 * Source: ParseTolerant of github.com/blang/semver/v4
 */
export function parseTolerantVersion(text: string): Version | undefined {
  const [major = '', minor, ...rest] = trimSpace(text).replace(/^v/, '').split('.');
  const parts = [major, ...(minor === undefined ? [] : [minor])];
  if (rest.length > 0) parts.push(rest.join('.'));
  const whole = [...parts.map(withoutZeros), '0', '0'].slice(0, Math.max(3, parts.length));
  return parseVersion(whole.join('.'));
}

function withoutZeros(part: string): string {
  if (part.length < 2) return part;
  const rest = part.replace(/^0+/, '');
  return /^\d/.test(rest) ? rest : `0${rest}`;
}

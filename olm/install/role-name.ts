import { createHash } from 'node:crypto';
import type { StrategyRule } from '../bundle/csv/types.ts';

/** The maximum length of a role name that OLM v1 creates, in characters. */
const LONGEST = 63;

/** The permissions of a ClusterServiceVersion that become a role. */
export interface GrantedRules {
  readonly serviceAccountName?: string;
  readonly rules?: readonly Partial<StrategyRule>[];
}

/**
 * Computes the name of the ClusterRole, and of its binding, that OLM v1 creates for rules of a bundle. It consists of
 * the names of the ClusterServiceVersion and the account, truncated if they are too long, and a hash of the rules. The
 * name is therefore known before the bundle is installed.
 *
 * Source: operator-controller v1.0 to v1.11, rukpak/render and util/hash
 */
export function roleName(bundle: string, granted: GrantedRules): string {
  const account = granted.serviceAccountName || 'default';
  return cutName(`${bundle}-${account}`, hashOf(granted));
}

/** Appends a suffix to a name, which is truncated to at most 63 characters as OLM v1 does. */
export function cutName(base: string, suffix: string): string {
  const room = LONGEST - suffix.length - 1;
  return `${base.length + suffix.length > LONGEST ? base.slice(0, room) : base}-${suffix}`;
}

/** Computes SHA-224 of the rules in Go's JSON form, in base 36. */
function hashOf({ serviceAccountName = '', rules }: GrantedRules): string {
  const written = JSON.stringify({
    serviceAccountName,
    rules: rules === undefined ? null : rules.map(asGo),
  }).replaceAll(/[<>&\u2028\u2029]/g, escaped);
  const digest = createHash('sha224').update(`${written}\n`).digest('hex');
  return BigInt(`0x${digest}`).toString(36);
}

/** Orders the fields as Go's struct does, without empty lists. */
function asGo(rule: Partial<StrategyRule>): object {
  const { verbs = null, apiGroups, resources, resourceNames, nonResourceURLs } = rule;
  const lists = { apiGroups, resources, resourceNames, nonResourceURLs };
  const nonEmpty = Object.entries(lists).filter(
    ([, list]) => list !== undefined && list.length > 0,
  );
  return { verbs, ...Object.fromEntries(nonEmpty) };
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

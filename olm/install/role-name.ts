import { createHash } from 'node:crypto';
import type { StrategyRule } from '../bundle/csv/types.ts';

/** Longest name of a role that OLM v1 makes, in characters. */
const LONGEST = 63;

/** What of a ClusterServiceVersion becomes a role. */
export interface GrantedRules {
  readonly serviceAccountName?: string;
  readonly rules?: readonly Partial<StrategyRule>[];
}

/**
 * The name of the ClusterRole, and of its binding, that OLM v1 makes for rules of a bundle: that of the
 * ClusterServiceVersion and the account, cut where it is too long, and a hash of what is granted. So it is known
 * before the bundle is installed.
 *
 * Source: operator-controller v1.0 to v1.11, rukpak/render and util/hash
 */
export function roleName(bundle: string, granted: GrantedRules): string {
  const account = granted.serviceAccountName || 'default';
  return cutName(`${bundle}-${account}`, hashOf(granted));
}

/** A name with something behind it, of at most 63 characters, as OLM v1 cuts it. */
export function cutName(base: string, suffix: string): string {
  const room = LONGEST - suffix.length - 1;
  return `${base.length + suffix.length > LONGEST ? base.slice(0, room) : base}-${suffix}`;
}

/** SHA-224 of the rules as Go writes them, in digits of base 36. */
function hashOf({ serviceAccountName = '', rules }: GrantedRules): string {
  const written = JSON.stringify({
    serviceAccountName,
    rules: rules === undefined ? null : rules.map(asGo),
  }).replaceAll(/[<>&\u2028\u2029]/g, escaped);
  const digest = createHash('sha224').update(`${written}\n`).digest('hex');
  return BigInt(`0x${digest}`).toString(36);
}

/** Fields in the order of Go's struct, without lists that are empty. */
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

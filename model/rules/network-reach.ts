import { formatBrief, formatList, show } from '@tenantry/kube/problem';
import type { NetworkCeiling, Peer } from '../../crds/network.ts';
import { contains, parseCidr, type Cidr } from '@tenantry/kube/address';
import { NAME_LABEL, listRequirements } from '@tenantry/kube/label-selector';
import { MANAGED_BY, MANAGED_BY_LABEL, TENANT_LABEL } from '../ownership.ts';
import { listClassLayers } from '../classes/extend.ts';
import type { TenantClassDeclaration } from '../declaration.ts';
import type { SettingLocation, RuleContext, TenantReporter } from './context.ts';

/** How far the policies of a namespace may reach in one direction. */
export type Reach = NonNullable<NetworkCeiling['ingressFrom']>;

/** The peers that one rule of a policy admits; no peers are everyone. */
export interface NetworkRule {
  readonly at: SettingLocation;
  readonly policy: string;
  readonly peers: readonly Peer[] | undefined;
}

/** Validates all openings of a namespace in one direction, singly and together, against the ceiling of the class. */
export function checkReach(
  context: RuleContext,
  openings: readonly NetworkRule[],
  reach: Reach,
  report: TenantReporter<'ceiling-network'>,
): void {
  const { tenant, where } = context;
  const refuse = (at: SettingLocation, what: string): void =>
    report(
      at,
      `must stay within the network ceiling of class ${tenant.klass.name}, got ${what}`,
      'ceiling-network',
    );
  const blocks: Cidr[] = [];
  for (const { at, policy, peers } of openings) {
    for (const what of listExcesses(context, peers, reach, blocks)) {
      refuse(at, `${what} in policy ${show(policy)}`);
    }
  }
  if (reach.anywhere === 'Deny' && !blocks.some((one) => isAnywhere([one])) && isAnywhere(blocks)) {
    refuse(where('network'), `${blocks.length} blocks of addresses that together are anywhere`);
  }
}

/** Lists what exceeds the ceiling among some peers. It collects the address blocks. */
function* listExcesses(
  context: RuleContext,
  peers: readonly Peer[] = [],
  reach: Reach,
  blocks: Cidr[],
): Generator<string> {
  if (peers.length === 0) {
    if (reach.anywhere === 'Deny' || reach.otherNamespaces === 'Deny' || reach.cidrs)
      yield 'a rule without peers, which is for everyone,';
    return;
  }
  const allowed = reach.cidrs?.map(parseCidr);
  for (const { ipBlock, ...peer } of peers) {
    const block = ipBlock && parseCidr(ipBlock.cidr);
    if (block) {
      blocks.push(block);
      if (allowed && !allowed.some((outer) => outer && contains(outer, block))) {
        yield `${formatBrief(ipBlock.cidr)}, outside ${formatList(reach.cidrs!) || 'every block'},`;
      } else if (reach.anywhere === 'Deny' && isAnywhere([block])) {
        yield `${formatBrief(ipBlock.cidr)}, which is anywhere,`;
      }
    } else if (peer.namespaceSelector) {
      const whose = classifyPeer(context, peer);
      if (whose === 'all' && reach.anywhere === 'Deny') yield 'all namespaces';
      if (whose !== 'own' && reach.otherNamespaces === 'Deny') yield 'namespaces of others';
    }
  }
}

/**
 * Classifies the owner of the namespaces that a peer selects: the tenant itself (or trusted namespaces), some other
 * tenants, or everyone. It is everyone if the peer selects the namespace of an arbitrary tenant: by a label that every
 * tenant's namespace has, or by excluding some.
 */
function classifyPeer({ tenant, namespace }: RuleContext, peer: Peer): 'own' | 'others' | 'all' {
  const cluster = tenant.platform.clusters.find(({ name }) => name === namespace.cluster);
  const trusted = cluster
    ? [...cluster.ingressControllers, ...cluster.monitoring, ...cluster.dns]
    : [];
  const text = JSON.stringify(peer);
  if (trusted.some((one) => JSON.stringify(one) === text)) return 'own';
  const wanted = listRequirements(peer.namespaceSelector!);
  const siblings = tenant.namespaces.filter((one) => one.cluster === namespace.cluster);
  const own = new Map([
    [NAME_LABEL, new Set(siblings.map(({ name }) => name))],
    [TENANT_LABEL, new Set([tenant.declaration.name])],
  ]);
  const isOwn = wanted.some(
    ({ key, operator, values = [] }) =>
      operator === 'In' && own.has(key) && values.every((name) => own.get(key)!.has(name)),
  );
  if (isOwn) return 'own';
  const given = listClassLabels(tenant.klass);
  return wanted.every((requirement) => matchesAnyTenant(requirement, given)) ? 'all' : 'others';
}

type Requirement = ReturnType<typeof listRequirements>[number];
type ClassLabels = ReadonlyMap<string, ReadonlySet<string>>;

/** Lists the labels that the namespaces of a class have independent of the tenant. */
function listClassLabels(klass: TenantClassDeclaration): ClassLabels {
  const given = new Map<string, Set<string>>([[MANAGED_BY_LABEL, new Set([MANAGED_BY])]]);
  const layers = listClassLayers(klass).flatMap(({ defaults = {}, environments = [] }) => [
    defaults,
    ...environments,
  ]);
  for (const { labels = {} } of layers) {
    for (const [key, value] of Object.entries(labels)) {
      given.set(key, (given.get(key) ?? new Set()).add(value));
    }
  }
  return given;
}

/** Keys whose values are unique: names of namespaces and of tenants. */
const uniqueKeys: ReadonlySet<string> = new Set([NAME_LABEL, TENANT_LABEL]);

/** Keys that the platform sets on tenants' namespaces, with one of a few values. */
const platformKeyPattern = /^([^/]*\.)?(tenantry\.dev|pod-security\.kubernetes\.io)\//;

function matchesAnyTenant(
  { key, operator, values = [] }: Requirement,
  given: ClassLabels,
): boolean {
  if (operator === 'NotIn' || operator === 'DoesNotExist') return true;
  if (uniqueKeys.has(key)) return operator === 'Exists';
  if (platformKeyPattern.test(key)) return true;
  const known = given.get(key);
  if (known === undefined) return false;
  return (
    operator === 'Exists' ||
    values.some((one) => [...known].some((text) => canHaveValue(text, one)))
  );
}

/**
 * Whether a label of a class can have a value in the namespaces of an arbitrary tenant: of any tenant in an
 * environment, but not if it contains the name of the tenant or the namespace.
 */
function canHaveValue(text: string, value: string): boolean {
  if (text.includes('{tenant}') || text.includes('{namespace}')) return false;
  const [before = '', ...rest] = text.split('{environment}');
  const after = rest.at(-1);
  if (after === undefined) return text === value;
  const isLonger = value.length > before.length + after.length;
  return isLonger && value.startsWith(before) && value.endsWith(after);
}

type Range = Pick<Cidr, 'first' | 'last'>;

const parseBlock = (text: string): Cidr => parseCidr(text)!;

/** Address blocks that are not routed on the Internet: RFC 1918, and RFC 6598 for carriers. */
const internal = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10'].map(parseBlock);

/** Address blocks of hosts: global unicast and unique local (RFC 4291, RFC 4193). */
const hosts = ['2000::/3', 'fc00::/7'].map(parseBlock);

/** Parts of these blocks that embed other addresses: IETF protocols with Teredo, and 6to4. */
const embeddedRanges = ['2001::/23', '2002::/16'].map(parseBlock);

/** The block whose last 32 bits are an IPv4 address to which a gateway translates (RFC 6052). */
const nat64 = parseBlock('64:ff9b::/96');

/** The sizes of the widest blocks that do not count as anywhere, `/8` and `/16`. */
const MAX_BLOCK = { ipv4: 1n << 24n, ipv6: 1n << 112n };

/**
 * Whether address blocks together amount to anywhere. They do if they contain more Internet addresses than a /8 (IPv6:
 * a /16), or IPv6 addresses that belong to no host. The union of the blocks counts, however it is split; private IPv4
 * addresses do not count.
 * @see https://www.iana.org/assignments/iana-ipv6-special-registry
 */
export function isAnywhere(blocks: readonly Cidr[]): boolean {
  const translated = blocks.map((one) => (contains(nat64, one) ? toIPv4(one) : one));
  const ofFamily = (family: Cidr['family']) => translated.filter((one) => one.family === family);
  const ipv4 = countAddresses(subtractRanges(mergeRanges(ofFamily('ipv4')), internal));
  const ipv6 = ofFamily('ipv6');
  const foreign = ipv6.some(
    (one) =>
      !hosts.some((part) => contains(part, one)) ||
      embeddedRanges.some((part) => overlap(part, one)),
  );
  return foreign || ipv4 > MAX_BLOCK.ipv4 || countAddresses(mergeRanges(ipv6)) > MAX_BLOCK.ipv6;
}

function toIPv4({ first, last, bits }: Cidr): Cidr {
  const low = (address: bigint) => address & 0xffff_ffffn;
  return { family: 'ipv4', bits: bits - 96, first: low(first), last: low(last) };
}

function overlap(a: Range, b: Range): boolean {
  return a.first <= b.last && b.first <= a.last;
}

/** Merges the addresses to sorted ranges that do not overlap. */
function mergeRanges(blocks: readonly Range[]): Range[] {
  const ranges: Range[] = [];
  for (const { first, last } of blocks.toSorted((a, b) => (a.first < b.first ? -1 : 1))) {
    const before = ranges.at(-1);
    if (before && first <= before.last) {
      if (last > before.last) ranges[ranges.length - 1] = { first: before.first, last };
    } else ranges.push({ first, last });
  }
  return ranges;
}

function subtractRanges(ranges: readonly Range[], holes: readonly Range[]): readonly Range[] {
  return holes.reduce((rest, hole) => rest.flatMap((range) => subtractRange(range, hole)), ranges);
}

/** Subtracts a hole from a range: the result is empty, one piece, or the two beside it. */
function subtractRange({ first, last }: Range, hole: Range): Range[] {
  const before = { first, last: last < hole.first ? last : hole.first - 1n };
  const behind = { first: first > hole.last ? first : hole.last + 1n, last };
  return [before, behind].filter((piece) => piece.first <= piece.last);
}

function countAddresses(ranges: readonly Range[]): bigint {
  return ranges.reduce((sum, { first, last }) => sum + last - first + 1n, 0n);
}

import { omitUndefined } from '@tenantry/kube/mapping';
import type { KubeObject } from '@tenantry/kube/object';
import type { NetworkPolicySpec, NetworkSettings, Peer, PeerRule } from '../crds/network.ts';
import type { NetworkPolicyEntry, PeerGroup } from '../crds/types.ts';
import type { PlatformSpec } from '../crds/platform.ts';
import { buildAllowFromPolicy, buildAllowToPolicy } from '../model/objects/network.ts';
import { isEqual, nonEmpty } from './counting.ts';
import type { FoundObject } from './manifests.ts';
import { selectKind, type Origin, type Section } from './section.ts';

export interface PolicyObject extends KubeObject {
  readonly spec: NetworkPolicySpec;
}

type FoundPolicy = FoundObject & { readonly object: PolicyObject };

export const selectPolicies = (objects: readonly FoundObject[]): FoundPolicy[] =>
  selectKind<PolicyObject>(objects, 'networking.k8s.io', 'NetworkPolicy');

/** The network of a namespace: its fields for every pod, and further policies. */
export interface NetworkParts {
  readonly base: NetworkSettings;
  readonly further: Pick<NetworkSettings, 'allowFrom' | 'allowTo' | 'policies'>;
}

type Trusted = Pick<PlatformSpec, 'ingressControllers' | 'monitoring'>;

/**
 * Declares policies with fields where a field renders the identical policy. If no policy isolates the whole namespace,
 * isolation is Open, and the policies are copied.
 */
export function buildNetwork(
  objects: readonly FoundObject[],
  platform: Trusted,
): Section<NetworkParts> {
  const policies = selectPolicies(objects);
  const find = (spec: NetworkPolicySpec | undefined): FoundPolicy | undefined =>
    spec && policies.find(({ object }) => isPlain(object) && isEqual(object.spec, spec));
  const within = find(ingressFrom([{ podSelector: {} }]));
  const closed = within ? undefined : find({ podSelector: {}, policyTypes: ['Ingress'] });
  const isolating = within ?? closed;
  if (!isolating) {
    const origins = policies.map((found, i): Origin => ({ path: ['policies', i], found }));
    const further = { ...(policies.length > 0 && { policies: policies.map(copyPolicy) }) };
    return { value: { base: { isolation: 'Open' }, further }, origins, unplaced: [] };
  }
  const controllers = find(ingressFrom(platform.ingressControllers));
  const monitoring = find(ingressFrom(platform.monitoring));
  const rest = policies.filter((one) => ![isolating, controllers, monitoring].includes(one));
  const base = omitUndefined<NetworkSettings>({
    isolation: within ? 'SameNamespace' : 'Closed',
    ingressControllers: controllers ? 'Allow' : 'Deny',
    monitoring: monitoring ? 'Allow' : 'Deny',
    policyNames: omitUndefined<NonNullable<NetworkSettings['policyNames']>>({
      isolation: isolating.object.metadata.name,
      ingressControllers: controllers?.object.metadata.name,
      monitoring: monitoring?.object.metadata.name,
    }),
  });
  const { value, origins } = buildFurther(rest);
  return { value: { base, further: value }, origins, unplaced: [] };
}

function buildFurther(policies: readonly FoundPolicy[]) {
  const allowFrom: PeerRule[] = [];
  const allowTo: PeerRule[] = [];
  const copied: NetworkPolicyEntry[] = [];
  const origins: Origin[] = [];
  for (const found of policies) {
    const from = buildPeerRule(found.object, 'Ingress');
    const to = from ? undefined : buildPeerRule(found.object, 'Egress');
    if (from) {
      origins.push({ path: ['allowFrom', allowFrom.length], found });
      allowFrom.push(from);
    } else if (to) {
      origins.push({ path: ['allowTo', allowTo.length], found });
      allowTo.push(to);
    } else {
      origins.push({ path: ['policies', copied.length], found });
      copied.push(copyPolicy(found));
    }
  }
  const value = omitUndefined<NetworkParts['further']>({
    allowFrom: nonEmpty(allowFrom),
    allowTo: nonEmpty(allowTo),
    policies: nonEmpty(copied),
  });
  return { value, origins };
}

/** `from: []` would allow everyone, so without peers there is no such policy. */
function ingressFrom(from: readonly Peer[] | undefined): NetworkPolicySpec | undefined {
  if (!from || from.length === 0) return undefined;
  return { podSelector: {}, policyTypes: ['Ingress'], ingress: [{ from }] };
}

function copyPolicy({ object }: FoundPolicy): NetworkPolicyEntry {
  const { name, labels, annotations } = object.metadata;
  return omitUndefined<NetworkPolicyEntry>({ name, labels, annotations, spec: object.spec });
}

/** Fields render policies without further labels and annotations. */
function isPlain({ metadata }: PolicyObject): boolean {
  return metadata.labels === undefined && metadata.annotations === undefined;
}

/** Returns the policy as an entry of allowFrom or allowTo, if that renders the same policy. */
function buildPeerRule(
  policy: PolicyObject,
  direction: 'Ingress' | 'Egress',
): PeerRule | undefined {
  const { metadata, spec } = policy;
  const isIngress = direction === 'Ingress';
  const [allowed, ...more] = (isIngress ? spec?.ingress : spec?.egress) ?? [];
  if (!isPlain(policy) || !allowed || more.length > 0) return undefined;
  const { from, to } = allowed as { from?: readonly Peer[]; to?: readonly Peer[] };
  const groups = ((isIngress ? from : to) ?? []).map(buildPeerGroup);
  const [first, ...peers] = groups;
  if (!first || groups.some((group) => Object.keys(group).length === 0)) return undefined;
  const rule = omitUndefined<PeerRule>({
    name: metadata.name,
    pods: spec.podSelector?.matchLabels,
    ...first,
    peers: nonEmpty(peers),
    ports: allowed.ports,
  });
  const rendered = isIngress ? buildAllowFromPolicy(rule) : buildAllowToPolicy(rule);
  const expected = { ...spec, podSelector: spec.podSelector ?? {} };
  return isEqual(rendered.spec, expected) ? rule : undefined;
}

function buildPeerGroup({ namespaceSelector, podSelector, ipBlock }: Peer): PeerGroup {
  return omitUndefined<PeerGroup>({
    namespaceLabels: namespaceSelector?.matchLabels,
    podLabels: podSelector?.matchLabels,
    cidrs: ipBlock && [ipBlock.cidr],
    except: ipBlock?.except,
  });
}

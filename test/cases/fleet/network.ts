import { buildAllowFromPolicy } from '../../../model/objects/network.ts';
import type { PeerGroup } from '../../../crds/types.ts';
import type { KubeObject } from '@tenantry/kube/object';
import type { NetworkPolicySpec, NetworkSettings, Peer, PeerRule } from '../../../crds/network.ts';
import type { PlatformSpec } from '../../../crds/platform.ts';
import { same } from './counting.ts';

export interface PolicyObject extends KubeObject {
  readonly spec: NetworkPolicySpec;
}

/** The network of a namespace: its fields for every pod, and further policies. */
export interface Network {
  readonly base: NetworkSettings;
  readonly further: Pick<NetworkSettings, 'allowFrom' | 'policies'>;
}

/**
 * Declares policies by fields where a field renders the identical policy. If no policy isolates the whole namespace,
 * isolation is Open and the policies are kept literally.
 */
export function networkOf(policies: readonly PolicyObject[], platform: PlatformSpec): Network {
  const find = (spec: NetworkPolicySpec): PolicyObject | undefined =>
    policies.find((one) => isPlain(one) && same(one.spec, spec));
  const within = find(ingressFrom([{ podSelector: {} }]));
  const closed = within ? undefined : find({ podSelector: {}, policyTypes: ['Ingress'] });
  const isolating = within ?? closed;
  if (!isolating) return { base: { isolation: 'Open' }, further: beyond([], policies) };
  const controllers = find(ingressFrom(platform.ingressControllers ?? []));
  const monitoring = find(ingressFrom(platform.monitoring ?? []));
  const rest = policies.filter((one) => ![isolating, controllers, monitoring].includes(one));
  const rules = rest.map((one) => (isPlain(one) ? peerRule(one) : undefined));
  return {
    base: {
      isolation: within ? 'SameNamespace' : 'Closed',
      ingressControllers: controllers ? 'Allow' : 'Deny',
      monitoring: monitoring ? 'Allow' : 'Deny',
      policyNames: {
        isolation: isolating.metadata.name,
        ...(controllers && { ingressControllers: controllers.metadata.name }),
        ...(monitoring && { monitoring: monitoring.metadata.name }),
      },
    },
    further: beyond(
      rules.filter((rule) => rule !== undefined),
      rest.filter((_, i) => rules[i] === undefined),
    ),
  };
}

function ingressFrom(from: readonly Peer[]): NetworkPolicySpec {
  return { podSelector: {}, policyTypes: ['Ingress'], ingress: [{ from }] };
}

function beyond(allowFrom: readonly PeerRule[], raw: readonly PolicyObject[]): Network['further'] {
  const policies = raw.map(({ metadata: { name, labels, annotations }, spec }) => ({
    name,
    ...(labels && { labels }),
    ...(annotations && { annotations }),
    spec,
  }));
  return {
    ...(allowFrom.length > 0 && { allowFrom }),
    ...(policies.length > 0 && { policies }),
  };
}

/** Fields render policies without additional labels and annotations. */
function isPlain({ metadata }: PolicyObject): boolean {
  return metadata.labels === undefined && metadata.annotations === undefined;
}

/** Returns the policy as an entry of allowFrom: pods and namespaces by label only, and address blocks. */
function peerRule({ metadata, spec }: PolicyObject): PeerRule | undefined {
  const [allowed, ...more] = spec.ingress ?? [];
  const [first, ...peers] = (allowed?.from ?? []).map(groupOf);
  if (!allowed || !first || more.length > 0) return undefined;
  const pods = spec.podSelector?.matchLabels;
  const rule: PeerRule = {
    name: metadata.name,
    ...(pods && { pods }),
    ...first,
    ...(peers.length > 0 && { peers }),
    ...(allowed.ports && { ports: allowed.ports }),
  };
  return same(buildAllowFromPolicy(rule).spec, { ...spec, podSelector: spec.podSelector ?? {} })
    ? rule
    : undefined;
}

function groupOf({ namespaceSelector, podSelector, ipBlock }: Peer): PeerGroup {
  const namespaceLabels = namespaceSelector?.matchLabels;
  const podLabels = podSelector?.matchLabels;
  return {
    ...(namespaceLabels && { namespaceLabels }),
    ...(podLabels && { podLabels }),
    ...(ipBlock && { cidrs: [ipBlock.cidr] }),
  };
}

import type { KubeObject } from '../../../kube/object.ts';
import type {
  NetworkPolicySpec,
  NetworkSettings,
  Peer,
  PeerRule,
} from '../../../crds/tenantry/network.ts';
import type { PlatformSpec } from '../../../crds/tenantry/platform.ts';
import { same } from './counting.ts';

export interface PolicyObject extends KubeObject {
  readonly spec: NetworkPolicySpec;
}

/** The network of a namespace: what its fields say for every pod, and what goes beyond that. */
export interface Network {
  readonly base: NetworkSettings;
  readonly further: Pick<NetworkSettings, 'allowFrom' | 'policies'>;
}

/**
 * Says policies in fields where a field gives the very same policy. Where no policy isolates the
 * namespace as a whole, isolation is Open and the policies are taken as they are.
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

/** Fields give policies without labels and annotations of their own. */
function isPlain({ metadata }: PolicyObject): boolean {
  return metadata.labels === undefined && metadata.annotations === undefined;
}

/** The policy as an entry of allowFrom: one peer, by label alone. */
function peerRule({ metadata, spec }: PolicyObject): PeerRule | undefined {
  const [rule, ...more] = spec.ingress ?? [];
  const [peer, ...peers] = rule?.from ?? [];
  if (!rule || !peer || more.length > 0 || peers.length > 0) return undefined;
  const pods = spec.podSelector?.matchLabels;
  const namespaceLabels = peer.namespaceSelector?.matchLabels;
  const podLabels = peer.podSelector?.matchLabels;
  const again: NetworkPolicySpec = {
    podSelector: pods ? { matchLabels: pods } : {},
    policyTypes: ['Ingress'],
    ingress: [
      {
        from: [
          {
            ...(namespaceLabels && { namespaceSelector: { matchLabels: namespaceLabels } }),
            ...(podLabels && { podSelector: { matchLabels: podLabels } }),
          },
        ],
        ...(rule.ports && { ports: rule.ports }),
      },
    ],
  };
  if (!(namespaceLabels ?? podLabels) || !same(again, spec)) return undefined;
  return {
    name: metadata.name,
    ...(pods && { pods }),
    ...(namespaceLabels && { namespaceLabels }),
    ...(podLabels && { podLabels }),
    ...(rule.ports && { ports: rule.ports }),
  };
}

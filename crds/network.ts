import { allowOrDeny, listMap, list, map, set } from './schema-builders.ts';
import {
  integer,
  intOrString,
  object,
  enumOf,
  required,
  string,
  annotations,
  dnsLabel,
  labels,
  labelValue,
  objectName,
  labelSelector,
} from '@tenantry/crd/schema/language';
import { named } from './named.ts';
import { optionalEndDate } from './end-date.ts';
import { filledName } from './placeholders.ts';

export const cidr = string('A block of addresses.', {
  pattern: '^[0-9a-fA-F:.]+/[0-9]{1,3}$',
  maxLength: 49,
  must: "a CIDR such as '10.0.0.0/8'",
  example: '10.20.0.0/16',
});

const ports = list(
  'Only these ports.',
  named(
    'NetworkPort',
    object('A port, or a range of them.', {
      port: intOrString('A number, or the name of a container port.', {
        pattern: '^([a-z0-9]+-)*[0-9]*[a-z][a-z0-9]*(-[a-z0-9]+)*$',
        maxLength: 15,
        minimum: 1,
        maximum: 65535,
        must: "a port from 1 to 65535, or the name of a container port such as 'http'",
      }),
      endPort: integer('The last port of the range.', { minimum: 1, maximum: 65535 }),
      protocol: enumOf('The protocol.', ['TCP', 'UDP', 'SCTP'], { absent: 'TCP, by Kubernetes' }),
    }),
  ),
  { maxItems: 64 },
);

/** `networkingv1.NetworkPolicyPeer`. */
export const peer = named(
  'Peer',
  object('Pods, by namespace and label, or a block of addresses.', {
    namespaceSelector: labelSelector(),
    podSelector: labelSelector(),
    ipBlock: named(
      'IPBlock',
      object('A block of addresses.', {
        cidr: required(cidr),
        except: list('Parts of it that are left out.', cidr),
      }),
    ),
  }),
);

/** `networkingv1.NetworkPolicySpec`. */
const networkPolicySpec = named(
  'NetworkPolicySpec',
  object('A NetworkPolicy as Kubernetes defines it.', {
    podSelector: labelSelector(),
    policyTypes: list('What it is about.', enumOf('A direction.', ['Ingress', 'Egress']), {
      maxItems: 2,
    }),
    ingress: list(
      'What may come in.',
      named(
        'NetworkPolicyIngressRule',
        object('Peers and ports; an absent list means all.', {
          from: list('From whom.', peer),
          ports,
        }),
        'What may come in, from whom.',
      ),
    ),
    egress: list(
      'What may go out.',
      named(
        'NetworkPolicyEgressRule',
        object('Peers and ports; an absent list means all.', {
          to: list('To whom.', peer),
          ports,
        }),
        'What may go out, to whom.',
      ),
    ),
  }),
);

const otherSide = {
  namespaces: set('The other side: namespaces by name.', dnsLabel('A namespace.'), {
    minItems: 1,
  }),
  namespaceLabels: map('The other side: namespaces by label.', labelValue(), {
    minProperties: 1,
  }),
  podLabels: map('The other side: only pods with these labels.', labelValue(), {
    minProperties: 1,
  }),
  cidrs: set('The other side: blocks of addresses.', cidr, { minItems: 1 }),
  except: set('Parts of the blocks in `cidrs` that are left out.', cidr, {
    minItems: 1,
    example: ['169.254.169.254/32'],
  }),
};

const sides = ['namespaces', 'namespaceLabels', 'podLabels', 'cidrs'] as const;

const peerRuleFields = {
  name: required(objectName('The name of the NetworkPolicy.')),
  pods: map('The own pods that it is about, by label.', labelValue(), {
    absent: 'every pod of the namespace',
  }),
  ...otherSide,
  peers: list(
    'More of the other side, each with labels of pods of its own.',
    named('PeerGroup', object('Some of the other side.', otherSide, { atLeastOneOf: sides })),
    { minItems: 1, maxItems: 20 },
  ),
  ports,
};

/** The rules of a preset do not end: a tenant chooses the preset as a whole. */
const presetPeerRule = named(
  'PresetPeerRule',
  object('One NetworkPolicy that lets pods talk.', peerRuleFields, {
    atLeastOneOf: [...sides, 'peers'],
  }),
);

const peerRule = named(
  'PeerRule',
  object(
    'One NetworkPolicy that lets pods talk.',
    { ...peerRuleFields, until: optionalEndDate('of the rule') },
    { atLeastOneOf: [...sides, 'peers'] },
  ),
);

const allowFrom = 'Further ways in.';
const allowTo = 'Further ways out; of use where egress is not Open.';

const fields = {
  isolation: enumOf(
    'Who may reach the pods: everyone, the namespaces of the tenant, the own namespace, no one.',
    ['Open', 'SameTenant', 'SameNamespace', 'Closed'],
    { absent: '`SameTenant`' },
  ),
  ingressControllers: allowOrDeny(
    "Whether the platform's ingress controllers reach the pods.",
    '`Allow`',
  ),
  monitoring: allowOrDeny("Whether the platform's monitoring reaches the pods.", '`Allow`'),
  egress: enumOf(
    'Where the pods may go: anywhere; or only to DNS and the tenant, the own namespace, nowhere else.',
    ['Open', 'SameTenant', 'SameNamespace', 'Closed'],
    { absent: '`Open`' },
  ),
  allowFrom: listMap(allowFrom, 'name', peerRule, { maxItems: 50 }),
  allowTo: listMap(allowTo, 'name', peerRule, { maxItems: 50 }),
  policies: listMap(
    'NetworkPolicies as they are, within the ceilings of the class.',
    'name',
    named(
      'NetworkPolicyEntry',
      object('A NetworkPolicy.', {
        name: required(objectName('Its name.')),
        labels: labels('Its labels.'),
        annotations: annotations('Its annotations.'),
        spec: required(networkPolicySpec),
      }),
    ),
    { maxItems: 50 },
  ),
  policyNames: named(
    'NetworkPolicyNames',
    object(
      'The names of the NetworkPolicies that the fields above give, in which placeholders may stand.',
      {
        isolation: filledName('Of `isolation`.', '`tenant-isolation`'),
        ingressControllers: filledName('Of `ingressControllers`.', '`allow-ingress-controllers`'),
        monitoring: filledName('Of `monitoring`.', '`allow-monitoring`'),
        egress: filledName('Of `egress`.', '`tenant-egress`'),
      },
    ),
  ),
};

export const networkSettings = named(
  'NetworkSettings',
  object('Who the pods may talk to.', {
    preset: dnsLabel(
      "A network preset of the class, or 'none' for what is built in; what earlier layers said is dropped.",
    ),
    ...fields,
  }),
);

export const networkPreset = named(
  'NetworkPreset',
  object('A set of network rules.', {
    name: required(dnsLabel('Its name.')),
    ...fields,
    allowFrom: listMap(allowFrom, 'name', presetPeerRule, { maxItems: 50 }),
    allowTo: listMap(allowTo, 'name', presetPeerRule, { maxItems: 50 }),
  }),
);

const networkReach = (description: string) =>
  named(
    'NetworkReach',
    object(description, {
      otherNamespaces: allowOrDeny(
        'Whether namespaces of others may be named or selected.',
        '`Allow`',
      ),
      anywhere: allowOrDeny(
        'Whether rules may be for all namespaces, or for blocks of addresses that together hold more of the Internet than a /8 (of IPv6: a /16). Which addresses exactly is for cidrs to say.',
        '`Deny` where isolation (egress) has a ceiling below Open, else `Allow`',
      ),
      cidrs: set('Blocks of addresses have to lie inside one of these.', cidr, {
        absent: 'any block',
      }),
    }),
    'How far the rules of a tenant may reach.',
  );

export const networkCeiling = named(
  'NetworkCeiling',
  object('How open the network of a tenant may be.', {
    isolation: enumOf('The most open isolation.', [
      'Open',
      'SameTenant',
      'SameNamespace',
      'Closed',
    ]),
    egress: enumOf('The most open egress.', ['Open', 'SameTenant', 'SameNamespace', 'Closed']),
    ingressFrom: networkReach('What allowFrom and raw policies may let in.'),
    egressTo: networkReach('What allowTo and raw policies may let out.'),
  }),
);

export type {
  NetworkCeiling,
  NetworkPolicySpec,
  NetworkSettings,
  Peer,
  PeerRule,
} from './types.ts';

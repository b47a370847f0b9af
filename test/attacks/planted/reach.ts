import { type Planted } from './plant.ts';

const policy = (spec: object) => [
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: 'planted' },
    spec: { podSelector: {}, ...spec },
  },
];
const from = (...peers: object[]) =>
  policy({ policyTypes: ['Ingress'], ingress: [{ from: peers }] });
const to = (...peers: object[]) => policy({ policyTypes: ['Egress'], egress: [{ to: peers }] });
const block = (cidr: string, ...except: string[]) => ({
  ipBlock: { cidr, ...(except.length > 0 && { except }) },
});
const among = (matchLabels: object) => ({ namespaceSelector: { matchLabels } });
const which = (key: string, operator: string, values?: string[]) => ({
  namespaceSelector: { matchExpressions: [{ key, operator, ...(values && { values }) }] },
});

export const reach: Readonly<Record<string, Planted>> = {
  'nothing isolates': {
    replace: [/policyTypes:\n {2}- Ingress/g, 'policyTypes:\n  - Egress'],
    rule: 'reach/open',
  },
  'only pods with a label are isolated': {
    replace: [
      '  podSelector: {}\n  policyTypes:\n  - Egress',
      '  podSelector:\n    matchLabels: {a: b}\n  policyTypes:\n  - Egress',
    ],
    rule: 'reach/open',
  },
  'a rule without peers': { objects: policy({ ingress: [{}] }), rule: 'reach/anywhere' },
  'every namespace': { objects: from({ namespaceSelector: {} }), rule: 'reach/foreign' },
  'every namespace of a tenant': {
    klass: 'neighbourly',
    objects: from(which('tenantry.dev/tenant', 'Exists')),
    rule: 'reach/anywhere',
  },
  'every namespace that Tenantry created': {
    klass: 'neighbourly',
    objects: from(among({ 'app.kubernetes.io/managed-by': 'tenantry' })),
    rule: 'reach/anywhere',
  },
  'every namespace of a level': {
    klass: 'neighbourly',
    objects: from(among({ 'pod-security.kubernetes.io/enforce': 'baseline' })),
    rule: 'reach/anywhere',
  },
  'every namespace with a label of the class': {
    klass: 'neighbourly',
    objects: to(among({ 'example.com/criticality': 'high' })),
    rule: 'reach/anywhere',
  },
  'every namespace except one': {
    klass: 'neighbourly',
    objects: from(which('kubernetes.io/metadata.name', 'NotIn', ['kube-system'])),
    rule: 'reach/anywhere',
  },
  'every namespace without a label': {
    klass: 'neighbourly',
    objects: from(which('no.example.com/x', 'DoesNotExist')),
    rule: 'reach/anywhere',
  },
  'a namespace of others by name': {
    objects: from(among({ 'kubernetes.io/metadata.name': 'victim-prod' })),
    rule: 'reach/foreign',
  },
  'namespaces of others by an arbitrary label': {
    objects: to(among({ 'example.com/app': 'mine' })),
    rule: 'reach/foreign',
  },
  'a block outside those of the class': {
    objects: to(block('10.91.0.0/16')),
    rule: 'reach/block',
  },
  'a block that starts inside': { objects: to(block('10.90.0.0/15')), rule: 'reach/block' },
  'an exception outside its block': {
    objects: to(block('10.90.0.0/17', '10.90.128.0/17')),
    rule: 'reach/block',
  },
  'two halves of the Internet': {
    objects: from(block('0.0.0.0/1'), block('128.0.0.0/1')),
    rule: 'reach/anywhere',
  },
  'the Internet in mapped addresses': {
    objects: from(block('::ffff:0:0/96')),
    rule: 'reach/anywhere',
  },
  'the Internet through a translation prefix': {
    objects: from(block('64:ff9b::/96')),
    rule: 'reach/anywhere',
  },
  'every second /8': {
    objects: from(...Array.from({ length: 8 }, (_, i) => block(`${2 * i + 1}.0.0.0/8`))),
    rule: 'reach/anywhere',
  },
  'almost all addresses': {
    objects: from(block('0.0.0.0/0', '10.0.0.0/8')),
    rule: 'reach/anywhere',
  },
  'a /8 and one more address': {
    objects: from(block('11.0.0.0/8'), block('12.0.0.0/32')),
    rule: 'reach/anywhere',
  },
  'half a /8 and the rest through a translation prefix': {
    objects: from(block('11.0.0.0/9'), block('64:ff9b::c00:0/103')),
    rule: 'reach/anywhere',
  },
  'a private range and its neighbor': {
    objects: from(block('172.0.0.0/7')),
    rule: 'reach/anywhere',
  },
  'a /16 of IPv6 and one more address': {
    objects: from(block('2a00::/16'), block('2b00::/128')),
    rule: 'reach/anywhere',
  },
  'IPv6 addresses that are no hosts': {
    objects: from(block('2002:0b00::/32')),
    rule: 'reach/anywhere',
  },
  'an address of Teredo': { objects: from(block('2001::/64')), rule: 'reach/anywhere' },
  'one mapped address': { objects: from(block('::ffff:1.2.3.4/128')), rule: 'reach/anywhere' },
};

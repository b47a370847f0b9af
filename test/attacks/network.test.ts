import { attempts, type Attempt } from './attempt.ts';

const bounded = { ceilings: { network: { ingressFrom: { anywhere: 'Deny' } } } };
const openTo = (...from: object[]): Attempt => ({
  klass: bounded,
  tenant: { network: { policies: [{ name: 'open', spec: { ingress: [{ from }] } }] } },
  refused: 'ceiling-network',
});
const blocks = (...cidrs: string[]): Attempt =>
  openTo(...cidrs.map((cidr) => ({ ipBlock: { cidr } })));
const selecting = (key: string, operator: string, ...values: string[]): Attempt => {
  const requirement = { key, operator, ...(values.length > 0 && { values }) };
  return openTo({ namespaceSelector: { matchExpressions: [requirement] } });
};
const harmless = ({ refused: _refused, ...attempt }: Attempt): Attempt => attempt;
const eighths = Array.from({ length: 90 }, (_, i) => `${i * 2 + 16}.0.0.0/8`);
const levels = ['privileged', 'baseline', 'restricted'];

// A class with `anywhere: Deny`: tenants can allow traffic neither from the whole Internet nor from all other tenants.
attempts({
  'all addresses, as mapped IPv6 addresses': {
    ...blocks('::ffff:0:0/96'),
    refused: 'network-policy',
  },
  'half of all addresses, as mapped IPv6 addresses': {
    ...blocks('::ffff:128.0.0.0/97'),
    refused: 'network-policy',
  },
  'all addresses, through NAT64': blocks('64:ff9b::/96'),
  'half of all addresses, through NAT64': blocks('64:ff9b::/97'),
  "all addresses, through a site's translation prefix": blocks('64:ff9b:1::/48'),
  'all addresses, in the old compatible form': blocks('::/96'),
  'all addresses, through 6to4': blocks('2002::/16'),
  'all addresses, through Teredo': blocks('2001::/32'),
  'every second block of the Internet': blocks(...eighths),
  'every second block, each in a rule of its own': {
    ...blocks(),
    tenant: {
      network: {
        policies: [
          {
            name: 'open',
            spec: { ingress: eighths.map((cidr) => ({ from: [{ ipBlock: { cidr } }] })) },
          },
        ],
      },
    },
  },
  'every second block, over several fields': {
    ...blocks(),
    tenant: {
      network: {
        allowFrom: eighths.slice(0, 45).map((cidr, i) => ({ name: `a${i}`, cidrs: [cidr] })),
        policies: [
          { name: 'b', spec: { ingress: [{ from: [{ ipBlock: { cidr: '128.0.0.0/8' } }] }] } },
        ],
      },
    },
  },
  'two halves of a block that is too large': blocks('8.0.0.0/8', '9.0.0.0/8'),
  'a block that is split into small ones': blocks('8.0.0.0/9', '8.128.0.0/9', '9.0.0.0/32'),
  'one block of the Internet': harmless(blocks('8.0.0.0/8')),
  'one block, repeated and in parts': harmless(blocks('8.0.0.0/8', '8.0.0.0/8', '8.4.0.0/16')),
  'all private addresses': harmless(
    blocks('10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10'),
  ),
  'one block, through NAT64': harmless(blocks('64:ff9b::808:0/112')),
  'a block of IPv6, and a unique local one': harmless(blocks('2a00::/32', 'fd00:1::/32')),

  "everyone with a tenant's label": selecting('tenantry.dev/tenant', 'Exists'),
  'every namespace that Tenantry manages': selecting(
    'app.kubernetes.io/managed-by',
    'In',
    'tenantry',
    'x',
  ),
  'every level of Pod Security': selecting('pod-security.kubernetes.io/enforce', 'In', ...levels),
  'one level of Pod Security': selecting('pod-security.kubernetes.io/enforce', 'In', 'baseline'),
  'every environment': selecting('tenantry.dev/environment', 'In', 'dev', 'prod'),
  'a label that the class sets on all namespaces': {
    ...selecting('example.com/tier', 'In', 'gold'),
    klass: { ...bounded, defaults: { labels: { 'example.com/tier': 'gold' } } },
  },
  'everyone but herself': selecting('tenantry.dev/tenant', 'NotIn', 'mallory'),
  'two selectors of everyone': openTo({
    namespaceSelector: {
      matchLabels: { 'app.kubernetes.io/managed-by': 'tenantry' },
      matchExpressions: [{ key: 'x', operator: 'DoesNotExist' }],
    },
  }),
  'one other tenant': harmless(selecting('tenantry.dev/tenant', 'In', 'other')),
  'namespaces with a label of their own': harmless(selecting('example.com/team', 'In', 'web')),
});

const closed = { ceilings: { network: { ingressFrom: { otherNamespaces: 'Deny' } } } };

attempts({
  "another tenant's namespaces in a class that allows none": {
    ...selecting('tenantry.dev/tenant', 'In', 'mallory', 'other'),
    klass: closed,
  },
  "the tenant's own namespaces by the label that the guard protects": {
    ...harmless(selecting('tenantry.dev/tenant', 'In', 'mallory')),
    klass: closed,
  },
});

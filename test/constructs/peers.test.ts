import { expect, test } from '@jest/globals';
import { ofKind, specOf, collectFindings, type Given } from './given.ts';

const several: Given = {
  tenant: {
    network: {
      allowFrom: [
        {
          name: 'from-two',
          pods: { app: 'web' },
          namespaceLabels: { team: 'a' },
          podLabels: { app: 'client' },
          peers: [
            { namespaceLabels: { team: 'b' } },
            { podLabels: { app: 'own' }, cidrs: ['10.1.0.0/16'] },
            { namespaces: ['shop'], podLabels: { app: 'cart' } },
          ],
          ports: [{ port: 80 }],
        },
      ],
    },
  },
};

test('one rule can have several peers, each with its own pods', () => {
  const policies = ofKind(several, 'NetworkPolicy');
  const policy = policies.find(({ metadata }) => metadata.name === 'from-two');
  const selects = (key: string, value: string) => ({ matchLabels: { [key]: value } });
  expect(specOf(policy)).toEqual({
    podSelector: selects('app', 'web'),
    policyTypes: ['Ingress'],
    ingress: [
      {
        from: [
          { namespaceSelector: selects('team', 'a'), podSelector: selects('app', 'client') },
          { namespaceSelector: selects('team', 'b') },
          { podSelector: selects('app', 'own') },
          { ipBlock: { cidr: '10.1.0.0/16' } },
          {
            namespaceSelector: {
              matchExpressions: [
                { key: 'kubernetes.io/metadata.name', operator: 'In', values: ['shop'] },
              ],
            },
            podSelector: selects('app', 'cart'),
          },
        ],
        ports: [{ port: 80 }],
      },
    ],
  });
});

test('ceilings apply to each of them', () => {
  const klass = {
    ceilings: { network: { ingressFrom: { otherNamespaces: 'Deny', cidrs: ['10.2.0.0/16'] } } },
  } as const;
  const refused = (what: string) =>
    `spec.network.allowFrom[0] must stay within the network ceiling of class standard, got ${what} in policy 'from-two'`;
  expect(collectFindings({ ...several, klass })).toEqual([
    refused('namespaces of others'),
    refused('10.1.0.0/16, outside 10.2.0.0/16,'),
  ]);
});

test('a rule may consist of peers only', () => {
  const tenant = {
    network: { allowTo: [{ name: 'x', peers: [{ namespaces: ['a'] }] }], egress: 'Closed' },
  } as const;
  expect(collectFindings({ tenant })).toEqual([]);
});

import { expect } from '@jest/globals';
import { toReference } from '@tenantry/testing/controlplane/objects';
import { sharedCluster } from '@tenantry/testing/test/controlplane/shared';
import { from, namespacesNamed, networkPolicy, refusedBy, staffedTenant, to } from './people.ts';

const given = await sharedCluster();
const { test } = given;
const dryRun = { dryRun: true };
const block = (cidr: string, ...except: string[]) => ({ ipBlock: { cidr, except } });
const labelled = { namespaceSelector: { matchLabels: { team: 'shop' } } };

test('an administrator lets in and out only her own pods and namespaces', async () => {
  const { cluster } = given;
  const { namespace, alice } = await staffedTenant(cluster, {
    namespaces: [{ name: 'shop' }, { name: 'pay' }],
    network: { egress: 'SameTenant' },
  });
  const sibling = namespace.replace(/shop$/, 'pay');
  const own = [
    { podSelector: { matchLabels: { app: 'shop' } } },
    { podSelector: {} },
    namespacesNamed(namespace, sibling),
    { ...namespacesNamed(sibling), podSelector: {} },
    { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': sibling, team: 'a' } } },
  ];
  const honest = [
    {},
    { policyTypes: ['Ingress', 'Egress'] },
    { ingress: [] },
    from(...own),
    to(...own),
    { ...from(...own), egress: to(...own).egress },
  ];
  for (const spec of honest) {
    const asked = await alice.create(networkPolicy(namespace, spec), dryRun);
    expect([spec, asked]).toMatchObject([spec, { status: 201 }]);
  }
  const name = 'kubernetes.io/metadata.name';
  const expression = (operator: string, values?: string[], key = name) => ({
    namespaceSelector: { matchExpressions: [{ key, operator, ...(values && { values }) }] },
  });
  const foreignPeers = [
    { namespaceSelector: {} },
    { namespaceSelector: {}, podSelector: { matchLabels: { app: 'shop' } } },
    labelled,
    namespacesNamed('kube-system'),
    namespacesNamed(namespace, 'kube-system'),
    { namespaceSelector: { matchLabels: { [name]: `${namespace}x` } } },
    expression('NotIn', [namespace]),
    expression('Exists'),
    expression('In', [namespace], 'example.com/name'),
    block('0.0.0.0/0'),
    block('::/0'),
    block('10.0.0.0/8', '10.1.0.0/16'),
    block('10.1.2.3/32'),
  ];
  for (const peer of foreignPeers) {
    for (const [spec, words] of [
      [from(...own, peer), 'must let in only pods of the tenant and what its class opens, got '],
      [to(peer, ...own), 'must let out only to pods of the tenant and what its class opens, got '],
    ] as const) {
      const asked = await alice.create(networkPolicy(namespace, spec), dryRun);
      expect([spec, asked]).toMatchObject([spec, refusedBy('networkPolicies', words)]);
    }
  }
  const everyone = [{ ingress: [{}] }, { ingress: [{ ports: [{ port: 80 }] }] }];
  const open = [
    ...everyone,
    from(),
    { egress: [{}] },
    to(),
    { ingress: [...from(...own).ingress, {}] },
  ];
  for (const spec of open) {
    const asked = await alice.create(networkPolicy(namespace, spec), dryRun);
    expect([spec, asked]).toMatchObject([spec, refusedBy('networkPolicies', 'got everyone')]);
  }
});

test('an accepted policy cannot be widened later', async () => {
  const { cluster } = given;
  const { namespace, alice } = await staffedTenant(cluster);
  const policy = networkPolicy(namespace, from({ podSelector: {} }));
  expect((await alice.create(policy)).status).toBe(201);
  const widened = { spec: from({ namespaceSelector: {} }) };
  expect(await alice.patch(toReference(policy), widened)).toMatchObject(
    refusedBy('networkPolicies', "got namespaces that are not the tenant's"),
  );
  const applied = { ...policy, spec: { podSelector: {}, ...from(block('192.0.2.0/24')) } };
  const force = { fieldManager: 'kubectl', force: true };
  expect(await alice.apply(applied, force)).toMatchObject(
    refusedBy('networkPolicies', 'got 192.0.2.0/24'),
  );
});

test('a direction that the platform does not close is not checked', async () => {
  const { cluster } = given;
  const everyone = { ingress: [{}] };
  const anywhere = { policyTypes: ['Egress'], egress: [{}] };
  const isolated = await staffedTenant(cluster);
  const out = networkPolicy(isolated.namespace, anywhere);
  expect(await isolated.alice.create(out, dryRun)).toMatchObject({ status: 201 });
  const network = { isolation: 'Open', egress: 'Closed' } as const;
  const open = await staffedTenant(cluster, { network });
  expect(await open.alice.create(networkPolicy(open.namespace, everyone), dryRun)).toMatchObject({
    status: 201,
  });
  expect(await open.alice.create(networkPolicy(open.namespace, anywhere), dryRun)).toMatchObject(
    refusedBy('networkPolicies', 'got everyone'),
  );
  const policies = [{ name: 'vault', spec: { podSelector: { matchLabels: { app: 'vault' } } } }];
  const partly = await staffedTenant(cluster, { network: { isolation: 'Open', policies } });
  const asked = await partly.alice.create(networkPolicy(partly.namespace, everyone), dryRun);
  expect(asked).toMatchObject(refusedBy('networkPolicies', 'got everyone'));
});

test('the class allows its tenants to open further traffic', async () => {
  const { cluster } = given;
  const networkPolicies = {
    ingressFrom: { namespaces: ['monitoring', 'team-*'], cidrs: ['10.0.0.0/8', '2001:db8::/32'] },
    egressTo: { anywhere: 'Allow' as const },
  };
  const { namespace, alice } = await staffedTenant(
    cluster,
    { network: { egress: 'Closed' } },
    { selfService: { networkPolicies } },
  );
  const honest = [
    from(namespacesNamed('monitoring', 'team-a', namespace)),
    from(block('10.0.0.0/8'), block('10.1.2.0/24'), block('2001:db8:1::/48')),
    { policyTypes: ['Egress'], egress: [{}] },
    to(block('0.0.0.0/0')),
  ];
  for (const spec of honest) {
    const asked = await alice.create(networkPolicy(namespace, spec), dryRun);
    expect([spec, asked]).toMatchObject([spec, { status: 201 }]);
  }
  const far = ['monitoring2', 'team', 'xteam-a', 'kube-system'].map((one) => namespacesNamed(one));
  const wide = ['0.0.0.0/0', '10.0.0.0/7', '11.0.0.0/8', '::/0', '2001::/16'].map((one) =>
    block(one),
  );
  for (const peer of [...far, ...wide, labelled, { namespaceSelector: {} }]) {
    const asked = await alice.create(networkPolicy(namespace, from(peer)), dryRun);
    expect([peer, asked]).toMatchObject([peer, refusedBy('networkPolicies', 'must let in only')]);
  }
  const all = { networkPolicies: { ingressFrom: { namespaces: ['*'] } } };
  const open = await staffedTenant(cluster, {}, { selfService: all });
  for (const peer of [labelled, { namespaceSelector: {} }, namespacesNamed('kube-system')]) {
    const asked = await open.alice.create(networkPolicy(open.namespace, from(peer)), dryRun);
    expect([peer, asked]).toMatchObject([peer, { status: 201 }]);
  }
  for (const spec of [from(), from(block('10.0.0.0/8'))]) {
    const asked = await open.alice.create(networkPolicy(open.namespace, spec), dryRun);
    expect([spec, asked]).toMatchObject([spec, refusedBy('networkPolicies', 'must let in only')]);
  }
});

test('a class that disables the policy leaves network policies to RBAC', async () => {
  const selfService = { networkPolicies: { policy: 'Disabled' as const } };
  const { namespace, alice } = await staffedTenant(given.cluster, {}, { selfService });
  const asked = await alice.create(networkPolicy(namespace, { ingress: [{}] }), dryRun);
  expect(asked).toMatchObject({ status: 201 });
});

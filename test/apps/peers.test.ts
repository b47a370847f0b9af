import { expect, test } from '@jest/globals';
import { Fleet } from '../../model/fleet.ts';
import { Tenant } from '../../constructs/tenant/tenant.ts';
import { formatProblem } from '@tenantry/kube/problem';
import type { App } from '../../synth/app.ts';
import type { Texts } from '../synth/output/folders.ts';
import { platform, tenant, tenantClass, withFleet, type FleetFolder } from './fleet.ts';

const warningsOf = (fleet: FleetFolder, add?: (app: App) => void, memory?: string): string[] => {
  const { summary, problems } = fleet.render({ ...(add && { add }), ...(memory && { memory }) });
  expect(problems).toEqual([]);
  return summary!.warnings.map(formatProblem).map((text) => text.replaceAll(fleet.folder, ''));
};

/** Returns the warnings for tenants by name, each in its own file, with the class `default`. */
function collectWarnings(
  tenants: Readonly<Record<string, object>>,
  { files = {}, add }: { readonly files?: Texts; readonly add?: (app: App) => void } = {},
): string[] {
  const texts = Object.entries(tenants).map(([name, spec]) => [
    `tenants/${name}.yaml`,
    tenant(name, spec),
  ]);
  let warnings: string[] = [];
  withFleet({ ...(Object.fromEntries(texts) as Texts), ...files }, (fleet) => {
    warnings = warningsOf(fleet, add);
  });
  return warnings;
}

const from = (...namespaces: string[]) => ({
  network: { allowFrom: [{ name: 'in', namespaces }] },
});
const to = (...namespaces: string[]) => ({
  network: { egress: 'Closed', allowTo: [{ name: 'out', namespaces }] },
});
const both = { ...from('shop').network, ...to('shop').network };

const UNKNOWN =
  'must be a namespace that a tenant has, or externalNamespaces of the platform names';
const clusters = (...names: string[]) => platform({ clusters: names.map((name) => ({ name })) });

test('an unknown namespace is reported where it is written, with a suggestion', () => {
  expect(collectWarnings({ shop: from('chat-assistent', 'bank'), 'chat-assistant': {} })).toEqual([
    `/tenants/shop.yaml:4:76 spec.network.allowFrom[0].namespaces[1] ${UNKNOWN}, got 'bank'`,
    `/tenants/shop.yaml:4:59 spec.network.allowFrom[0].namespaces[0] ${UNKNOWN}, got 'chat-assistent'; did you mean 'chat-assistant'?`,
  ]);
});

test('a namespace that is selected by its label or in a raw policy is reported too', () => {
  const named = { 'kubernetes.io/metadata.name': 'tlil' };
  const peer = { namespaceSelector: { matchLabels: named } };
  const network = {
    egress: 'Closed',
    allowFrom: [{ name: 'label', namespaceLabels: named }],
    policies: [{ name: 'raw', spec: { policyTypes: ['Egress'], egress: [{ to: [peer] }] } }],
  };
  const meant = `${UNKNOWN}, got 'tlil'`;
  expect(collectWarnings({ shop: { network }, till: {} })).toEqual([
    expect.stringContaining(`spec.network.allowFrom[0] ${meant}`),
    expect.stringContaining(`spec.network.policies[0] ${meant}`),
  ]);
});

test('namespaces of the platform and its external ones are known', () => {
  const spec = {
    externalNamespaces: ['erp', 'legacy-*'],
    protectedNamespaces: ['vault-prod'],
    monitoring: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'eyes' } } }],
  };
  const names = ['erp', 'legacy-web', 'vault-prod', 'eyes', 'kube-system', 'cert-manager'];
  const files = { 'tenantry.yaml': platform(spec) };
  expect(collectWarnings({ shop: from(...names) }, { files })).toEqual([]);
  expect(collectWarnings({ shop: from('erp2') }, { files })).toEqual([
    expect.stringMatching(/got 'erp2'; did you mean 'erp'\?$/),
  ]);
});

test('no tenant may have an external namespace', () => {
  const files = {
    'tenantry.yaml': platform({ externalNamespaces: ['legacy-*'] }),
    'tenants/a.yaml': tenant('legacy-web'),
  };
  withFleet(files, (fleet) => {
    const { rules, problems } = fleet.render();
    expect(rules).toEqual(['protected-namespace']);
    expect(problems[0]).toContain("(legacy-*), got 'legacy-web'");
  });
});

test('a namespace that a tenant releases by convention is known if a tenant has it', () => {
  const files = { 'tenantry.yaml': platform({ releasedNamespaces: ['billing-system'] }) };
  expect(collectWarnings({ shop: from('billing-system') }, { files })).toHaveLength(1);
  const billing = { namespaces: [{ name: 'billing-system' }] };
  expect(collectWarnings({ shop: from('billing-system'), billing }, { files })).toEqual([]);
});

test('a rule for a namespace that is on no cluster of the rule is reported', () => {
  const files = { 'tenantry.yaml': clusters('eu1', 'us1', 'ap1') };
  const till = { clusters: ['eu1'] };
  expect(
    collectWarnings({ shop: { clusters: ['us1', 'ap1'], ...from('till') }, till }, { files }),
  ).toEqual([
    expect.stringContaining(
      "namespaces[0] must be a namespace on us1, ap1, where shop is, got 'till' of tenant till, which is not",
    ),
  ]);
  expect(
    collectWarnings({ shop: { clusters: ['us1', 'eu1'], ...from('till') }, till }, { files }),
  ).toEqual([]);
});

test('a rule for all namespaces may apply to some of them; a rule of one namespace must apply to it', () => {
  const files = { 'tenantry.yaml': clusters('eu1', 'us1') };
  const till = { clusters: ['eu1'] };
  const namespaces = [
    { name: 'shop-prod', clusters: ['eu1'] },
    { name: 'shop-dev', clusters: ['us1'] },
  ];
  expect(collectWarnings({ shop: { namespaces, ...from('till') }, till }, { files })).toEqual([]);
  const [prod, dev] = namespaces;
  const apart = {
    namespaces: [
      { ...prod, ...from('till') },
      { ...dev, ...from('till') },
    ],
  };
  expect(collectWarnings({ shop: apart, till }, { files })).toEqual([
    expect.stringMatching(
      /spec\.namespaces\[1\]\.network\S+ must be a namespace on us1, where shop-dev is/,
    ),
  ]);
});

test('an egress rule without the matching ingress rule is reported once, at the egress side', () => {
  const namespaces = [{ name: 'shop-dev' }, { name: 'shop-prod' }];
  expect(collectWarnings({ shop: { namespaces, ...to('till') }, till: {} })).toEqual([
    expect.stringContaining(
      "spec.network.allowTo[0].namespaces[0] must be a namespace that lets in what comes from shop-dev, shop-prod, got 'till' of tenant till, which does not: allowFrom there can",
    ),
  ]);
  expect(collectWarnings({ shop: { namespaces, ...to('till') }, till: from('shop-prod') })).toEqual(
    [expect.stringContaining('comes from shop-dev, got')],
  );
});

test('an ingress rule without the matching egress rule is reported once, at the ingress side', () => {
  const closed = { network: { egress: 'Closed' } };
  expect(collectWarnings({ shop: from('till'), till: closed })).toEqual([
    expect.stringContaining(
      "shop.yaml:4:59 spec.network.allowFrom[0].namespaces[0] must be a namespace that lets its pods out to shop, got 'till' of tenant till, which does not: allowTo there can",
    ),
  ]);
});

test('there is no warning if both sides have rules, or if one of them is open', () => {
  expect(collectWarnings({ shop: to('till'), till: from('shop') })).toEqual([]);
  expect(collectWarnings({ shop: from('till'), till: {} })).toEqual([]);
  expect(collectWarnings({ shop: to('till'), till: { network: { isolation: 'Open' } } })).toEqual(
    [],
  );
  expect(collectWarnings({ shop: to('till'), till: { network: both } })).toEqual([
    expect.stringContaining(
      "till.yaml:4:126 spec.network.allowTo[0].namespaces[0] must be a namespace that lets in what comes from till, got 'shop'",
    ),
  ]);
});

test('the matching rule may use labels, admit anyone, or select only some pods', () => {
  const answers = [
    { allowFrom: [{ name: 'in', namespaceLabels: { 'tenantry.dev/tenant': 'shop' } }] },
    { policies: [{ name: 'in', spec: { policyTypes: ['Ingress'], ingress: [{}] } }] },
    { allowFrom: [{ name: 'in', namespaces: ['shop'], pods: { app: 'web' } }] },
    {
      isolation: 'Open',
      policies: [{ name: 'db', spec: { podSelector: { matchLabels: { app: 'db' } } } }],
    },
  ];
  for (const network of answers)
    expect(collectWarnings({ shop: to('till'), till: { network } })).toEqual([]);
  const refusals = [
    { allowFrom: [{ name: 'in', namespaceLabels: { 'tenantry.dev/tenant': 'bank' } }] },
    { allowFrom: [{ name: 'in', cidrs: ['10.0.0.0/8'] }] },
    { isolation: 'Open', policies: [{ name: 'all', spec: {} }] },
  ];
  for (const network of refusals) {
    expect(collectWarnings({ shop: to('till'), till: { network } })).toHaveLength(1);
  }
});

const onPort = (...ports: object[]) => ({
  out: { network: { egress: 'Closed', allowTo: [{ name: 'out', namespaces: ['till'], ports }] } },
  into: { network: { allowFrom: [{ name: 'in', namespaces: ['shop'], ports }] } },
});

test('two rules without a common port are reported on both sides with all ports', () => {
  const shop = onPort({ port: 8080 }).out;
  const till = onPort({ port: 9090, endPort: 9092 }, { port: 53, protocol: 'UDP' }).into;
  expect(collectWarnings({ shop, till })).toEqual([
    expect.stringContaining(
      "spec.network.allowTo[0].namespaces[0] must be a namespace that lets in what comes from shop on 8080/TCP, got 'till' of tenant till, which does so on 9090-9092/TCP, 53/UDP alone: allowFrom there can",
    ),
    expect.stringContaining(
      "spec.network.allowFrom[0].namespaces[0] must be a namespace that lets its pods out to till on 9090-9092/TCP, 53/UDP, got 'shop' of tenant shop, which does so on 8080/TCP alone: allowTo there can",
    ),
  ]);
});

test('one common port is enough, and a named port may be any number of its protocol', () => {
  const shop = onPort({ port: 8080 }).out;
  for (const ports of [
    [{ port: 9090 }, { port: 8000, endPort: 8999 }],
    [{ port: 'http' }],
    [{ protocol: 'TCP' }],
  ]) {
    expect(collectWarnings({ shop, till: onPort(...ports).into })).toEqual([]);
  }
  expect(
    collectWarnings({ shop, till: onPort({ port: 'http', protocol: 'UDP' }).into }),
  ).toHaveLength(2);
});

test('ports of a class are reported once for all of its tenants', () => {
  const network = { allowTo: [{ name: 'out', namespaces: ['hub'], ports: [{ port: 80 }] }] };
  const defaults = { network: { egress: 'Closed', ...network } };
  const files = { 'tenants/classes/a.yaml': tenantClass('default', { defaults }) };
  const of = (namespace: string, port: number) => ({
    name: namespace,
    namespaces: [namespace],
    ports: [{ port }],
  });
  const hub = {
    network: { egress: 'Closed', allowFrom: [of('shop', 81), of('till', 82)], allowTo: [] },
  };
  expect(collectWarnings({ shop: {}, till: {}, hub }, { files })).toContainEqual(
    expect.stringMatching(
      /classes\/a\.yaml:4:\d+ spec\.defaults\.network\.allowTo\[0\]\.namespaces\[0\] must be a namespace that lets in what comes from shop, till on 80\/TCP, got 'hub' of tenant hub, which does so on 81-82\/TCP alone/,
    ),
  );
});

test('an unknown namespace in a class is reported once, at the class', () => {
  const network = { allowFrom: [{ name: 'in', namespaces: ['hub', 'hubb'] }] };
  const files = { 'tenants/classes/a.yaml': tenantClass('default', { defaults: { network } }) };
  const hub = { network: { egress: 'Closed', allowFrom: [] } };
  expect(collectWarnings({ shop: {}, till: {}, hub }, { files })).toEqual([
    expect.stringMatching(
      /classes\/a\.yaml:4:\d+ spec\.defaults\.network\.allowFrom\[0\]\.namespaces\[1\] .*, got 'hubb'; did you mean 'hub'\?$/,
    ),
    expect.stringMatching(
      /classes\/a\.yaml:4:\d+ spec\.defaults\.network\.allowFrom\[0\]\.namespaces\[0\] must be a namespace that lets its pods out to shop, till, got 'hub'/,
    ),
  ]);
});

test('a namespace that a class names may be on some clusters only', () => {
  const network = { allowFrom: [{ name: 'in', namespaces: ['hub'] }] };
  const files = {
    'tenantry.yaml': clusters('eu1', 'us1'),
    'tenants/classes/a.yaml': tenantClass('default', { defaults: { network } }),
  };
  expect(collectWarnings({ hub: {}, shop: { clusters: ['us1'] } }, { files })).toEqual([]);
});

test('a released tenant has no namespaces', () => {
  const fleet = new Fleet();
  fleet.add({ name: 'shop', spec: from('till') }, 'a');
  fleet.add({ name: 'till', spec: {} }, 'b');
  expect(fleet.networks.findFaults()).toEqual([]);
  fleet.release('till');
  expect(fleet.networks.findFaults()).toMatchObject([
    { tenant: 'shop', peer: 'till', kind: 'unknown' },
  ]);
  fleet.release('shop');
  expect(fleet.networks.findFaults()).toEqual([]);
});

test('namespaces of tenants in TypeScript are known, and warnings name the construct', () => {
  const add = (app: App): void => {
    new Tenant(app, 'till');
    new Tenant(app, 'bank', from('shpo'));
  };
  expect(collectWarnings({ shop: from('till') }, { add })).toEqual([
    `[bank] spec.network ${UNKNOWN}, got 'shpo'; did you mean 'shop'?`,
  ]);
});

test('remembered files have the same warnings, based on the current content of other files', () => {
  const files = {
    'tenants/shop.yaml': tenant('shop', from('till')),
    'tenants/till.yaml': tenant('till', to('shop')),
    'tenants/late.yaml': tenant('late', { network: { egress: 'Closed' } }),
  };
  withFleet(files, (fleet) => {
    expect(warningsOf(fleet, undefined, 'memory')).toEqual([]);
    fleet.write({ 'tenants/till.yaml': tenant('till', { network: { egress: 'Closed' } }) });
    const closed = warningsOf(fleet, undefined, 'memory');
    expect(closed).toEqual([expect.stringContaining('shop.yaml:4:59')]);
    expect(warningsOf(fleet, undefined, 'memory')).toEqual(closed);
    fleet.remove('tenants/till.yaml');
    const gone = warningsOf(fleet, undefined, 'memory');
    expect(gone).toEqual([
      expect.stringContaining(`shop.yaml:4:59 spec.network.allowFrom[0].namespaces[0] ${UNKNOWN}`),
    ]);
    fleet.write({ 'tenants/late.yaml': tenant('late', { namespaces: [{ name: 'till' }] }) });
    expect(warningsOf(fleet, undefined, 'memory')).toEqual([]);
  });
});

test('there are no warnings while a file is broken, since it may declare the missing namespace', () => {
  const files = {
    'tenants/shop.yaml': tenant('shop', from('till')),
    'tenants/till.yaml': tenant('till', { isolated: true }),
  };
  withFleet(files, (fleet) => {
    const { problems } = fleet.render();
    expect(problems).toEqual([expect.stringContaining('till.yaml')]);
  });
});

import { expect, test } from '@jest/globals';
import type { TenantClassSpec } from '../../crds/tenant-class.ts';
import { collectFindings } from './given.ts';

type SelfService = NonNullable<TenantClassSpec['selfService']>;

/** Returns the findings of an object that a tenant declares. */
function validateObject(
  kind: string,
  more: object,
  selfService?: SelfService,
  apiVersion = 'v1',
): readonly string[] {
  const manifest = { apiVersion, kind, metadata: { name: 'x' }, ...more } as never;
  const group = 'serving.knative.dev';
  return collectFindings({
    klass: selfService ? { selfService } : {},
    platform: { kinds: [{ group, kind: 'Service', scope: 'Namespaced' }] },
    tenant: { resources: [{ manifest }] },
  });
}

const external = (externalIPs: unknown, services?: SelfService['services'], apiVersion?: string) =>
  validateObject('Service', { spec: { externalIPs } }, services && { services }, apiVersion);
const at = (i: number) => `spec.resources[0].manifest.spec.externalIPs[${i}]`;
const words = (allowed: string) =>
  `must be addresses that class standard allows in selfService.services.externalIPs (${allowed}), got`;

test('by default a Service cannot have external IPs', () => {
  expect(external(['192.0.2.1', '::1'])).toEqual([
    `${at(0)} ${words('none')} '192.0.2.1'`,
    `${at(1)} ${words('none')} '::1'`,
  ]);
  for (const none of [undefined, null, []]) expect(external(none)).toEqual([]);
  expect(validateObject('Service', {})).toEqual([]);
  expect(validateObject('Service', { spec: 'odd' })).toEqual([
    "spec.resources[0].manifest.spec must be a mapping, got 'odd'",
  ]);
});

test('a class allows address blocks to Services', () => {
  const services = { externalIPs: ['192.0.2.0/24', '2001:db8::/32'] };
  expect(external(['192.0.2.0', '192.0.2.255', '2001:db8::1'], services)).toEqual([]);
  const allowed = words('192.0.2.0/24, 2001:db8::/32');
  expect(external(['192.0.2.1', '192.0.3.0', '2001:db9::'], services)).toEqual([
    `${at(1)} ${allowed} '192.0.3.0'`,
    `${at(2)} ${allowed} '2001:db9::'`,
  ]);
});

test.each([['a'], ['192.0.2.1/32'], ['192.0.2'], [7], [null], [{}]])(
  '%j is in no block that a class allows',
  (address) => {
    const services = { externalIPs: ['0.0.0.0/0', '::/0'] };
    expect(external([address], services)).toHaveLength(1);
  },
);

test('a scalar in place of the list of addresses is validated as one address', () => {
  expect(external('192.0.2.1')).toEqual([`${at(0)} ${words('none')} '192.0.2.1'`]);
});

test('a class that disables the policy allows all addresses', () => {
  expect(external(['192.0.2.1'], { policy: 'Disabled' })).toEqual([]);
  expect(external(['192.0.2.1'], { policy: 'Enforced' } as SelfService['services'])).toHaveLength(
    1,
  );
});

test('a kind of the same name in another group is another kind', () => {
  expect(external(['192.0.2.1'], undefined, 'serving.knative.dev/v1')).toEqual([]);
});

test('addresses of other kinds are not checked', () => {
  expect(validateObject('ConfigMap', { spec: { externalIPs: ['192.0.2.1'] } })).toEqual([
    expect.stringMatching(/manifest\.spec must be a known field/),
  ]);
});

const token = 'kubernetes.io/service-account-token';

test('a token that never expires is refused, unless the class disables the policy', () => {
  expect(validateObject('Secret', { type: token })).toEqual([
    'spec.resources[0].manifest.type must be a type other than that of a token that never expires',
  ]);
  expect(
    validateObject('Secret', { type: token }, { tokenSecrets: { policy: 'Disabled' } }),
  ).toEqual([]);
  expect(validateObject('Secret', { type: 'Opaque' })).toEqual([]);
  expect(validateObject('ConfigMap', { type: token })).toEqual([
    expect.stringMatching(/manifest\.type must be a known field/),
  ]);
});

test('a Pod cannot choose a node, unless the class disables the policy', () => {
  const pod = (nodeName: unknown, selfService?: SelfService) =>
    validateObject('Pod', { spec: { nodeName } }, selfService);
  for (const nodeName of ['n1', null, 7]) {
    expect(pod(nodeName)).toEqual([
      expect.stringMatching(/manifest\.spec\.nodeName must be left out: the scheduler chooses/),
    ]);
  }
  expect(pod('n1', { pods: { policy: 'Disabled' } })).toEqual([]);
  expect(pod('')).toEqual([]);
  expect(validateObject('Pod', { spec: {} })).toEqual([]);
  expect(validateObject('ConfigMap', { spec: { nodeName: 'n1' } })).toEqual([
    expect.stringMatching(/manifest\.spec must be a known field/),
  ]);
});

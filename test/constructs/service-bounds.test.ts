import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { runs } from '@tenantry/kube/test/yaml/runs';
import type { SelfService } from '../../crds/self-service.ts';
import { collectFindings, ofKind } from './given.ts';
import { refusal } from './policy-request.ts';

type Bounds = NonNullable<SelfService['services']>;

/** Returns what the policy answers to a Service, and undefined if it accepts the Service. */
function evaluate(spec: object, services: Bounds, before?: object): string | undefined {
  const [namespace] = ofKind({ klass: { selfService: { services } } }, 'Namespace');
  const service = (of: object) => ({ apiVersion: 'v1', kind: 'Service', spec: of });
  return refusal('services', namespace!, {
    object: service(spec),
    ...(before && { oldObject: service(before) }),
  });
}

/** Returns the findings about a Service that a tenant declares. */
function validate(spec: object, services: Bounds): readonly string[] {
  const manifest = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'x' },
    spec: { ports: [{ port: 80 }], ...spec },
  };
  return collectFindings({
    klass: { selfService: { services } },
    tenant: { quota: { preset: 'none' }, resources: [{ manifest } as never] },
  });
}

const external = (externalName: string) => ({ type: 'ExternalName', externalName });
const balanced = (loadBalancerClass?: string) => ({
  type: 'LoadBalancer',
  ...(loadBalancerClass !== undefined && { loadBalancerClass }),
});

const lists = {
  none: [],
  all: ['*'],
  domain: ['*.example.com'],
  top: ['*.com'],
  exact: ['web.shared.svc.cluster.local', 'api.example.com', 'legacy', '10.0.0.1'],
};
type List = keyof typeof lists;

/** Names, and the lists that allow them. */
const names: readonly (readonly [name: string, ...allowedBy: List[]])[] = [
  ['api.example.com', 'domain', 'top', 'exact'],
  ['api.example.com.', 'all', 'domain', 'top', 'exact'],
  ['API.Example.COM', 'domain', 'top', 'exact'],
  ['a.b.example.com', 'domain', 'top'],
  ['example.com', 'top'],
  ['example.com.', 'all', 'top'],
  ['notexample.com', 'top'],
  ['api.example.com.evil.org.', 'all'],
  ['example.org'],
  ['a.b.c.d.e.example.org'],
  ['legacy', 'exact'],
  ['legacy.', 'exact'],
  ['com'],
  ['com.'],
  ['localhost'],
  ['localhost.'],
  ['LOCALHOST.'],
  ['localhost.localdomain.'],
  ['foo.localhost.'],
  ['printer.local.'],
  ['kubernetes.default.svc.cluster.local'],
  ['kubernetes.default.svc.cluster.local.'],
  ['Kubernetes.Default.SVC.Cluster.Local.'],
  ['web.shared.svc.cluster.local', 'exact'],
  ['web.shared.svc.cluster.local.', 'exact'],
  ['web.shared.svc.'],
  ['web.shared.svc'],
  ['web.shared.svc.example.com'],
  ['web.shared.svc.example.com.'],
  ['svc.example.com', 'domain', 'top'],
  ['my-svc.example.com', 'domain', 'top'],
  ['10-0-0-1.shared.pod.example.com'],
  ['10-0-0-1.shared.pod'],
  ['web.shared'],
  ['web-0.web.shared'],
  ['http.tcp.web.shared'],
  ['10.0.0.1', 'exact'],
  ['10.0.0.1.', 'exact'],
  ['10.0.0.2.'],
  ['127.1.'],
  ['0177.0.0.1.'],
  ['0x7f.0x1.'],
  ['0x.'],
  ['a.0xg.', 'all'],
  ['a.1b.', 'all'],
  ['2130706433'],
  ['2130706433.'],
  ['0x7f000001.'],
  ['::1'],
  ['fd00::1.'],
  ['::ffff:10.0.0.1'],
  ['metadata.google.internal.'],
  ['metadata.google.internal'],
];

describe.each(names)('the name %s', (name, ...allowedBy) => {
  test.each(Object.entries(lists))(`is allowed by the right lists (%s)`, (list, externalNames) => {
    const isAllowed = allowedBy.includes(list as List);
    expect(evaluate(external(name), { externalNames }) === undefined).toBe(isAllowed);
    const refused = validate(external(name), { externalNames }).filter((one) =>
      one.includes('selfService.services.externalNames'),
    );
    expect(refused).toHaveLength(isAllowed ? 0 : 1);
  });
});

test('the messages name what the class allows, and the form that * requires', () => {
  const service = external('example.org');
  expect(evaluate(service, {})).toBe(
    'a Service must have an externalName that the class allows (none), got example.org',
  );
  expect(evaluate(service, { externalNames: ['*', '*.example.com'] })).toBe(
    'a Service must have an externalName that the class allows (*, *.example.com), got example.org: * is for names outside of the cluster, with a dot at the end',
  );
  const at = 'spec.resources[0].manifest.spec.externalName';
  const words = 'must be a name that class standard allows in selfService.services.externalNames';
  expect(validate(service, {})).toEqual([`${at} ${words} (none), got 'example.org'`]);
  expect(validate(service, { externalNames: ['*'] })).toEqual([
    `${at} ${words} (*), got 'example.org': * is for names outside of the cluster, with a dot at the end`,
  ]);
});

test('a class bounds the types of Services', () => {
  const types: Bounds['types'] = ['ClusterIP', 'ExternalName'];
  const bounds = { types, externalNames: ['*.example.com'] };
  for (const spec of [{}, { type: 'ClusterIP' }, external('api.example.com')]) {
    expect([spec, evaluate(spec, bounds)]).toEqual([spec, undefined]);
    expect([spec, validate(spec, bounds)]).toEqual([spec, []]);
  }
  for (const type of ['NodePort', 'LoadBalancer']) {
    const of = '(ClusterIP, ExternalName), got';
    expect(evaluate({ type }, bounds)).toContain(
      `must have a type that the class allows ${of} ${type}`,
    );
    expect(validate({ type }, bounds)).toContain(
      `spec.resources[0].manifest.spec.type must be a type that class standard allows in selfService.services.types ${of} '${type}'`,
    );
    expect(evaluate({ type }, {})).toBeUndefined();
    expect(validate({ type }, {})).toEqual([]);
  }
  expect(evaluate({}, { types: ['LoadBalancer'] })).toContain('(LoadBalancer), got ClusterIP');
  expect(validate({}, { types: ['LoadBalancer'] })).toEqual([
    expect.stringContaining("(LoadBalancer), got 'ClusterIP'"),
  ]);
});

test.each<[string | undefined, string[] | undefined, boolean]>([
  [undefined, undefined, true],
  ['example.com/public', undefined, true],
  [undefined, [''], true],
  ['', [''], true],
  ['internal', [''], false],
  [undefined, ['internal'], false],
  ['internal', ['internal'], true],
  ['internal-2', ['internal'], false],
  ['internal-2', ['internal*'], true],
  ['example.com/a', ['', 'example.com/*'], true],
  ['example.org/a', ['', 'example.com/*'], false],
  ['anything', ['*'], true],
  [undefined, ['*'], false],
  [undefined, ['no*'], false],
])('a load balancer of class %s under %j', (name, loadBalancerClasses, isAllowed) => {
  const bounds = { ...(loadBalancerClasses && { loadBalancerClasses }) };
  const message = evaluate(balanced(name), bounds);
  const findings = validate(balanced(name), bounds);
  if (isAllowed) {
    expect([message, findings]).toEqual([undefined, []]);
    return;
  }
  const words = loadBalancerClasses!.map((one) => one || 'no class').toSorted();
  expect(message).toBe(
    `a Service must have a loadBalancerClass that the class allows (${words.join(', ')}), got ${name ?? 'no class'}`,
  );
  expect(findings).toEqual([
    expect.stringContaining('allows in selfService.services.loadBalancerClasses ('),
  ]);
  // Services of other types have no load balancer.
  expect(evaluate({ type: 'NodePort' }, bounds)).toBeUndefined();
});

test('an update is checked only for what it changes', () => {
  const bounds: Bounds = {
    types: ['ClusterIP', 'ExternalName', 'LoadBalancer'],
    externalNames: ['*.example.com'],
    loadBalancerClasses: ['internal'],
  };
  const update = (before: object, after: object) => evaluate(after, bounds, before);
  const old = external('web.other.svc');
  expect(update(old, { ...old, sessionAffinity: 'None' })).toBeUndefined();
  expect(update(old, external('api.example.com'))).toBeUndefined();
  expect(update(old, { type: 'ClusterIP' })).toBeUndefined();
  // A name may stay from an earlier type.
  const leftOver = { type: 'ClusterIP', externalName: 'web.other.svc' };
  expect(update(old, leftOver)).toBeUndefined();
  expect(update(leftOver, old)).toContain('got web.other.svc');
  expect(update(old, external('web.other.svc.'))).toContain('got web.other.svc.');
  expect(update(old, external('WEB.other.svc'))).toContain('got WEB.other.svc');
  expect(update({ type: 'NodePort' }, { type: 'NodePort', ports: [] })).toBeUndefined();
  expect(update({ type: 'ClusterIP' }, { type: 'NodePort' })).toContain('got NodePort');
  expect(update({}, { type: 'NodePort' })).toContain('got NodePort');
  expect(update(balanced('public'), { ...balanced('public'), ports: [] })).toBeUndefined();
  expect(update(balanced(), { ...balanced(), ports: [] })).toBeUndefined();
  expect(update({ type: 'ClusterIP' }, balanced())).toContain('got no class');
  expect(update(balanced(), balanced('public'))).toContain('got public');
  expect(update(balanced('public'), balanced('internal'))).toBeUndefined();
});

test('a namespace that was synced before has no bound of types and classes, and allows no name', () => {
  const silent = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } };
  const ask = (spec: object) =>
    refusal('services', silent, { object: { apiVersion: 'v1', kind: 'Service', spec } as never });
  for (const spec of [{}, { type: 'NodePort' }, balanced(), balanced('public')]) {
    expect([spec, ask(spec)]).toEqual([spec, undefined]);
  }
  expect(ask(external('api.example.com'))).toContain('(none), got api.example.com');
});

test('a class that disables the policy bounds no Service', () => {
  const bounds: Bounds = { policy: 'Disabled', types: ['ClusterIP'] };
  expect(validate(external('web.other.svc'), bounds)).toEqual([]);
});

test.each([
  '*.svc',
  '*.other.svc.cluster.local',
  '*.local',
  '*.localhost',
  '*.1',
  '*.pod.example.com',
])('a class cannot open all names of a domain inside the cluster: %s', (name) => {
  const klass = { selfService: { services: { externalNames: [name] } } };
  expect(() => collectFindings({ klass })).toThrow("must be a name without '*'");
});

test.each(['', '.', '*.', 'a.', '*a.com', 'a.*.com', 'A.com', '::1', 'a b', '**', '*.*'])(
  'a class cannot allow %j, which is no name',
  (name) => {
    const klass = { selfService: { services: { externalNames: [name] } } };
    expect(() => collectFindings({ klass })).toThrow('must be');
  },
);

test('the bounds that bound nothing if they are absent cannot be empty', () => {
  for (const services of [{ types: [] }, { loadBalancerClasses: [] }]) {
    expect(() => collectFindings({ klass: { selfService: { services } } })).toThrow('must');
  }
  expect(collectFindings({ klass: { selfService: { services: { externalNames: [] } } } })).toEqual(
    [],
  );
});

const label = fc.constantFrom('a', 'web', 'com', 'svc', 'pod', 'local', 'internal', '1', '0x1');
const name = fc
  .tuple(fc.array(label, { minLength: 1, maxLength: 5 }), fc.constantFrom('', '.'))
  .map(([labels, end]) => labels.join('.') + end);
const pattern = fc
  .tuple(fc.array(label, { minLength: 1, maxLength: 3 }), fc.constantFrom('', '*.'))
  .map(([labels, start]) => start + labels.join('.'))
  .filter((one) => !/^\*.*[.](svc|pod|local|1|0x1)([.]|$)/.test(one));

test('the policy refuses exactly the names that cannot be declared', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.oneof(pattern, fc.constant('*')), { maxLength: 3 }),
      name,
      (externalNames, externalName) => {
        const bounds = { externalNames };
        const isRefused = evaluate(external(externalName), bounds) !== undefined;
        expect(validate(external(externalName), bounds)).toHaveLength(isRefused ? 1 : 0);
      },
    ),
    runs(200),
  );
});

import { describe, expect, test } from '@jest/globals';
import { PodNetwork, formatPods, formatPorts, type Direction } from '../network-policy.ts';
import type { KubeObject } from '../object.ts';

const namespace = (name: string, labels: Record<string, string> = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, labels },
});

const policy = (namespace: string, spec: object): KubeObject => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name: `policy-${JSON.stringify(spec).length}`, namespace },
  spec,
});

const named = (...values: string[]) => ({
  namespaceSelector: {
    matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'In', values }],
  },
});

/** Returns the lines of shop, next to a namespace `till` without policies. */
function lines(direction: Direction, ...objects: KubeObject[]): string[] {
  const network = new PodNetwork([
    namespace('shop', { team: 'shop' }),
    namespace('till', { team: 'till' }),
    ...objects,
  ]);
  return network.connections('shop', direction).map(({ pods, with: side, ports }) => {
    const own = formatPods(pods);
    const other =
      side.kind === 'addresses'
        ? [side.cidr, ...side.except].join(' without ')
        : [
            side.kind === 'anyone' ? (side.everywhere ? 'anyone' : 'any pod') : side.kind,
            ...(side.kind === 'anyone' ? [] : [side.namespace ?? 'by label']),
            formatPods(side.pods),
          ]
            .filter(Boolean)
            .join(' ');
    return [own && `[${own}]`, other, formatPorts(ports)].filter(Boolean).join(': ');
  });
}

const ingress = (spec: object): KubeObject =>
  policy('shop', { podSelector: {}, policyTypes: ['Ingress'], ...spec });
const egress = (spec: object): KubeObject =>
  policy('shop', { podSelector: {}, policyTypes: ['Egress'], ...spec });

describe('without a policy', () => {
  test('pods connect to anyone', () => {
    expect(lines('Ingress')).toEqual(['anyone: every port']);
    expect(lines('Egress')).toEqual(['anyone: every port']);
  });

  test('connections of an unknown namespace are an error', () => {
    expect(() => new PodNetwork([]).connections('shop', 'Egress')).toThrow(
      "must be a namespace of the cluster, got 'shop'",
    );
  });
});

describe('a policy', () => {
  test('without rules closes its direction and leaves the other one open', () => {
    expect(lines('Ingress', ingress({}))).toEqual([]);
    expect(lines('Egress', ingress({}))).toEqual(['anyone: every port']);
    expect(lines('Egress', egress({}))).toEqual([]);
    expect(lines('Ingress', egress({}))).toEqual(['anyone: every port']);
  });

  test('without types is for ingress, and for egress if it has such rules', () => {
    const silent = policy('shop', { podSelector: {} });
    expect([lines('Ingress', silent), lines('Egress', silent)]).toEqual([
      [],
      ['anyone: every port'],
    ]);
    const both = policy('shop', { podSelector: {}, egress: [{ to: [named('till')] }] });
    expect([lines('Ingress', both), lines('Egress', both)]).toEqual([
      [],
      ['namespace till: every port'],
    ]);
  });

  test('with a rule without peers allows anyone in', () => {
    expect(lines('Ingress', ingress({ ingress: [{}] }))).toEqual(['anyone: every port']);
    expect(lines('Ingress', ingress({ ingress: [{ from: [] }] }))).toEqual(['anyone: every port']);
    const all = ingress({ ingress: [{ from: [{ namespaceSelector: {} }] }] });
    expect(lines('Ingress', all)).toEqual(['any pod: every port']);
  });

  test('for some pods leaves the others open', () => {
    const some = ingress({ podSelector: { matchLabels: { app: 'db' } }, ingress: [] });
    expect(lines('Ingress', some)).toEqual(['[not (app=db)]: anyone: every port']);
    const more = ingress({
      podSelector: { matchExpressions: [{ key: 'app', operator: 'NotIn', values: ['db'] }] },
    });
    expect(lines('Ingress', some, more)).toEqual([]);
  });

  test('of another namespace, of an unknown namespace, or of another kind is ignored', () => {
    expect(lines('Ingress', policy('till', { podSelector: {} }))).toEqual(['anyone: every port']);
    const other = { ...ingress({}), apiVersion: 'projectcalico.org/v3' };
    expect(lines('Ingress', other)).toEqual(['anyone: every port']);
  });
});

describe('the other side', () => {
  test('has to allow the connection too', () => {
    const open = ingress({ ingress: [{ from: [named('till')], ports: [{ port: 80 }] }] });
    expect(lines('Ingress', open)).toEqual(['namespace till: 80/TCP']);
    const closed = policy('till', { podSelector: {}, policyTypes: ['Egress'] });
    expect(lines('Ingress', open, closed)).toEqual([]);
    const elsewhere = policy('till', {
      podSelector: {},
      policyTypes: ['Egress'],
      egress: [{ to: [named('shop')], ports: [{ port: 81 }] }, { to: [{ podSelector: {} }] }],
    });
    expect(lines('Ingress', open, elsewhere)).toEqual([]);
    const part = policy('till', {
      podSelector: { matchLabels: { app: 'web' } },
      policyTypes: ['Egress'],
      egress: [{ to: [named('shop')], ports: [{ port: 70, endPort: 90 }] }],
    });
    expect(lines('Ingress', open, part, closed)).toEqual(['namespace till app=web: 80/TCP']);
  });

  test('is found by name, by label, and in the own namespace', () => {
    const from = (...peers: object[]) => ingress({ ingress: [{ from: peers }] });
    const byLabel = { namespaceSelector: { matchLabels: { team: 'till' } } };
    expect(lines('Ingress', from(byLabel))).toEqual([
      'namespace till: every port',
      'external by label: every port',
    ]);
    expect(lines('Ingress', from({ podSelector: { matchLabels: { a: 'b' } } }))).toEqual([
      'namespace shop a=b: every port',
    ]);
    expect(lines('Ingress', from(named('till', 'legacy')))).toEqual([
      'namespace till: every port',
      'external legacy: every port',
    ]);
  });

  test('cannot be two namespaces at once', () => {
    const twice = {
      namespaceSelector: {
        matchLabels: { 'kubernetes.io/metadata.name': 'till' },
        ...named('shop', 'legacy').namespaceSelector,
      },
    };
    expect(lines('Ingress', ingress({ ingress: [{ from: [twice] }] }))).toEqual([]);
  });

  test('is a block of addresses, without its exceptions, and no pod', () => {
    const block = { ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } };
    const only = egress({ egress: [{ to: [block] }] });
    expect(lines('Egress', only)).toEqual(['10.0.0.0/8 without 10.1.0.0/16: every port']);
  });
});

describe('ports', () => {
  const on = (...ports: object[]) =>
    lines('Ingress', ingress({ ingress: [{ from: [named('till')], ports }] }));

  test('are TCP by default, and ranges include their last', () => {
    expect(on({ port: 80 }, { port: 53, protocol: 'UDP' })).toEqual([
      'namespace till: 80/TCP, 53/UDP',
    ]);
    expect(on({ port: 8000, endPort: 8999 })).toEqual(['namespace till: 8000-8999/TCP']);
    expect(on({ protocol: 'UDP' })).toEqual(['namespace till: UDP']);
    expect(on({ port: 1, endPort: 65535 }, { protocol: 'UDP' }, { protocol: 'SCTP' })).toEqual([
      'namespace till: every port',
    ]);
  });

  test('that touch, overlap or contain each other are merged', () => {
    expect(on({ port: 80 }, { port: 81 }, { port: 80, endPort: 90 }, { port: 85 })).toEqual([
      'namespace till: 80-90/TCP',
    ]);
    expect(on({ port: 80 }, { port: 82 })).toEqual(['namespace till: 80/TCP, 82/TCP']);
    expect(on({ port: 'http' }, { protocol: 'TCP' })).toEqual(['namespace till: TCP']);
  });

  test('with a name are those of the container, and meet numbers of the other side', () => {
    expect(on({ port: 'http' })).toEqual(['namespace till: http/TCP']);
    const out = policy('till', {
      podSelector: {},
      policyTypes: ['Egress'],
      egress: [{ to: [named('shop')], ports: [{ port: 8080 }, { port: 90, endPort: 99 }] }],
    });
    const open = ingress({ ingress: [{ from: [named('till')], ports: [{ port: 'http' }] }] });
    expect(lines('Ingress', open, out)).toEqual([
      'namespace till: http/TCP where it is within 90-99, http/TCP where it is 8080',
    ]);
  });

  test('of several rules for the same pods add up', () => {
    const rules = [80, 443].map((port) => ({ from: [named('till')], ports: [{ port }] }));
    expect(lines('Ingress', ingress({ ingress: rules }))).toEqual([
      'namespace till: 80/TCP, 443/TCP',
    ]);
  });
});

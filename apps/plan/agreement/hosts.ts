import { isMapping, listAt, valueAt } from '@tenantry/kube/mapping';
import { groupOf, type KubeObject } from '@tenantry/kube/object';
import { texts } from '@tenantry/kube/rights/rights';

/** The host of an object that gets the requests for hosts which it does not name. */
export const EVERY_HOST = '*';

type ReadHosts = (object: KubeObject) => readonly unknown[];

const fromList =
  (list: string, field: string): ReadHosts =>
  (object) =>
    listAt(object, ['spec', list])
      .filter(isMapping)
      .map((one) => one[field]);

const certificate: ReadHosts = (object) => [
  valueAt(object, ['spec', 'commonName']),
  ...texts(valueAt(object, ['spec', 'dnsNames'])),
];

/** A rule without a host, and the default backend, get the requests for every host that nobody else has. */
const ingress: ReadHosts = (object) => [
  ...fromList('rules', 'host')(object).map((host) => host ?? EVERY_HOST),
  ...(valueAt(object, ['spec', 'defaultBackend']) === undefined ? [] : [EVERY_HOST]),
  ...listAt(object, ['spec', 'tls'])
    .filter(isMapping)
    .flatMap((one) => texts(one['hosts'])),
];

/** A route without names has every host of its Gateway. */
const hostnames: ReadHosts = (object) => {
  const names = texts(valueAt(object, ['spec', 'hostnames']));
  return names.length === 0 ? [EVERY_HOST] : names;
};

/** The hosts of each kind by `group/Kind`, as the API of the kind publishes them. */
const readers: Readonly<Record<string, ReadHosts>> = {
  'cert-manager.io/Certificate': certificate,
  'networking.k8s.io/Ingress': ingress,
  'extensions/Ingress': ingress,
  'gateway.networking.k8s.io/Gateway': fromList('listeners', 'hostname'),
  'gateway.networking.k8s.io/HTTPRoute': hostnames,
  'gateway.networking.k8s.io/GRPCRoute': hostnames,
  'gateway.networking.k8s.io/TLSRoute': hostnames,
  'route.openshift.io/Route': (object) => [valueAt(object, ['spec', 'host'])],
  'networking.istio.io/VirtualService': (object) => texts(valueAt(object, ['spec', 'hosts'])),
  'externaldns.k8s.io/DNSEndpoint': fromList('endpoints', 'dnsName'),
};

/** Annotations with further hosts, by which controllers of Ingresses and of DNS serve an object. */
const aliases = [
  'nginx.ingress.kubernetes.io/server-alias',
  'external-dns.alpha.kubernetes.io/hostname',
  'external-dns.alpha.kubernetes.io/internal-hostname',
] as const;

/** Whether two hosts can be the same one: a wildcard is every name below it. */
export function overlaps(one: string, other: string): boolean {
  const isWithin = (host: string, wildcard: string): boolean =>
    wildcard.startsWith('*.') && host.endsWith(wildcard.slice(1));
  return one === other || isWithin(one, other) || isWithin(other, one);
}

/** Returns the names of hosts that an object takes for its namespace, in lower case. */
export function listHosts(object: KubeObject): string[] {
  const read = readers[`${groupOf(object.apiVersion)}/${object.kind}`];
  const annotated = aliases.flatMap((key) => object.metadata.annotations?.[key]?.split(',') ?? []);
  const all = [...(read?.(object) ?? []), ...annotated.map((host) => host.trim())];
  const found = all.filter((host) => typeof host === 'string' && host !== '');
  return [...new Set(found.map((host) => String(host).toLowerCase().replace(/\.$/, '')))];
}

/** Whether a host lies below a domain. The domain itself does not, and neither does a wildcard for all of it. */
export function isBelow(host: string, domain: string): boolean {
  return host.endsWith(`.${domain}`) && host !== `*.${domain}`;
}

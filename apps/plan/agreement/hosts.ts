import { isMapping, listAt, valueAt } from '@tenantry/kube/mapping';
import { groupOf, type KubeObject } from '@tenantry/kube/object';
import { text, texts } from '@tenantry/kube/rights/rights';

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

/** A Gateway of Istio names each host with the namespaces that may serve it: `shop/a.example.com`. */
const servers: ReadHosts = (object) =>
  listAt(object, ['spec', 'servers'])
    .filter(isMapping)
    .flatMap((server) => texts(server['hosts']))
    .map((host) => host.slice(host.indexOf('/') + 1));

/** A rule of Traefik matches a host by its name or by an expression. Without a name it gets every host. */
const matches: ReadHosts = (object) =>
  listAt(object, ['spec', 'routes'])
    .filter(isMapping)
    .flatMap((route) => readMatchedHosts(text(route['match'])));

function readMatchedHosts(match: string): string[] {
  return splitAlternatives(match).flatMap((part) => {
    const calls = [...part.matchAll(/\bHost(?:SNI)?\(([^)]*)\)/g)];
    const names = calls.flatMap(([, list = '']) => {
      return [...list.matchAll(/[`"']([^`"']+)[`"']/g)].map(([, name]) => name!);
    });
    return names.length === 0 || /Regexp|!/.test(part) ? [...names, EVERY_HOST] : names;
  });
}

/** Splits a rule of Traefik at each `||` outside of brackets. */
function splitAlternatives(match: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const token of match.split(/([()]|\|\|)/)) {
    if (token === '(') depth += 1;
    if (token === ')') depth -= 1;
    if (token === '||' && depth === 0) parts.push('');
    else parts[parts.length - 1] += token;
  }
  return parts;
}

/** Hosts of a mesh. A name without a dot is a Service of the same namespace. */
const meshHosts =
  (read: ReadHosts): ReadHosts =>
  (object) =>
    read(object).filter((host) => host === EVERY_HOST || text(host).includes('.'));

const virtualHost: ReadHosts = (object) => [
  valueAt(object, ['spec', 'virtualhost', 'fqdn']),
  ...texts(valueAt(object, ['spec', 'virtualhost', 'aliases'])),
];

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
  'networking.istio.io/VirtualService': meshHosts((object) =>
    texts(valueAt(object, ['spec', 'hosts'])),
  ),
  'networking.istio.io/Gateway': servers,
  'networking.istio.io/ServiceEntry': meshHosts((object) =>
    texts(valueAt(object, ['spec', 'hosts'])),
  ),
  'networking.istio.io/DestinationRule': meshHosts((object) => [valueAt(object, ['spec', 'host'])]),
  'gateway.networking.x-k8s.io/XListenerSet': fromList('listeners', 'hostname'),
  'gateway.networking.k8s.io/ListenerSet': fromList('listeners', 'hostname'),
  'traefik.io/IngressRoute': matches,
  'traefik.io/IngressRouteTCP': matches,
  'traefik.containo.us/IngressRoute': matches,
  'traefik.containo.us/IngressRouteTCP': matches,
  'projectcontour.io/HTTPProxy': virtualHost,
  'serving.knative.dev/DomainMapping': ({ metadata }) => [metadata.name],
  'getambassador.io/Host': (object) => [valueAt(object, ['spec', 'hostname'])],
  'getambassador.io/Mapping': (object) => [
    valueAt(object, ['spec', 'hostname']) ?? valueAt(object, ['spec', 'host']) ?? EVERY_HOST,
  ],
  'externaldns.k8s.io/DNSEndpoint': fromList('endpoints', 'dnsName'),
};

/** Annotations with further hosts, by which controllers of Ingresses, of DNS and of certificates serve an object. */
const aliases = [
  'nginx.ingress.kubernetes.io/server-alias',
  'external-dns.alpha.kubernetes.io/hostname',
  'external-dns.alpha.kubernetes.io/internal-hostname',
  'external-dns.kubernetes.io/hostname',
  'external-dns.kubernetes.io/internal-hostname',
  'cert-manager.io/common-name',
  'cert-manager.io/alt-names',
  'nginx.org/server-alias',
  'haproxy-ingress.github.io/server-alias',
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

/** The namespace of a Service by its name in the cluster: `api.web.svc.cluster.local`, `api.web.svc`. */
export function parseServiceNamespace(host: string): string | undefined {
  return /^[^.]+\.([^.]+)\.svc(?:\.|$)/.exec(host)?.[1];
}

/** The class of an Ingress, which selects its controller; undefined for any other object and for the default class. */
export function readIngressClass(object: KubeObject | undefined): string | undefined {
  if (object?.kind !== 'Ingress') return undefined;
  const annotated = object.metadata.annotations?.['kubernetes.io/ingress.class'];
  return text(valueAt(object, ['spec', 'ingressClassName'])) || annotated || undefined;
}

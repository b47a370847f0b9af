import { isMapping, listAt, valueAt } from '@tenantry/kube/mapping';
import { groupOf, type KubeObject } from '@tenantry/kube/object';
import { texts } from '@tenantry/kube/rights/rights';

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

const ingress: ReadHosts = (object) => [
  ...fromList('rules', 'host')(object),
  ...listAt(object, ['spec', 'tls'])
    .filter(isMapping)
    .flatMap((one) => texts(one['hosts'])),
];

const hostnames: ReadHosts = (object) => texts(valueAt(object, ['spec', 'hostnames']));

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

/** Returns the names of hosts that an object takes for its namespace, in lower case. */
export function listHosts(object: KubeObject): string[] {
  const read = readers[`${groupOf(object.apiVersion)}/${object.kind}`];
  const found = read?.(object).filter((host) => typeof host === 'string' && host !== '') ?? [];
  return [...new Set(found.map((host) => String(host).toLowerCase().replace(/\.$/, '')))];
}

/** Whether a host lies below a domain. The domain itself does not, and neither does a wildcard for all of it. */
export function isBelow(host: string, domain: string): boolean {
  return host.endsWith(`.${domain}`) && host !== `*.${domain}`;
}

import { DNS_SUBDOMAIN } from '@tenantry/kube/names';
import { enumOf, string } from '@tenantry/crd/schema/language';
import { named } from './named.ts';
import { set } from './schema-builders.ts';

/**
 * Names that a resolver may find inside the cluster or on the node, as an expression of both RE2 and JavaScript. They
 * are in lower case and have no dot at the end: a single label, which may be a number; names of Services and pods,
 * whatever the domain of the cluster is; names of the host; and all forms of an IPv4 address.
 * Source: https://github.com/kubernetes/dns/blob/master/docs/specification.md,
 * https://url.spec.whatwg.org/#ends-in-a-number-checker
 */
export const INSIDE_CLUSTER = String.raw`^[^.]*$|[.](svc|pod)([.]|$)|[.](local|localhost|localdomain|[0-9]+|0x[0-9a-f]*)$`;

const subdomain = DNS_SUBDOMAIN.slice(1, -1);

const externalName = string(
  "A name; '*.' and a domain for all names below it; '*' for all names with a dot at the end. Only a name itself may be one inside the cluster.",
  {
    pattern: `^(\\*|(\\*\\.)?${subdomain})$`,
    maxLength: 253,
    must: "a DNS name in lower case without a dot at the end, '*.' and a domain for all names below it, or '*'",
    example: '*.example.com',
    rules: [
      {
        rule: `!self.startsWith('*.') || !self.matches(${JSON.stringify(INSIDE_CLUSTER)})`,
        message:
          "must be a name without '*' where it is inside the cluster: a single label, an address, or below svc, pod, local or localhost",
      },
    ],
  },
);

const loadBalancerClass = string(
  "The name of a class; a '*' at the end matches any rest. '' allows Services without `loadBalancerClass`, which get the default of the cluster.",
  {
    pattern: '^([A-Za-z0-9][-A-Za-z0-9_./]*)?\\*?$',
    maxLength: 317,
    must: "the name of a class such as 'example.com/internal', with a '*' at the end for any rest, or '' for Services without one",
    example: 'example.com/internal',
  },
);

/** The fields of a class that bound Services by their type. */
export const serviceBounds = {
  types: set(
    'The types that Services may have.',
    named(
      'ServiceType',
      enumOf('The type of a Service.', ['ClusterIP', 'NodePort', 'LoadBalancer', 'ExternalName']),
    ),
    { minItems: 1, absent: 'every type' },
  ),
  externalNames: set('The DNS names that Services of type ExternalName may have.', externalName, {
    absent: 'none',
  }),
  loadBalancerClasses: set(
    'The classes that Services of type LoadBalancer may have.',
    loadBalancerClass,
    { minItems: 1, absent: 'every class, and none' },
  ),
};

import { attempts } from './attempt.ts';

const keys = [{ key: 'example.com/*' }];
const opening = { allow: { labels: keys, annotations: keys } };

// The facts on which admission policies are based come from the platform: on the Namespace and in the class.
attempts({
  'a tenant that widens the self-service of its users': {
    tenant: { selfService: { networkPolicies: { ingressFrom: { anywhere: 'Allow' } } } },
    refused: 'schema',
  },
  'an annotation that lets users name every host': {
    tenant: { annotations: { 'policy.tenantry.dev/external-names': '*' } },
    refused: 'reserved-key',
  },
  'a label that exempts a namespace from a policy': {
    tenant: { labels: { 'policy.tenantry.dev/role-bindings': 'Disabled' } },
    refused: 'reserved-key',
  },
  'an annotation that adds a subject to the tenant': {
    tenant: { annotations: { 'policy.tenantry.dev/subjects': 'Group system:authenticated' } },
    refused: 'reserved-key',
  },
  'the same on the Tenant itself': {
    metadata: { labels: { 'policy.tenantry.dev/pods': 'Disabled' } },
    refused: 'reserved-key',
  },
  "annotations beyond the API server's limit, which would leave the old ones in force": {
    klass: opening,
    tenant: {
      annotations: Object.fromEntries(
        Array.from({ length: 17 }, (_, i) => [`example.com/${i}`, 'x'.repeat(16_000)]),
      ),
    },
    refused: 'annotations-size',
  },
  "the tenant's own labels and annotations": {
    klass: opening,
    tenant: { labels: { 'example.com/pods': 'Disabled' }, annotations: { 'example.com/a': 'b' } },
  },
});

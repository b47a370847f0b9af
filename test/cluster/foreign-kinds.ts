import type { JSONSchemaProps } from '@tenantry/crd/schema/json-schema';
import type { Client } from '@tenantry/testing/controlplane/client';
import type { Body } from '@tenantry/testing/controlplane/objects';
import { ofOneVersion, serve } from './crds.ts';

/** Third-party kinds in the clusters of dist, with the plurals of their definitions. */
const plurals: Readonly<Record<string, string>> = {
  'cert-manager.io/v1 Certificate': 'certificates',
  'external-secrets.io/v1 ExternalSecret': 'externalsecrets',
  'monitoring.coreos.com/v1 PrometheusRule': 'prometheusrules',
  'monitoring.coreos.com/v1 ServiceMonitor': 'servicemonitors',
  'projectcalico.org/v3 NetworkPolicy': 'networkpolicies',
  'rail.wagonlark.example.com/v1 TrackFeed': 'trackfeeds',
};

const open: JSONSchemaProps = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

/** Defaults within the items of a list, as in the definition of the External Secrets Operator. */
const withDefaults: JSONSchemaProps = {
  ...open,
  properties: {
    spec: {
      ...open,
      properties: {
        data: {
          type: 'array',
          items: {
            ...open,
            properties: {
              remoteRef: {
                ...open,
                properties: {
                  conversionStrategy: { type: 'string', default: 'Default' },
                  decodingStrategy: { type: 'string', default: 'None' },
                  metadataPolicy: { type: 'string', default: 'None' },
                },
              },
            },
          },
        },
      },
    },
  },
};

/** Serves the third-party kinds among the objects, with schemas that accept nearly any object. */
export async function serveForeignKinds(client: Client, objects: readonly Body[]): Promise<void> {
  const used = new Set(objects.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`));
  for (const one of used) {
    const plural = plurals[one];
    if (plural === undefined) continue;
    const [apiVersion = '', kind = ''] = one.split(' ');
    const schema = kind === 'ExternalSecret' ? withDefaults : open;
    await serve(client, ofOneVersion({ apiVersion, kind, plural }, schema, 'Namespaced'));
  }
}

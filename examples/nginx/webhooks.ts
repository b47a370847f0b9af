import { join } from 'node:path';
import {
  CertificateFiles,
  conversionWebhook,
  SharedCertificates,
  WebhookServer,
  type CertificateSource,
  type Client,
  type Log,
} from '@tenantry/runtime';
import { nginxConversions } from './conversion.ts';
import { NAME } from './deployment.ts';
import type { Flags } from './flags.ts';

/** The dependencies for issuing certificates. */
export interface WebhookDeps {
  readonly client: Client;
  /** The namespace of the operator. */
  readonly namespace: string;
  readonly log: Log;
}

/** Creates the webhook server, which converts NginxOperators between their versions for API servers. */
export function webhookServer(flags: Flags, deps: WebhookDeps): WebhookServer {
  return new WebhookServer({
    certificates: certificatesOf(flags, deps),
    webhooks: [conversionWebhook(nginxConversions)],
    port: flags.ports.webhooks,
    log: deps.log,
  });
}

function certificatesOf(
  { certificates, certificateFolder: folder }: Flags,
  { client, namespace, log }: WebhookDeps,
): CertificateSource {
  if (certificates === 'cert-manager') {
    const [certificate, key] = [join(folder, 'tls.crt'), join(folder, 'tls.key')];
    return new CertificateFiles({ certificate, key, log });
  }
  const { plural, group } = nginxConversions.definition;
  const name = `${NAME}-webhooks`;
  return new SharedCertificates({
    client,
    secret: { name, namespace },
    hosts: [`${name}.${namespace}.svc`],
    targets: [{ kind: 'CustomResourceDefinition', name: `${plural}.${group}` }],
    log,
  });
}

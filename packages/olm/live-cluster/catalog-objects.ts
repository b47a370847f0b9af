import { createHash } from 'node:crypto';
import { omitUndefined } from '@tenantry/kube/mapping';
import type { KubeObject } from '@tenantry/kube/object';
import { RUN, RUN_MANAGER } from './kinds.ts';

/** The bytes that a ConfigMap may hold (core/v1, MaxSecretSize), minus room for its metadata. */
export const MAX_CONFIGMAP_BYTES = 1_000_000;

/** The port on which opm serves and OLM expects the catalog. */
const PORT = 50_051;

/** The server of a catalog in a cluster. */
interface ServedCatalog {
  /** The name of the ConfigMaps, the Deployment and the Service, which depends on the content. */
  readonly name: string;
  /** The address for OLM. */
  readonly address: string;
  /** The objects without the CatalogSource, which owns them. */
  readonly objects: readonly KubeObject[];
}

interface ServeOptions {
  readonly package: string;
  readonly namespace: string;
  /** The image of opm. */
  readonly image: string;
  /** Each text is in a ConfigMap of its own. */
  readonly texts: readonly string[];
  /** The CatalogSource that owns the objects. */
  readonly owner: { readonly name: string; readonly uid: string };
  /** Secrets for pulling the image. */
  readonly pullSecrets: readonly string[];
}

/**
 * Returns the objects that serve a catalog: ConfigMaps with its texts, a Deployment of opm, a
 * Service. The pods pass Pod Security `restricted`. Each text is mounted as a single file, since
 * opm cannot read the linked folders that the mount of a whole ConfigMap creates.
 */
export function servedCatalog(options: ServeOptions): ServedCatalog {
  const { namespace, texts, image } = options;
  const hash = createHash('sha256')
    .update(JSON.stringify([texts, image]))
    .digest('hex');
  const name = `${options.owner.name.slice(0, 50)}-${hash.slice(0, 8)}`;
  const labels = { [RUN]: options.package, 'app.kubernetes.io/managed-by': RUN_MANAGER };
  const selected = { 'app.kubernetes.io/name': name };
  const owner = { apiVersion: 'operators.coreos.com/v1alpha1', kind: 'CatalogSource' };
  const metadata = (own: string) => ({
    name: own,
    namespace,
    labels,
    ownerReferences: [{ ...owner, ...options.owner }],
  });
  const parts = texts.map((text, at) => ({ text, name: `${name}-${at}` }));
  return {
    name,
    address: `${name}.${namespace}.svc:${PORT}`,
    objects: [
      ...parts.map((part) => ({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: metadata(part.name),
        data: { 'catalog.json': part.text },
      })),
      {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: metadata(name),
        spec: { selector: selected, ports: [{ name: 'grpc', port: PORT, targetPort: PORT }] },
      },
      {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: metadata(name),
        spec: {
          replicas: 1,
          selector: { matchLabels: selected },
          template: {
            metadata: { labels: { ...labels, ...selected } },
            spec: buildPod(parts, options),
          },
        },
      },
    ],
  };
}

function buildPod(parts: readonly { readonly name: string }[], options: ServeOptions): object {
  const volumes = parts.map(({ name }, at) => ({ name: `part-${at}`, configMap: { name } }));
  const mounts = parts.map((_, at) => ({
    name: `part-${at}`,
    mountPath: `/configs/${at}/catalog.json`,
    subPath: 'catalog.json',
    readOnly: true,
  }));
  const probe = { grpc: { port: PORT }, timeoutSeconds: 5 };
  return omitUndefined({
    automountServiceAccountToken: false,
    securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
    imagePullSecrets:
      options.pullSecrets.length > 0 ? options.pullSecrets.map((name) => ({ name })) : undefined,
    containers: [
      {
        name: 'catalog',
        image: options.image,
        command: ['/bin/opm', 'serve', '/configs', '--port', String(PORT)],
        ports: [{ name: 'grpc', containerPort: PORT }],
        startupProbe: { ...probe, failureThreshold: 60, periodSeconds: 2 },
        readinessProbe: probe,
        livenessProbe: probe,
        resources: { requests: { cpu: '10m', memory: '64Mi' } },
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        },
        volumeMounts: [...mounts, { name: 'tmp', mountPath: '/tmp' }],
      },
    ],
    volumes: [...volumes, { name: 'tmp', emptyDir: {} }],
  });
}

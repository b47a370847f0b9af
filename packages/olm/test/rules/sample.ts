import type { BundleFile } from '../../bundle/bundle.ts';
import { parseBundle } from '../../bundle/parse.ts';
import { definition, type Free } from './definition.ts';
import { validateBundle, type BundleValidationOptions } from '../../rules/validate-bundle.ts';

/** A valid bundle, for tests to break. */
export interface Sample {
  csv: Free;
  crd: Free;
  /** The annotations of the bundle, without the prefix. */
  annotations: Free;
  /** Further files by path: objects or texts. */
  files: Record<string, Free>;
}

const PREFIX = 'operators.operatorframework.io.bundle.';

export function sample(): Sample {
  const examples = [
    {
      apiVersion: 'cache.example.com/v1',
      kind: 'Redis',
      metadata: { name: 'small' },
      spec: { replicas: 1 },
      status: { ready: 1 },
    },
  ];
  return {
    csv: {
      apiVersion: 'operators.coreos.com/v1alpha1',
      kind: 'ClusterServiceVersion',
      metadata: {
        name: 'redis-operator.v1.2.3',
        annotations: {
          'alm-examples': JSON.stringify(examples, undefined, 2),
          capabilities: 'Seamless Upgrades',
          categories: 'Database, Storage',
        },
      },
      spec: {
        displayName: 'Redis',
        version: '1.2.3',
        minKubeVersion: '1.25.0',
        provider: { name: 'Example' },
        maintainers: [{ name: 'Jo', email: 'jo@example.com' }],
        links: [{ name: 'Home', url: 'https://example.com' }],
        icon: [{ base64data: 'PHN2Zy8+', mediatype: 'image/svg+xml' }],
        installModes: [
          { type: 'AllNamespaces', supported: true },
          { type: 'OwnNamespace', supported: false },
        ],
        relatedImages: [{ name: 'redis', image: 'quay.io/example/redis:7' }],
        customresourcedefinitions: {
          owned: [
            {
              name: 'redis.cache.example.com',
              version: 'v1',
              kind: 'Redis',
              description: 'A Redis.',
              resources: [{ kind: 'Deployment', name: '', version: 'v1' }],
              specDescriptors: [{ path: 'replicas' }],
              statusDescriptors: [{ path: 'ready' }],
            },
          ],
        },
        install: {
          strategy: 'deployment',
          spec: { deployments: [deployment()], clusterPermissions: [permissions()] },
        },
      },
    },
    crd: definition(),
    annotations: {
      'mediatype.v1': 'registry+v1',
      'manifests.v1': 'manifests/',
      'metadata.v1': 'metadata/',
      'package.v1': 'redis-operator',
      'channels.v1': 'stable',
      'channel.default.v1': 'stable',
    },
    files: {},
  };
}

function deployment() {
  const labels = { app: 'redis-operator' };
  const requests = { cpu: '10m', memory: '64Mi' };
  const container = {
    name: 'manager',
    image: 'quay.io/example/operator:1',
    resources: { requests },
  };
  return {
    name: 'redis-operator',
    spec: {
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { serviceAccountName: 'redis-operator', containers: [container] },
      },
    },
  };
}

function permissions() {
  const rule = { apiGroups: ['cache.example.com'], resources: ['redis'], verbs: ['get'] };
  return { serviceAccountName: 'redis-operator', rules: [rule] };
}

/** Returns the files of a sample by path. */
export function textsOf({ csv, crd, annotations, files }: Sample): Record<string, string> {
  const prefixed = Object.fromEntries(
    Object.entries(annotations).map(([name, value]) => [`${PREFIX}${name}`, value]),
  );
  const all = {
    'manifests/redis-operator.clusterserviceversion.yaml': csv,
    'manifests/cache.example.com_redis.yaml': crd,
    'metadata/annotations.yaml': { annotations: prefixed },
    ...files,
  };
  const text = (content: Free): string =>
    typeof content === 'string' ? content : JSON.stringify(content);
  const there = Object.entries(all).filter(([, content]) => content !== undefined);
  return Object.fromEntries(there.map(([path, content]) => [path, text(content)]));
}

export function filesOf(sample: Sample): BundleFile[] {
  return Object.entries(textsOf(sample)).map(([path, text]) => ({
    path,
    bytes: Buffer.from(text),
  }));
}

/** Validates a sample. */
export function judge(given: Sample, questions: BundleValidationOptions = {}) {
  return validateBundle(parseBundle({ files: filesOf(given) }), questions);
}

/** Options with every optional validator. */
export const everything: BundleValidationOptions = {
  suite: 'good-practices',
  optional: ['operatorhub', 'community', 'alpha-deprecated-apis', 'objects', 'scorecard'],
};

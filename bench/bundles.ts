/** Generates bundles to measure with, like published ones, of ten manifests each. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { emitYaml } from '@tenantry/kube/yaml/write';

const DEFINITIONS = 4;

/** Returns the manifests of a bundle by file: about 60 kB. */
export function bundleTexts(name: string, version: string): Map<string, string> {
  const kinds = Array.from({ length: DEFINITIONS }, (_, i) => `Kind${i}`);
  const group = `${name}.example.com`;
  const files = new Map<string, string>();
  const put = (path: string, object: object): void => {
    files.set(path, emitYaml([object]));
  };
  put(`manifests/${name}.clusterserviceversion.yaml`, serviceVersion(name, version, kinds));
  for (const kind of kinds) {
    put(`manifests/${group}_${kind.toLowerCase()}s.yaml`, definition(kind, group));
  }
  put('manifests/config.yaml', {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: `${name}-config` },
    data: { 'config.yaml': 'leaderElection: true\nhealth: ":8081"\n'.repeat(20) },
  });
  put('manifests/service.yaml', {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: `${name}-metrics` },
    spec: { selector: { app: name }, ports: [{ name: 'https', port: 8443 }] },
  });
  for (const role of ['viewer', 'editor', 'metrics']) {
    put(`manifests/${role}.yaml`, {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: `${name}-${role}` },
      rules: [{ apiGroups: [group], resources: ['*'], verbs: ['get', 'list', 'watch'] }],
    });
  }
  put('metadata/annotations.yaml', {
    annotations: {
      'operators.operatorframework.io.bundle.mediatype.v1': 'registry+v1',
      'operators.operatorframework.io.bundle.manifests.v1': 'manifests/',
      'operators.operatorframework.io.bundle.metadata.v1': 'metadata/',
      'operators.operatorframework.io.bundle.package.v1': name,
      'operators.operatorframework.io.bundle.channels.v1': 'stable',
    },
  });
  return files;
}

/** Writes so many bundles into subfolders of a folder, and returns their paths. */
export function writeBundles(folder: string, count: number): string[] {
  return Array.from({ length: count }, (_, i) => {
    const root = join(folder, `operator${i}`);
    for (const [path, text] of bundleTexts(`operator${i}`, `1.${i}.0`)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    return root;
  });
}

function serviceVersion(name: string, version: string, kinds: readonly string[]): object {
  const group = `${name}.example.com`;
  const apiVersion = `${group}/v1`;
  const examples = kinds.map((kind) => ({
    apiVersion,
    kind,
    metadata: { name: 'example' },
    spec: { field0: { size: 3, name: 'a' } },
  }));
  return {
    apiVersion: 'operators.coreos.com/v1alpha1',
    kind: 'ClusterServiceVersion',
    metadata: {
      name: `${name}.v${version}`,
      annotations: {
        'alm-examples': JSON.stringify(examples, undefined, 2),
        capabilities: 'Full Lifecycle',
        categories: 'Database',
      },
    },
    spec: {
      displayName: `Operator ${name}`,
      description: '# An operator\n\nIt runs what is declared, and reports its state.\n'.repeat(40),
      version,
      minKubeVersion: '1.28.0',
      maturity: 'stable',
      keywords: ['database'],
      maintainers: [{ name: 'Example', email: 'operators@example.com' }],
      provider: { name: 'Example', url: 'https://example.com' },
      links: [{ name: 'Documentation', url: 'https://example.com/docs' }],
      icon: [{ base64data: Buffer.alloc(9000, name).toString('base64'), mediatype: 'image/png' }],
      installModes: ['OwnNamespace', 'SingleNamespace', 'MultiNamespace', 'AllNamespaces'].map(
        (type) => ({ type, supported: true }),
      ),
      customresourcedefinitions: {
        owned: kinds.map((kind) => ({
          name: `${kind.toLowerCase()}s.${group}`,
          version: 'v1',
          kind,
          displayName: kind,
          description: `What a ${kind} is.`,
          specDescriptors: Array.from({ length: 12 }, (_, i) => ({
            path: `field${i}.size`,
            displayName: `Size ${i}`,
            'x-descriptors': ['urn:alm:descriptor:com.tectonic.ui:number'],
          })),
        })),
      },
      install: installation(name, group),
    },
  };
}

function installation(name: string, group: string): object {
  const rules = Array.from({ length: 12 }, (_, i) => ({
    apiGroups: [i === 0 ? group : 'apps'],
    resources: [`things${i}`, `things${i}/status`],
    verbs: ['get', 'list', 'watch', 'create', 'update', 'patch'],
  }));
  return {
    strategy: 'deployment',
    spec: {
      clusterPermissions: [{ serviceAccountName: name, rules }],
      deployments: [
        {
          name,
          spec: {
            replicas: 1,
            selector: { matchLabels: { app: name } },
            template: {
              metadata: { labels: { app: name } },
              spec: {
                serviceAccountName: name,
                containers: [
                  {
                    name: 'manager',
                    image: `quay.io/example/${name}:v1`,
                    args: ['--leader-elect'],
                    resources: { requests: { cpu: '100m', memory: '128Mi' } },
                  },
                ],
              },
            },
          },
        },
      ],
    },
  };
}

/** A definition with a schema of about 10 kB. */
function definition(kind: string, group: string): object {
  const plural = `${kind.toLowerCase()}s`;
  const fields = Array.from({ length: 20 }, (_, i) => [
    `field${i}`,
    {
      description: `What field ${i} of a ${kind} contains: how many there are, what they are called, and why.`,
      type: 'object',
      required: ['name'],
      properties: {
        name: { description: 'Its name.', type: 'string', maxLength: 63, pattern: '^[a-z]+$' },
        size: { description: 'How many.', type: 'integer', minimum: 0, maximum: 100 },
        labels: { type: 'object', additionalProperties: { type: 'string' } },
      },
    },
  ]);
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      scope: 'Namespaced',
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: {
            openAPIV3Schema: {
              description: `A ${kind}.`,
              type: 'object',
              properties: {
                spec: { type: 'object', properties: Object.fromEntries(fields) },
                status: { type: 'object', properties: { ready: { type: 'boolean' } } },
              },
            },
          },
        },
      ],
    },
  };
}

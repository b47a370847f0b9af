import { expect, test } from '@jest/globals';
import { readDocuments } from '@tenantry/kube/yaml/read';
import { withFleet } from '../apps/fleet.ts';
import { attempts, filesOf, type Attempt } from './attempt.ts';

const text = { type: 'string' };
const anything = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

/** A preset as open as a platform might write it, for a kind with an unknown schema, so that only the rules protect. */
const open = {
  name: 'open',
  parameters: {
    type: 'object',
    properties: {
      name: { ...text, default: 'x' },
      text: { ...text, default: '' },
      key: { ...text, default: 'k' },
      labels: { type: 'object', additionalProperties: text },
      annotations: { type: 'object', additionalProperties: text },
      spec: anything,
    },
  },
  manifests: [
    {
      apiVersion: 'example.com/v1',
      kind: 'Widget',
      metadata: { name: '{name}', labels: '{labels}', annotations: '{annotations}' },
      spec: '{spec}',
      data: { '{key}': '+{text}', in: 'a-{text}' },
    },
  ],
};

const proto = '{"__proto__": "x", "constructor": "y", "toString": "z"}';

/** The same for a Service. */
const service = {
  name: 'service',
  parameters: { type: 'object', properties: { spec: anything } },
  manifests: [{ apiVersion: 'v1', kind: 'Service', metadata: { name: 'x' }, spec: '{spec}' }],
};

const using = (values: object): Attempt => ({
  platform: { kinds: [{ group: 'example.com', kind: 'Widget', scope: 'Namespaced' }] },
  klass: { presets: { resources: [open, service] } },
  tenant: { resources: [{ preset: 'open', values }] },
});

// Mallory sets values, and each value stays in its place.
attempts({
  'values as they are meant': using({ text: 'hello', labels: { team: 'x' }, spec: { ports: [] } }),
  'line ends and YAML in a value': using({
    text: 'x\n---\napiVersion: v1\nkind: Namespace\nmetadata: {name: kube-system}\n',
  }),
  'a key of YAML': using({ key: 'a: b\nkind: Secret #' }),
  'placeholders in a value': using({ text: '{namespace} {text} \\{key}', key: '{tenant}' }),
  'a name that is YAML': {
    ...using({ name: 'x\nnamespace: kube-system' }),
    refused: 'resource-name',
  },
  'a name that is a path': { ...using({ name: '../x' }), refused: 'resource-name' },
  'a path into another namespace by a label': {
    ...using({ labels: { 'tenantry.dev/tenant': 'payments' } }),
    refused: 'reserved-key',
  },
  'commands to Argo CD': {
    ...using({ annotations: { 'argocd.argoproj.io/sync-options': 'Prune=false' } }),
    refused: 'reserved-key',
  },
  'commands to file readers, in two halves': {
    ...using({ text: 'argocd:skip-file-rendering' }),
    refused: 'steering-text',
  },
  'the end of a key that is a command': {
    ...using({ key: '+argocd' }),
    refused: 'steering-text',
  },
  'an external address': {
    ...using({}),
    tenant: { resources: [{ preset: 'service', values: { spec: { externalIPs: ['10.0.0.1'] } } }] },
    refused: 'self-service',
  },
  'fields that the API server does not know': {
    ...using({}),
    tenant: { resources: [{ preset: 'service', values: { spec: JSON.parse(proto) } }] },
    refused: 'resource-schema',
  },
  'a huge value': { ...using({ text: 'x'.repeat(70_000) }), refused: 'resource-size' },
  'two keys that become one': { ...using({ key: 'in' }), refused: 'placeholder' },
  'an unknown parameter': {
    ...using({ namespace: 'kube-system' }),
    refused: 'parameters',
  },
  'a list instead of a text': { ...using({ text: ['x'] }), refused: 'parameters' },
  'a number instead of a mapping': { ...using({ labels: 7 }), refused: 'parameters' },
  'a preset of another class': {
    ...using({}),
    tenant: { resources: [{ preset: 'other' }] },
    refused: 'preset',
  },
  'a manifest next to a preset': {
    ...using({}),
    tenant: {
      resources: [
        {
          preset: 'open',
          manifest: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'kube-system' } },
        },
      ],
    },
    refused: 'schema',
  },
  'two objects of one name, one by a preset and one literal': {
    ...using({}),
    tenant: {
      resources: [
        { preset: 'open' },
        { manifest: { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'x' } } },
      ],
    },
    refused: 'duplicate-object',
  },
});

const yaml = (values: string) =>
  `apiVersion: tenantry.dev/v1alpha1\nkind: Tenant\nmetadata: {name: mallory}\nspec: {resources: [{preset: open, values: ${values}}]}\n`;

attempts({
  'a parameter named __proto__': {
    ...using({}),
    files: { 'tenants/mallory.yaml': yaml(proto) },
    refused: 'parameters',
  },
  'a label named __proto__': {
    ...using({}),
    files: { 'tenants/mallory.yaml': yaml(`{labels: ${proto}}`) },
    refused: 'key',
  },
  'fields named __proto__': {
    ...using({}),
    files: { 'tenants/mallory.yaml': yaml(`{spec: ${proto}, key: __proto__}`) },
  },
});

test('a value is rendered as one value, and nothing around it changes', () => {
  const evil =
    'x: y\n---\nkind: Namespace\n{namespace} {{ x }} "\' # &a *a !!str %YAML \ud83d\ude00';
  withFleet(filesOf(using({ text: evil, key: evil, spec: { evil: [evil] } })), (fleet) => {
    const { problems } = fleet.render();
    expect(problems).toEqual([]);
    const written = fleet.rendered();
    const objects = ['', 'resources/'].flatMap((folder) => {
      const path = `clusters/in-cluster/tenants/mallory/${folder}namespace-mallory.yaml`;
      return readDocuments(written[path]!).documents.map(({ value }) => value);
    });
    expect(objects.filter((one) => (one as { kind: string }).kind === 'Namespace')).toHaveLength(1);
    expect(objects.find((one) => (one as { kind: string }).kind === 'Widget')).toEqual({
      apiVersion: 'example.com/v1',
      kind: 'Widget',
      metadata: {
        name: 'x',
        namespace: 'mallory',
        annotations: { 'argocd.argoproj.io/sync-options': 'Delete=false' },
        labels: { 'app.kubernetes.io/managed-by': 'tenantry', 'tenantry.dev/tenant': 'mallory' },
      },
      spec: { evil: [evil] },
      data: { [evil]: `+${evil}`, in: `a-${evil}` },
    });
  });
});

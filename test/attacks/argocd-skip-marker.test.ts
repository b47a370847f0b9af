import { tenantClass } from '../apps/fleet.ts';
import { attempts } from './attempt.ts';

const skip = '+argocd:skip-file-rendering';
const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' } };
const manifest = (more: object) => ({ tenant: { resources: [{ manifest: { ...map, ...more } }] } });
const tenant = (name: string, spec: string) =>
  `apiVersion: tenantry.dev/v1alpha1\nkind: Tenant\nmetadata: {name: ${name}}\nspec:\n${spec}`;

// Argo CD ignores a file that contains this text anywhere, and prunes its objects.
attempts({
  'in a description': { tenant: { description: `see ${skip}` }, refused: 'steering-text' },
  'in an annotation of her namespace': {
    tenant: { annotations: { 'example.com/note': skip } },
    refused: 'steering-text',
  },
  'in an annotation of the Tenant': {
    metadata: { annotations: { 'example.com/note': skip } },
    refused: 'steering-text',
  },
  'in data': { ...manifest({ data: { a: `#!/bin/sh\n# ${skip}\n` } }), refused: 'steering-text' },
  'in the name of a field': { ...manifest({ data: { [skip]: 'x' } }), refused: 'steering-text' },
  'at the end of the name of a field': {
    ...manifest({ data: { '+argocd': 'skip-file-rendering' } }),
    refused: 'steering-text',
  },
  'in a contact': {
    platform: { metadataKeys: { team: 'example.com/team' } },
    tenant: { contact: { team: skip } },
    refused: 'steering-text',
  },
  'in a class': {
    files: { 'tenants/classes/k.yaml': tenantClass('k', { description: skip }) },
    refused: 'steering-text',
  },
  'behind an escape': {
    files: {
      'tenants/mallory.yaml': tenant(
        'mallory',
        `  description: "\\x2bargocd:skip-file-rendering"\n`,
      ),
    },
    refused: 'steering-text',
  },
  'on folded lines': {
    files: {
      'tenants/mallory.yaml': tenant(
        'mallory',
        `  description: "+argocd:skip-\\\n    file-rendering"\n`,
      ),
    },
    refused: 'steering-text',
  },
  'in a file that is included': {
    tenant: { resources: [{ file: 'resources/x.yaml' }] },
    files: { 'tenants/resources/x.yaml': JSON.stringify({ ...map, data: { a: skip } }) },
    refused: 'steering-text',
  },
  'another word to Argo CD': { tenant: { description: '+argocd:other' }, refused: 'steering-text' },
  'the same text without the marker': { tenant: { description: 'argocd:skip-file-rendering' } },
  'in a comment of what she writes, which is read by nobody else': {
    files: { 'tenants/mallory.yaml': tenant('mallory', `  description: x # ${skip}\n`) },
  },
});

// Flux decrypts files that contain `sops` with the platform's key, and skips a kustomization.
attempts({
  "a text of somebody else's, to be decrypted by Flux": {
    ...manifest({ data: { a: 'ENC[AES256_GCM,data:eA==]' }, sops: { mac: 'ENC[x]' } }),
    refused: 'resource-object',
  },
  'an object that Flux takes for its own configuration': {
    tenant: {
      resources: [
        {
          manifest: {
            ...map,
            apiVersion: 'kustomize.config.k8s.io/v1beta1',
            kind: 'Kustomization',
          },
        },
      ],
    },
    platform: {
      kinds: [{ group: 'kustomize.config.k8s.io', kind: 'Kustomization', scope: 'Namespaced' }],
    },
    klass: { allow: { resources: [{ group: '*', kind: '*' }] } },
    refused: 'resource-object',
  },
  'a script with variables': manifest({ data: { run: 'echo ${HOME:-/}\n' } }),
});

// The platform names classes; the file of a class must nevertheless contain objects.
attempts({
  'a class whose file makes the folder a kustomization': {
    files: { 'tenants/classes/k.yaml': tenantClass('kustomization') },
    refused: 'file-name',
  },
  'a class whose file Flux takes for a pipeline': {
    files: { 'tenants/classes/k.yaml': tenantClass('cloudbuild') },
    refused: 'file-name',
  },
});

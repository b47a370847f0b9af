import { list } from './schema-builders.ts';
import { named } from './named.ts';
import type { KubeObject } from '@tenantry/kube/object';
import {
  anyObject,
  dnsLabel,
  embeddedResource,
  object,
  required,
  string,
  type JSONSchemaProps,
} from '@tenantry/crd/schema/language';

export const resources = list(
  'Further namespaced objects that belong to the tenant: written out, or made by a preset of the ' +
    'class. In a file, `file: path` may stand in the place of `manifest`, relative to the file that ' +
    'says it; every document in it is taken.',
  named(
    'ResourceEntry',
    object(
      'One object, or what a preset makes.',
      {
        manifest: embeddedResource<KubeObject>(
          'The object. Its namespace is that of the tenant; kinds that have fields of their own (RBAC, quotas, network policies) are refused here.',
          { must: 'a Kubernetes object' },
        ),
        preset: dnsLabel(
          'A preset of the class (`presets.resources`), which makes one object or more of the values. It may be used any number of times.',
        ),
        values: anyObject<Readonly<Record<string, unknown>>>(
          'The values of its parameters, by their names.',
          {
            absent: 'what the parameters default to',
            example: { hosts: ['shop.example.com'] },
          },
        ),
      },
      {
        rules: [
          {
            rule: 'has(self.manifest) != has(self.preset)',
            message: 'must have one of manifest, preset or, in a file, file',
          },
          {
            rule: '!has(self.values) || has(self.preset)',
            message: 'must have values only beside a preset',
          },
        ],
      },
    ),
  ),
  { maxItems: 200 },
);

/** The names of placeholders other than parameters. */
export const resourceContext = ['tenant', 'namespace', 'environment', 'cluster'] as const;

export const resourcePreset = named(
  'ResourcePreset',
  object('Objects of one shape, made of the values that a tenant gives.', {
    name: required(dnsLabel('Its name.')),
    description: string('For people.', { maxLength: 1024 }),
    parameters: named(
      'ParameterSchema',
      anyObject<JSONSchemaProps>(
        'What a tenant may say, and what it must: a structural schema (OpenAPI v3, as in a CustomResourceDefinition) of type object, with a property a parameter. Defaults are filled in, patterns, bounds and `x-kubernetes-validations` are asked.',
        {
          absent: 'no parameters',
          example: {
            type: 'object',
            required: ['hosts'],
            properties: { hosts: { type: 'array', items: { type: 'string' } } },
          },
        },
      ),
    ),
    manifests: required(
      list(
        'The objects, in which `{name}` stands for a parameter, and `{tenant}`, `{namespace}`, `{environment}` and `{cluster}` for where they are made. A text that is one placeholder becomes the value, of whatever type; in a longer text and in keys a string, a number or a boolean is put in. What holds nothing but an optional parameter without a value is left out. `\\{name}` stays `{name}`; `{{name}}` and `${name}` stay as they are.',
        anyObject('An object of Kubernetes, in no namespace: it lies in the one that uses it.', {
          must: 'a Kubernetes object',
        }),
        { minItems: 1, maxItems: 20 },
      ),
    ),
  }),
);

export type { ParameterSchema, ResourceEntry, ResourcePreset } from './types.ts';

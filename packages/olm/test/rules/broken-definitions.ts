import type { DEFINITION_FIELD_RULES } from '@tenantry/crd/validation';
import { definition, type Free } from './definition.ts';

/** A broken definition, and the expected finding. */
export interface BrokenDefinition {
  readonly rule: (typeof DEFINITION_FIELD_RULES)[number];
  readonly breaks: (crd: Free) => void;
  /** Whether the definition is of v1beta1. @default false */
  readonly isBeta?: boolean;
}

const url = 'https://example.com/convert';

export function betaDefinition(): Free {
  const crd = definition();
  const [{ schema, ...version }] = crd.spec.versions;
  crd.apiVersion = 'apiextensions.k8s.io/v1beta1';
  crd.spec = { ...crd.spec, versions: [version], validation: schema, preserveUnknownFields: false };
  return crd;
}

const webhook = (clientConfig: Free, conversionReviewVersions: Free = ['v1']) => ({
  strategy: 'Webhook',
  webhook: { clientConfig, conversionReviewVersions },
});

const column = (change: Free) => (crd: Free) => {
  const good = { name: 'A', type: 'string', jsonPath: '.spec.a' };
  crd.spec.versions[0].additionalPrinterColumns = [{ ...good, ...change }];
};

export const brokenDefinitions: readonly BrokenDefinition[] = [
  { rule: 'name', breaks: (crd) => (crd.metadata.name = 'redis') },
  { rule: 'name', breaks: (crd) => delete crd.metadata.name },
  { rule: 'namespace', breaks: (crd) => (crd.metadata.namespace = 'x') },
  { rule: 'label-key', breaks: (crd) => (crd.metadata.labels = { 'a b': '' }) },
  { rule: 'label-value', breaks: (crd) => (crd.metadata.labels = { a: 'a b' }) },
  { rule: 'annotation-key', breaks: (crd) => (crd.metadata.annotations = { 'a b': '' }) },
  {
    rule: 'annotations-size',
    breaks: (crd) => (crd.metadata.annotations = { a: 'x'.repeat(262_144) }),
  },
  {
    rule: 'owner-reference',
    breaks: (crd) => (crd.metadata.ownerReferences = [{ apiVersion: 'v1', kind: 'A', name: 'a' }]),
  },
  { rule: 'finalizer', breaks: (crd) => (crd.metadata.finalizers = ['a b']) },
  {
    rule: 'api-approval',
    breaks: (crd) => {
      crd.spec.group = 'cache.k8s.io';
      crd.metadata.name = 'redis.cache.k8s.io';
    },
  },
  {
    rule: 'group',
    breaks: (crd) => {
      crd.spec.group = 'example';
      crd.metadata.name = 'redis.example';
    },
  },
  { rule: 'scope', breaks: (crd) => (crd.spec.scope = 'Global') },
  { rule: 'scope', breaks: (crd) => delete crd.spec.scope },
  {
    rule: 'plural',
    breaks: (crd) => {
      crd.spec.names.plural = '1redis';
      crd.metadata.name = '1redis.cache.example.com';
    },
  },
  { rule: 'singular', breaks: (crd) => (crd.spec.names.singular = 'a b') },
  { rule: 'kind', breaks: (crd) => (crd.spec.names.kind = 'A b') },
  { rule: 'list-kind', breaks: (crd) => (crd.spec.names.listKind = 'Redis') },
  { rule: 'short-name', breaks: (crd) => (crd.spec.names.shortNames = ['A']) },
  { rule: 'category', breaks: (crd) => (crd.spec.names.categories = ['A']) },
  { rule: 'storage-version', breaks: (crd) => (crd.spec.versions[0].storage = false) },
  { rule: 'storage-version', breaks: (crd) => (crd.spec.versions = []) },
  { rule: 'version-name', breaks: (crd) => (crd.spec.versions[0].name = 'V1') },
  {
    rule: 'version-unique',
    breaks: (crd) => crd.spec.versions.push({ ...crd.spec.versions[0], storage: false }),
  },
  { rule: 'version-first', isBeta: true, breaks: (crd) => (crd.spec.version = 'v2') },
  { rule: 'deprecation-warning', breaks: (crd) => (crd.spec.versions[0].deprecationWarning = 'x') },
  {
    rule: 'scale-path',
    breaks: (crd) =>
      (crd.spec.versions[0].subresources = {
        scale: { specReplicasPath: '.a', statusReplicasPath: '.status.a' },
      }),
  },
  {
    rule: 'scale-path',
    isBeta: true,
    breaks: (crd) =>
      (crd.spec.subresources = {
        scale: { specReplicasPath: '.a', statusReplicasPath: '.status.a' },
      }),
  },
  { rule: 'column-name', breaks: column({ name: '' }) },
  { rule: 'column-type', breaks: column({ type: 'text' }) },
  { rule: 'column-format', breaks: column({ format: 'text' }) },
  { rule: 'column-path', breaks: column({ jsonPath: 'spec' }) },
  {
    rule: 'column-path',
    isBeta: true,
    breaks: (crd) =>
      (crd.spec.additionalPrinterColumns = [{ name: 'A', type: 'string', JSONPath: 'a' }]),
  },
  {
    rule: 'selectable-field',
    breaks: (crd) => (crd.spec.versions[0].selectableFields = [{ jsonPath: '.spec.no' }]),
  },
  {
    rule: 'selectable-fields-count',
    breaks: (crd) => {
      const [{ schema }] = crd.spec.versions;
      const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'];
      for (const name of names)
        schema.openAPIV3Schema.properties.spec.properties[name] = { type: 'string' };
      crd.spec.versions[0].selectableFields = names.map((name) => ({ jsonPath: `.spec.${name}` }));
    },
  },
  {
    rule: 'selectable-fields-shared',
    breaks: (crd) => {
      const other = structuredClone(crd.spec.versions[0]);
      const selectableFields = [{ jsonPath: '.spec.replicas' }];
      crd.spec.versions[0].selectableFields = selectableFields;
      crd.spec.versions.push({ ...other, name: 'v2', storage: false });
    },
  },
  {
    rule: 'part-of-version',
    isBeta: true,
    breaks: (crd) => {
      crd.spec.versions[0].schema = crd.spec.validation;
      delete crd.spec.validation;
    },
  },
  {
    rule: 'part-of-version',
    isBeta: true,
    breaks: (crd) => (crd.spec.versions[0].schema = crd.spec.validation),
  },
  { rule: 'conversion-strategy', breaks: (crd) => (crd.spec.conversion = { strategy: 'Some' }) },
  {
    rule: 'conversion-webhook-unused',
    breaks: (crd) => (crd.spec.conversion = { ...webhook({ url }), strategy: 'None' }),
  },
  { rule: 'conversion-client', breaks: (crd) => (crd.spec.conversion = webhook({})) },
  {
    rule: 'conversion-service',
    breaks: (crd) => (crd.spec.conversion = webhook({ service: { name: 'a' } })),
  },
  {
    rule: 'conversion-url',
    breaks: (crd) => (crd.spec.conversion = webhook({ url: 'http://example.com' })),
  },
  {
    rule: 'conversion-review-versions',
    breaks: (crd) => (crd.spec.conversion = webhook({ url }, ['v2'])),
  },
  { rule: 'preserve-unknown-fields', breaks: (crd) => (crd.spec.preserveUnknownFields = true) },
  {
    rule: 'preserve-unknown-fields',
    isBeta: true,
    breaks: (crd) => delete crd.spec.preserveUnknownFields,
  },
];

import type { JSONSchemaProps } from '@tenantry/crd/schema/json-schema';
import { tenant } from '../crds/tenant.ts';

/** A value, usually of about 2 kB, and the schema to validate it with. */
export interface Subject {
  readonly name: string;
  readonly schema: JSONSchemaProps;
  readonly value: unknown;
  readonly isValid: boolean;
}

const text = (rest: JSONSchemaProps = {}): JSONSchemaProps => ({ type: 'string', ...rest });
const integer = (rest: JSONSchemaProps = {}): JSONSchemaProps => ({ type: 'integer', ...rest });
const list = (items: JSONSchemaProps): JSONSchemaProps => ({ type: 'array', items });
const object = (
  properties: Record<string, JSONSchemaProps>,
  ...required: string[]
): JSONSchemaProps => ({ type: 'object', properties, ...(required.length > 0 && { required }) });

/** Removes CEL rules and the list types set and map, which Ajv does not support. */
function removeUnsupportedByAjv(schema: JSONSchemaProps): JSONSchemaProps {
  const { properties, items, additionalProperties, ...rest } = schema;
  const own = Object.entries(rest).filter(
    ([word]) => word !== 'x-kubernetes-validations' && !word.startsWith('x-kubernetes-list-'),
  );
  const fields = Object.entries(properties ?? {}).map(([name, field]) => [
    name,
    removeUnsupportedByAjv(field),
  ]);
  return {
    ...Object.fromEntries(own),
    ...(properties && { properties: Object.fromEntries(fields) }),
    ...(items && { items: removeUnsupportedByAjv(items) }),
    ...(additionalProperties !== undefined && {
      additionalProperties:
        typeof additionalProperties === 'object'
          ? removeUnsupportedByAjv(additionalProperties)
          : additionalProperties,
    }),
  };
}

const declaration = (name: string) => ({
  apiVersion: tenant.apiVersion,
  kind: 'Tenant',
  metadata: { name, labels: { team: 'payments', tier: 'web' } },
  spec: {
    className: 'gold',
    quota: { hard: { cpu: '10', 'requests.memory': '20Gi', pods: 100 } },
    namespaces: Array.from({ length: 15 }, (_, i) => ({
      name: `acme-${i}`,
      labels: { tier: 'web', 'app.kubernetes.io/name': 'shop' },
      quota: { hard: { cpu: '500m', memory: '2Gi' } },
    })),
  },
});

const reference = object({ name: text(), kind: text(), group: text() }, 'name');
const certificate = object(
  {
    apiVersion: text(),
    kind: text(),
    metadata: object({
      name: text(),
      namespace: text(),
      labels: { type: 'object', additionalProperties: text() },
      annotations: { type: 'object', additionalProperties: text() },
    }),
    spec: object(
      {
        secretName: text(),
        duration: text(),
        renewBefore: text(),
        commonName: text({ maxLength: 64 }),
        dnsNames: list(text()),
        ipAddresses: list(text({ format: 'ipv4' })),
        emailAddresses: list(text()),
        isCA: { type: 'boolean' },
        issuerRef: reference,
        usages: list(
          text({ enum: ['signing', 'digital signature', 'server auth', 'client auth'] }),
        ),
        privateKey: object({
          algorithm: text({ enum: ['RSA', 'ECDSA', 'Ed25519'] }),
          encoding: text({ enum: ['PKCS1', 'PKCS8'] }),
          rotationPolicy: text({ enum: ['Never', 'Always'] }),
          size: integer(),
        }),
        keystores: object({
          jks: object(
            {
              create: { type: 'boolean' },
              passwordSecretRef: object({ name: text(), key: text() }, 'name'),
            },
            'create',
          ),
        }),
        subject: object({
          organizations: list(text()),
          countries: list(text()),
          serialNumber: text(),
        }),
        revisionHistoryLimit: integer({ format: 'int32', minimum: 1 }),
      },
      'issuerRef',
      'secretName',
    ),
    status: object({
      conditions: list(
        object(
          {
            type: text(),
            status: text({ enum: ['True', 'False', 'Unknown'] }),
            reason: text(),
            message: text(),
            lastTransitionTime: text(),
            observedGeneration: integer({ format: 'int64' }),
          },
          'type',
          'status',
        ),
      ),
      notAfter: text(),
      revision: integer(),
    }),
  },
  'spec',
);

const certificateValue = {
  apiVersion: 'cert-manager.io/v1',
  kind: 'Certificate',
  metadata: {
    name: 'shop-tls',
    namespace: 'shop',
    labels: { 'app.kubernetes.io/name': 'shop', 'app.kubernetes.io/part-of': 'store' },
    annotations: { 'example.com/owner': 'payments' },
  },
  spec: {
    secretName: 'shop-tls',
    duration: '2160h0m0s',
    renewBefore: '360h0m0s',
    commonName: 'shop.example.com',
    dnsNames: Array.from({ length: 24 }, (_, i) => `shop-${i}.internal.example.com`),
    ipAddresses: ['10.0.0.1', '10.0.0.2', '10.0.0.3'],
    isCA: false,
    issuerRef: { name: 'letsencrypt', kind: 'ClusterIssuer', group: 'cert-manager.io' },
    usages: ['server auth', 'client auth', 'digital signature'],
    privateKey: { algorithm: 'RSA', encoding: 'PKCS1', rotationPolicy: 'Always', size: 2048 },
    keystores: { jks: { create: true, passwordSecretRef: { name: 'jks', key: 'password' } } },
    subject: { organizations: ['Example'], countries: ['DE', 'FR'], serialNumber: '1234' },
    revisionHistoryLimit: 3,
  },
  status: {
    conditions: ['Ready', 'Issuing'].map((type) => ({
      type,
      status: 'True',
      reason: 'Ready',
      message: 'Certificate is up to date and has not expired',
      lastTransitionTime: '2026-01-31T12:00:00Z',
      observedGeneration: 4,
    })),
    notAfter: '2026-04-31T12:00:00Z',
    revision: 7,
  },
};

function nested(depth: number): JSONSchemaProps {
  if (depth === 0) return integer({ minimum: 0 });
  const inner = nested(depth - 1);
  return object({ left: inner, right: inner, name: text({ pattern: '^[a-z]+$' }) }, 'name');
}

/** @param last the innermost value */
function nestedValue(depth: number, last = 0): unknown {
  if (depth === 0) return last;
  return { left: nestedValue(depth - 1), right: nestedValue(depth - 1, last), name: 'abc' };
}

/** Returns a thousand hosts; every `wrong`-th has an invalid port. */
function hosts(wrong = Infinity): unknown {
  return Array.from({ length: 1000 }, (_, i) => ({
    name: `shop-${i}.internal.example.com`,
    port: i % wrong === wrong - 1 ? 0 : 8443,
    protocol: 'HTTPS',
  }));
}

const listOfHosts = list(
  object(
    {
      name: text({ maxLength: 253 }),
      port: integer({ minimum: 1, maximum: 65535 }),
      protocol: text({ enum: ['HTTP', 'HTTPS', 'TCP'] }),
    },
    'name',
    'port',
  ),
);

const { spec } = certificateValue;

export function subjects(): Subject[] {
  const tenants = removeUnsupportedByAjv(
    JSON.parse(JSON.stringify(tenant.file)) as JSONSchemaProps,
  );
  return [
    { name: 'Tenant', schema: tenants, value: declaration('acme'), isValid: true },
    { name: 'Tenant, one mistake', schema: tenants, value: declaration('Acme'), isValid: false },
    { name: 'Certificate', schema: certificate, value: certificateValue, isValid: true },
    {
      name: 'Certificate, three mistakes',
      schema: certificate,
      value: { ...certificateValue, spec: { ...spec, isCA: 'no', duration: 1, usages: ['x'] } },
      isValid: false,
    },
    { name: 'six objects deep', schema: nested(6), value: nestedValue(6), isValid: true },
    {
      name: 'six objects deep, the last value wrong',
      schema: nested(6),
      value: nestedValue(6, -1),
      isValid: false,
    },
    { name: 'a list of 1,000 objects', schema: listOfHosts, value: hosts(), isValid: true },
    {
      name: 'a list of 1,000 objects, three mistakes',
      schema: listOfHosts,
      value: hosts(300),
      isValid: false,
    },
  ];
}

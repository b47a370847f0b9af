import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import type { apps, Immutable } from '@tenantry/runtime';
import {
  compileSchema,
  enumOf,
  integer,
  list,
  map,
  object,
  required,
  string,
  type Fields,
} from '@tenantry/crd/schema';

/** The annotation of the pod template with the configuration files of nginx. */
export const NGINX_CONF = 'operator.example.com/nginx.conf';
export const LISTEN_CONF = 'operator.example.com/listen.conf';

/** The manifest that objects override: a Deployment with one container, which runs nginx. */
export interface Operand {
  readonly spec: Immutable<apps.DeploymentSpec> & {
    readonly replicas: number;
    readonly selector: { readonly matchLabels: Readonly<Record<string, string>> };
    readonly template: {
      readonly metadata: {
        readonly labels: Readonly<Record<string, string>>;
        readonly annotations: Readonly<Record<string, string>>;
      };
      readonly spec: { readonly containers: readonly [Immutable<NginxContainer>] };
    };
  };
}

type Container = NonNullable<
  NonNullable<apps.DeploymentSpec['template']['spec']>['containers']
>[number];

export type NginxContainer = Container & {
  readonly image: string;
  readonly readinessProbe: { readonly tcpSocket: { readonly port: number | string } };
};

/** A schema that requires these fields and allows others. */
const having = <F extends Fields>(fields: F) => object('', fields, { preserveUnknownFields: true });

const texts = () => map('', string(''));

/** The fields that the operator relies on. Tests and the API server check all other fields. */
const manifest = compileSchema(
  having({
    apiVersion: required(enumOf('', ['apps/v1'])),
    kind: required(enumOf('', ['Deployment'])),
    spec: required(
      having({
        replicas: required(integer('', { minimum: 1 })),
        selector: required(having({ matchLabels: required(texts()) })),
        template: required(
          having({
            metadata: required(
              having({
                labels: required(texts()),
                annotations: required(
                  having({
                    [NGINX_CONF]: required(string('')),
                    [LISTEN_CONF]: required(string('')),
                  }),
                ),
              }),
            ),
            spec: required(
              having({
                containers: required(
                  list(
                    '',
                    having({
                      name: required(enumOf('', ['nginx'])),
                      image: required(string('', { minLength: 1 })),
                      readinessProbe: required(
                        having({ tcpSocket: required(having({ port: required(integer('')) })) }),
                      ),
                    }),
                    { minItems: 1, maxItems: 1 },
                  ),
                ),
              }),
            ),
          }),
        ),
      }),
    ),
  }),
);

/** @throws {Error} with all violations of the manifest's schema */
export function operandOf(text: string): Operand {
  const value = parsed(text);
  const { errors } = manifest.check(value);
  if (errors.length === 0) return value as Operand;
  const lines = errors.map(({ path, message }) => `operand.yaml ${path.join('.')} ${message}`);
  throw new Error(lines.join('\n'));
}

function parsed(text: string): unknown {
  try {
    return load(text);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`operand.yaml must be YAML: ${why}`, { cause });
  }
}

/**
 * Reads the manifest in the folder of this file.
 * @throws {Error} with all violations of the manifest's schema
 */
export function readOperand(folder = import.meta.dirname): Operand {
  return operandOf(readFileSync(join(folder, 'operand.yaml'), 'utf8'));
}

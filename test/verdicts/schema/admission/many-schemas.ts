import type { JSONSchemaProps } from '@tenantry/crd/schema/json-schema';
import { ofOneVersion, serve } from '../../../cluster/crds.ts';
import type { Client } from '@tenantry/testing/controlplane/client';
import type { Body, Reply } from '@tenantry/testing/controlplane/objects';
import { uniqueName } from '@tenantry/testing/test/controlplane/unique-name';
import type { OfKind } from './ours.ts';
import { plain, sorted, type AdmissionVerdict } from './verdict.ts';

/** A kind with many fields, each with its own schema, because creating a kind takes time. */
export class ManySchemas {
  readonly apiVersion = 'instances.example.com/v1';
  readonly kind: string;
  readonly schema: JSONSchemaProps;
  readonly #plural: string;
  readonly #client: Client;

  constructor(
    client: Client,
    schemas: readonly JSONSchemaProps[],
    plural = uniqueName('many').replace('-', ''),
  ) {
    this.#client = client;
    this.#plural = plural;
    this.kind = this.#plural[0]!.toUpperCase() + this.#plural.slice(1);
    const properties = Object.fromEntries(schemas.map((schema, i) => [`f${i}`, schema]));
    this.schema = {
      type: 'object',
      properties: { spec: { type: 'object', properties } },
    };
  }

  async serve(): Promise<void> {
    const kind = { apiVersion: this.apiVersion, kind: this.kind, plural: this.#plural };
    await serve(this.#client, ofOneVersion(kind, this.schema));
  }

  /** Returns the same kind with other schemas. */
  with(schemas: readonly JSONSchemaProps[]): ManySchemas {
    return new ManySchemas(this.#client, schemas, this.#plural);
  }

  /** Builds an object with a value in the field of a schema, and any metadata. */
  object(index: number, value: unknown, metadata: object = { name: 'a' }): OfKind {
    const { apiVersion, kind } = this;
    const spec = { [`f${index}`]: value };
    const object = { apiVersion, kind, metadata, spec };
    return object;
  }

  /** Returns the API server's verdict without storing the object; unknown fields need a request of their own. */
  async servers(object: OfKind): Promise<AdmissionVerdict> {
    const [lenient, strict] = await Promise.all([
      this.#create(object, 'Ignore'),
      this.#create(object, 'Strict'),
    ]);
    const unknown = strict.status === 400 ? (strict.body.message ?? '') : '';
    const fields = [...unknown.matchAll(/unknown field "([^"]*)"/g)].map(([, field]) => field!);
    return { ...verdictOf(lenient), unknown: sorted(fields.map(plain)) };
  }

  /** Stores an object and returns it as stored. */
  async store(object: OfKind): Promise<Body> {
    const path = `/apis/${this.apiVersion}/${this.#plural}`;
    const { status, body } = await this.#client.request({ method: 'POST', path, body: object });
    if (status !== 201) throw new Error(`not stored: ${status} ${body.message}`);
    return body;
  }

  /** Returns the API server's verdict on a change of a stored object, without storing the change. */
  async serversOfChange(object: Body): Promise<AdmissionVerdict> {
    const path = `/apis/${this.apiVersion}/${this.#plural}/${object.metadata?.name}`;
    const query = { dryRun: 'All', fieldValidation: 'Ignore' };
    return verdictOf(await this.#client.request({ method: 'PUT', path, query, body: object }));
  }

  #create(body: object, fieldValidation: string) {
    const path = `/apis/${this.apiVersion}/${this.#plural}`;
    const query = { dryRun: 'All', fieldValidation };
    return this.#client.request({ method: 'POST', path, query, body });
  }
}

/** A cause without a field: the rules were not evaluated because of the other causes. */
const unasked = /some validation rules were not checked/;

function verdictOf({ status, body }: Reply): AdmissionVerdict {
  if (![200, 201, 400, 422].includes(status)) throw new Error(`${status} ${body.message}`);
  const isAccepted = status < 300;
  const fields = (body.details?.causes ?? [])
    .filter(({ message = '' }) => !unasked.test(message))
    .map(({ field }) => field ?? '');
  return {
    isAccepted,
    blamed: status === 422 ? sorted(fields.map(plain)) : [],
    unknown: [],
    spec: body.spec,
    messages: isAccepted ? [] : [body.message ?? ''],
  };
}

import { formatPath, type Path } from '../../kube/problem.ts';
import { admitValue } from '../../schema/admission.ts';
import type { JSONSchemaProps } from '../../schema/jsonschema.ts';
import type { Client } from '../control-plane/client.ts';
import type { Body } from '../control-plane/objects.ts';
import { uniqueName } from '../control-plane/shared.ts';
import { ofOneVersion, serve } from './crds.ts';

/** What one side says of an object. */
export interface Verdict {
  readonly isAccepted: boolean;
  /** The fields that are blamed, in order and each once. */
  readonly blamed: readonly string[];
  readonly unknown: readonly string[];
  /** The spec as it is stored, where it is. */
  readonly spec: unknown;
  readonly said: readonly string[];
}

/** A kind with many fields, each of a schema of its own: creating a kind takes its time. */
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

  /** An object with a value in the field of a schema, and whatever metadata. */
  object(index: number, value: unknown, metadata: object = { name: 'a' }): object {
    return {
      apiVersion: this.apiVersion,
      kind: this.kind,
      metadata,
      spec: { [`f${index}`]: value },
    };
  }

  ours(object: object): Verdict & { readonly notChecked: readonly string[] } {
    const root = { apiVersion: this.apiVersion, kind: this.kind, scope: 'Cluster' } as const;
    const { value, pruned, mismatches, notChecked } = admitValue(this.schema, object, { root });
    return {
      isAccepted: mismatches.length === 0,
      blamed: dotted(mismatches.map(({ path }) => path)),
      unknown: dotted(pruned),
      spec: (value as Body).spec,
      said: mismatches.map(({ path, message }) => `${formatPath(path)} ${message}`),
      notChecked: notChecked.map(({ path, reason }) => `${formatPath(path)}: ${reason}`),
    };
  }

  /** The API server's, without the object being stored; unknown fields are asked for separately. */
  async servers(object: object): Promise<Verdict> {
    const [lenient, strict] = await Promise.all([
      this.#create(object, 'Ignore'),
      this.#create(object, 'Strict'),
    ]);
    const { status, body } = lenient;
    if (![201, 400, 422].includes(status)) throw new Error(`${status} ${body.message}`);
    const causes = body.details?.causes ?? [];
    const fields = causes.map(({ field }) => field ?? '');
    const unknown = strict.status === 400 ? (strict.body.message ?? '') : '';
    return {
      isAccepted: status === 201,
      blamed: status === 422 ? sorted(fields.map(plain)) : [],
      unknown: sorted(
        [...unknown.matchAll(/unknown field "([^"]*)"/g)].map(([, field]) => plain(field!)),
      ),
      spec: body.spec,
      said: status === 201 ? [] : [body.message ?? ''],
    };
  }

  /** The same kind with other schemas. */
  with(schemas: readonly JSONSchemaProps[]): ManySchemas {
    return new ManySchemas(this.#client, schemas, this.#plural);
  }

  /** Stores an object and gives it as it was stored. */
  async store(object: object): Promise<Body> {
    const path = `/apis/${this.apiVersion}/${this.#plural}`;
    const { status, body } = await this.#client.request({ method: 'POST', path, body: object });
    if (status !== 201) throw new Error(`not stored: ${status} ${body.message}`);
    return body;
  }

  /** Whether we would let a stored object become another. */
  allows(object: object, oldValue: object): boolean {
    const root = { apiVersion: this.apiVersion, kind: this.kind, scope: 'Cluster' } as const;
    return admitValue(this.schema, object, { root, oldValue }).mismatches.length === 0;
  }

  /** The API server's answer to the same, without the object being stored. */
  async serverAllows(object: Body): Promise<boolean> {
    const path = `/apis/${this.apiVersion}/${this.#plural}/${object.metadata?.name}`;
    const query = { dryRun: 'All', fieldValidation: 'Ignore' };
    const { status, body } = await this.#client.request({
      method: 'PUT',
      path,
      query,
      body: object,
    });
    if (status !== 200 && status !== 422) throw new Error(`${status} ${body.message}`);
    return status === 200;
  }

  #create(body: object, fieldValidation: string) {
    const path = `/apis/${this.apiVersion}/${this.#plural}`;
    const query = { dryRun: 'All', fieldValidation };
    return this.#client.request({ method: 'POST', path, query, body });
  }
}

function dotted(paths: readonly Path[]): string[] {
  return sorted(paths.map((path) => plain(formatPath(path))));
}

/** `a.b.0.c`, however a side writes keys and places in lists. */
function plain(path: string): string {
  return path.replaceAll(/\["?([^\]"]*)"?\]/g, '.$1').replace(/^\./, '');
}

function sorted(texts: readonly string[]): string[] {
  return [...new Set(texts)].toSorted();
}

/** What the two sides say differently of an object; undefined where they agree. */
export function difference(ours: Verdict, server: Verdict): string | undefined {
  const agree =
    ours.isAccepted === server.isAccepted &&
    ours.unknown.join() === server.unknown.join() &&
    ours.blamed.every((field) => isBlamed(field, server.blamed)) &&
    (!server.isAccepted || asSent(ours.spec) === asSent(server.spec));
  return agree ? undefined : JSON.stringify({ ours, server });
}

/**
 * Whether the API server blames a field too. It blames nobody where it cannot read metadata, nor for
 * anyOf and oneOf; within metadata it names the field of metadata alone, and the name that it made,
 * not what it made it of; of a list by keys the item, not its key; of items that are there three
 * times the second.
 */
function isBlamed(field: string, fields: readonly string[]): boolean {
  if (fields.length === 0 || fields.includes('<nil>')) return true;
  const blamed = new Set(fields.map(coarse));
  const item = field.replace(/\.[^.]+$/, '');
  return blamed.has(coarse(field)) || (/\.\d+$/.test(item) && blamed.has(coarse(item)));
}

function coarse(field: string): string {
  return field
    .replace(/metadata\.generateName$/, 'metadata.name')
    .replace(/(metadata\.\w+)\..*$/, '$1')
    .replace(/\.\d+$/, '.*');
}

/** Half of a character is none in Go. */
function asSent(value: unknown): string {
  return JSON.stringify(sort(value)).replaceAll(/\\u[dD][89a-fA-F]../g, '\ufffd');
}

function sort(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sort);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, inner]) => [key, sort(inner)]);
}

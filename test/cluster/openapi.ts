import type { Client } from '@tenantry/testing/controlplane/client';

/** A schema in the form of `/openapi/v3`. */
export interface OpenApiSchema {
  readonly description?: string;
  readonly type?: string;
  readonly format?: string;
  readonly $ref?: string;
  readonly allOf?: readonly OpenApiSchema[];
  readonly oneOf?: readonly OpenApiSchema[];
  readonly enum?: readonly string[];
  readonly items?: OpenApiSchema;
  readonly additionalProperties?: OpenApiSchema;
  readonly properties?: Readonly<Record<string, OpenApiSchema>>;
  readonly required?: readonly string[];
  readonly default?: unknown;
  readonly 'x-kubernetes-list-type'?: string;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-patch-strategy'?: string;
  readonly 'x-kubernetes-group-version-kind'?: readonly GroupVersionKind[];
}

export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** The parts of a document of `/openapi/v3/...` that are read. */
export interface OpenApiDocument {
  readonly paths?: Readonly<
    Record<
      string,
      { readonly post?: { readonly 'x-kubernetes-group-version-kind'?: GroupVersionKind } }
    >
  >;
  readonly components?: { readonly schemas?: Readonly<Record<string, OpenApiSchema>> };
}

/** Reads the OpenAPI documents of all versions that an API server serves, by paths such as `apis/apps/v1`. */
export async function openApiOf(client: Client): Promise<Map<string, OpenApiDocument>> {
  const { body } = await client.request({ method: 'GET', path: '/openapi/v3' });
  // The server sends its JSON with the content type of plain text.
  const { paths } = JSON.parse(String(body.message)) as { readonly paths: object };
  const documents = new Map<string, OpenApiDocument>();
  for (const path of Object.keys(paths).filter((one) => /^apis?\/.*v[0-9]/.test(one))) {
    const reply = await client.request({ method: 'GET', path: `/openapi/v3/${path}` });
    documents.set(path, reply.body as OpenApiDocument);
  }
  return documents;
}

/** Returns the types of all documents, by name. */
export function schemasOf(documents: Iterable<OpenApiDocument>): Map<string, OpenApiSchema> {
  return new Map(
    [...documents].flatMap(({ components }) => Object.entries(components?.schemas ?? {})),
  );
}

const REFERENCE = '#/components/schemas/';

/** Returns the name of the type that a schema refers to. */
export function nameIn({ $ref, allOf }: OpenApiSchema): string | undefined {
  if ($ref !== undefined) return $ref.slice(REFERENCE.length);
  return allOf?.length === 1 ? nameIn(allOf[0]!) : undefined;
}

import type { Json } from '@tenantry/kube/object';

/** A definition as a few changes of one that is good, and what is wrong with it. */
export interface DefinitionCase {
  /** A sentence about the definition. */
  readonly title: string;
  /** The rule that refuses it; absent when it is accepted. */
  readonly rule?: string;
  readonly changes: Changes;
  /** Where we say something else than the server, and that is meant. */
  readonly unlike?: 'refused here alone' | 'not checked here';
}

/**
 * Values by their place. Places begin at the manifest's root, or at `version` (the first), `schema`
 * (its schema), `field` (the field `spec.f` of the schema); undefined takes a value away.
 */
export type Changes = Readonly<Record<string, unknown>>;

const starts: Readonly<Record<string, string>> = {
  version: 'spec.versions.0',
  schema: 'spec.versions.0.schema.openAPIV3Schema',
  field: 'spec.versions.0.schema.openAPIV3Schema.properties.spec.properties.f',
};

const base = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'things.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { kind: 'Thing', plural: 'things' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: { name: { type: 'string' }, f: { type: 'string' } },
              },
            },
          },
        },
      },
    ],
  },
};

/** The definition of a case. */
export function definitionOf(changes: Changes): Json {
  const manifest = structuredClone(base) as Json;
  for (const [place, value] of Object.entries(changes)) {
    const [first = '', ...rest] = place.split('.');
    const path = `${starts[first] ?? first}${rest.map((name) => `.${name}`).join('')}`;
    put(manifest, path.split('.'), value);
  }
  return manifest;
}

function put(value: Json, path: string[], wanted: unknown): void {
  const holder = value as Record<string, Json>;
  const [name = '', ...rest] = path;
  if (rest.length > 0) put((holder[name] ??= {}), rest, wanted);
  else if (wanted === undefined) delete holder[name];
  else holder[name] = wanted as Json;
}

/** `good('a sentence', changes)`: accepted. */
export const good = (title: string, changes: Changes): DefinitionCase => ({
  title: title,
  changes,
});

/** `bad('rule', 'a sentence', changes)`: refused for that rule. */
export const bad = (rule: string, title: string, changes: Changes): DefinitionCase => ({
  title: title,
  rule,
  changes,
});

/** The same case, and we leave it to the server. */
export const leftOpen = (one: DefinitionCase): DefinitionCase => ({
  ...one,
  unlike: 'not checked here',
});

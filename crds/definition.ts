import { object, required, string, type Schema, type SchemaNode } from './schema/schema.ts';
import { openApi } from './schema/openapi.ts';
import { annotations, DNS_LABEL, dnsLabel, labels } from './names.ts';
import type { Json, KubeObject } from './object.ts';

/** A column of `kubectl get`. */
export interface Column {
  readonly name: string;
  readonly type: 'integer' | 'number' | 'string' | 'boolean' | 'date';
  readonly jsonPath: string;
  readonly description?: string;
  /** Above 0: only with `-o wide`. Default: 0. */
  readonly priority?: number;
}

interface Props<Spec> {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly scope: 'Cluster' | 'Namespaced';
  readonly description: string;
  readonly version: string;
  readonly spec: Schema<Spec>;
  readonly status?: SchemaNode;
  readonly columns?: readonly Column[];
}

/** A kind of ours: everything about it comes from here. */
export interface Definition<Spec> extends Props<Spec> {
  readonly apiVersion: string;
  /** The schema of a file that declares one: apiVersion, kind, metadata and spec, no status. */
  readonly file: SchemaNode;
}

/** Writes a kind down once; type, CRD, validation and reference page are derived from it. */
export function define<Spec>(props: Props<Spec>): Definition<Spec> {
  const metadata = object('Its name, and what else there is to note.', {
    name: required(dnsLabel('The name.')),
    labels: labels('Labels.'),
    annotations: annotations('Annotations.'),
  });
  return {
    ...props,
    apiVersion: `${props.group}/${props.version}`,
    file: object(props.description, {
      apiVersion: required(string('The version of the API.')),
      kind: required(string('The kind.')),
      metadata: required(metadata),
      spec: props.spec,
    }),
  };
}

/** Names of our kinds become label values and names of namespaces; the API server alone allows more. */
const nameRule = {
  rule: `self.metadata.name.size() <= 63 && self.metadata.name.matches('${DNS_LABEL}')`,
  message: 'metadata.name must be a DNS label of at most 63 characters',
};

/** The CustomResourceDefinition (apiextensions.k8s.io/v1) of a kind. */
export function crdManifest(definition: Definition<unknown>): KubeObject {
  const { group, kind, plural, singular, version, status, columns } = definition;
  const schema: { [key: string]: Json } = {
    description: definition.description,
    type: 'object',
    properties: {
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: { type: 'object' },
      spec: openApi(definition.spec),
      ...(status && { status: openApi(status) }),
    },
    'x-kubernetes-validations': [nameRule],
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `${plural}.${group}`,
      annotations: { 'argocd.argoproj.io/sync-options': 'Prune=confirm,Delete=confirm' },
    },
    spec: {
      group,
      names: {
        kind,
        listKind: `${kind}List`,
        plural,
        singular,
        ...(definition.shortNames && { shortNames: definition.shortNames }),
        ...(definition.categories && { categories: definition.categories }),
      },
      scope: definition.scope,
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          schema: { openAPIV3Schema: schema },
          ...(status && { subresources: { status: {} } }),
          ...(columns && { additionalPrinterColumns: columns }),
        },
      ],
    },
  };
}

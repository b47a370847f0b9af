import { uncheckedDefinition, type Definition } from '../definition.ts';
import type { PrinterColumn } from '../customresourcedefinition.ts';
import {
  annotations,
  dnsLabel,
  labels,
  object,
  required,
  string,
  type Schema,
} from '../../schema/language.ts';
import { DNS_LABEL } from '../../kube/names.ts';
import type { JSONSchemaProps } from '../../schema/jsonschema.ts';

const VERSION = 'v1alpha1';

/** The group of our kinds. */
const GROUP = 'tenantry.dev';

/** A kind of ours: what is declared in files, and defined in clusters. */
export interface DeclaredKind extends Definition {
  readonly apiVersion: string;
  readonly spec: JSONSchemaProps;
  /** A file that declares one: apiVersion, kind, metadata and spec, no status. */
  readonly file: JSONSchemaProps;
}

interface Props {
  readonly kind: string;
  readonly plural: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly description: string;
  readonly spec: Schema<unknown>;
  readonly status?: Schema<unknown>;
  readonly columns?: readonly PrinterColumn[];
}

/** Names of our kinds become label values and names of namespaces; the API server alone allows more. */
const nameRule = {
  rule: `self.metadata.name.size() <= 63 && self.metadata.name.matches('${DNS_LABEL}')`,
  message: 'metadata.name must be a DNS label of at most 63 characters',
};

/** Defines a kind of ours. */
export function declaredKind(props: Props): DeclaredKind {
  const { kind, plural, shortNames, categories, description, spec, status, columns } = props;
  const definition = uncheckedDefinition({
    group: GROUP,
    kind,
    plural,
    ...(shortNames && { shortNames }),
    ...(categories && { categories }),
    scope: 'Cluster',
    versions: {
      [VERSION]: {
        schema: object(description, { spec, ...(status && { status }) }, { rules: [nameRule] }),
        ...(columns && { additionalPrinterColumns: columns }),
      },
    },
  });
  const metadata = object('Its name, and what else there is to note.', {
    name: required(dnsLabel('The name.')),
    labels: labels('Labels.'),
    annotations: annotations('Annotations.'),
  });
  return {
    ...definition,
    apiVersion: `${GROUP}/${VERSION}`,
    spec,
    file: object(description, {
      apiVersion: required(string('The version of the API.')),
      kind: required(string('The kind.')),
      metadata: required(metadata),
      spec,
    }),
  };
}

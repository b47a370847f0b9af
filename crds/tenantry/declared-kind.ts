import { uncheckedDefinition, type Definition } from '../definition.ts';
import type { PrinterColumn } from '../custom-resource-definition.ts';
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

const VERSION = 'v1alpha1';

/** The API group of our kinds. */
const GROUP = 'tenantry.dev';

/** A document that declares an object of a kind: without status, with the spec as it is written. */
export interface DeclaredDocument<Spec> {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec?: Spec;
}

/** One of our kinds, which is declared in files and defined in clusters. */
export interface DeclaredKind<
  Kind extends string = string,
  Spec extends object = object,
> extends Definition {
  readonly kind: Kind;
  readonly apiVersion: string;
  readonly spec: Schema<unknown, Spec>;
  readonly file: Schema<unknown, DeclaredDocument<Spec>>;
}

interface Props<Kind extends string, Spec extends object> {
  readonly kind: Kind;
  readonly plural: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly description: string;
  readonly spec: Schema<unknown, Spec>;
  readonly status?: Schema<unknown>;
  readonly columns?: readonly PrinterColumn[];
}

/**
 * Names of our kinds become label values and names of namespaces, which are more restricted than
 * names in the API server.
 */
const nameRule = {
  rule: `self.metadata.name.size() <= 63 && self.metadata.name.matches('${DNS_LABEL}')`,
  message: 'metadata.name must be a DNS label of at most 63 characters',
};

/** Defines one of our kinds. */
export function defineKind<const Kind extends string, Spec extends object>(
  props: Props<Kind, Spec>,
): DeclaredKind<Kind, Spec> {
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
    kind,
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

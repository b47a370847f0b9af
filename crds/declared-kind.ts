import { uncheckedDefinition, type Definition } from '@tenantry/crd/definition';
import type { PrinterColumn } from '@tenantry/crd/custom-resource-definition';
import {
  annotations,
  dnsLabel,
  labels,
  object,
  required,
  string,
  type Schema,
} from '@tenantry/crd/schema/language';
import { DNS_LABEL } from '@tenantry/kube/names';
import type { Finding } from '@tenantry/kube/finding';
import { validate } from '@tenantry/crd/schema/validate';

const VERSION = 'v1alpha1';

/** The API group of our kinds. */
const GROUP = 'tenantry.dev';

/** A document that declares an object of a kind: without status, with the spec as it is written. */
interface DeclaredDocument<Spec> {
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

/** Specs that were validated against their schema, by kind. */
const valid = new WeakMap<object, string>();

/** Records that a spec is valid. It must not be changed afterwards. */
export function markValid({ kind }: DeclaredKind, spec: object): void {
  valid.set(spec, kind);
}

/**
 * Returns the errors of a spec against its schema, whatever its source: TypeScript may have been
 * overridden, and a cluster may contain other values than the types promise. A spec that was found
 * valid once is not validated again; every spec from a file was. Metadata is not validated, because
 * a cluster adds fields there that no declaration may have.
 */
export function validateSpec(kind: DeclaredKind, spec: object): readonly Finding[] {
  const isObject = typeof spec === 'object' && spec !== null;
  if (isObject && valid.get(spec) === kind.kind) return [];
  const errors = validate(kind.spec, spec, ['spec']);
  if (isObject && errors.length === 0) markValid(kind, spec);
  return errors.map((error) => ({ ...error, rule: 'schema' }));
}

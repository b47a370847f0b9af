import { Findings, type Finding } from '@tenantry/kube/finding';
import { show, type Path } from '@tenantry/kube/problem';
import type { JSONSchemaProps } from '../schema/json-schema.ts';
import type {
  DecodedColumn,
  DecodedConversion,
  DecodedDefinition,
  DecodedMeta,
  DecodedSpec,
  DecodedSubresources,
  DecodedVersion,
} from '../fields/decoded-definition.ts';
import {
  APPROVAL,
  checkApproval,
  checkName,
  checkFinalizers,
  checkMetadata,
} from './definition-identity.ts';
import { checkSpec, checkColumns, equal, checkSubresources } from './definition-spec.ts';
import { CREATION } from './leniency.ts';

/** The rules of a definition's own fields, outside its schemas. */
export const DEFINITION_FIELD_RULES = [
  'name',
  'namespace',
  'label-key',
  'label-value',
  'annotation-key',
  'annotations-size',
  'owner-reference',
  'finalizer',
  'api-approval',
  'group',
  'scope',
  'plural',
  'singular',
  'kind',
  'list-kind',
  'short-name',
  'category',
  'storage-version',
  'version-name',
  'version-unique',
  'version-first',
  'deprecation-warning',
  'scale-path',
  'column-name',
  'column-type',
  'column-format',
  'column-path',
  'selectable-field',
  'selectable-fields-count',
  'selectable-fields-shared',
  'part-of-version',
  'conversion-strategy',
  'conversion-webhook-unused',
  'conversion-client',
  'conversion-service',
  'conversion-url',
  'conversion-review-versions',
  'preserve-unknown-fields',
] as const;

/**
 * Reports what the API server refuses in a new definition, outside its schemas: names, versions,
 * columns, conversion. Expects a decoded definition, in which every field has the right type.
 */
export function checkDefinitionFields(definition: DecodedDefinition): readonly Finding[] {
  const findings = new Findings();
  check(definition, findings);
  return findings.errors;
}

function check(definition: DecodedDefinition, findings: Findings): void {
  const { metadata = {}, spec = {} } = definition;
  checkName(definition, findings);
  if (metadata.namespace !== undefined) {
    const message = `must be absent, since definitions lie in no namespace, got ${show(metadata.namespace)}`;
    findings.addError(['metadata', 'namespace'], message, 'namespace');
  }
  checkMetadata(metadata, ['metadata'], findings);
  checkFinalizers(metadata.finalizers ?? [], ['metadata', 'finalizers'], findings);
  checkSpec(spec, findings, { ...CREATION, anySchemas: true });
  checkApproval(spec.group ?? '', metadata.annotations?.[APPROVAL] ?? '', findings);
}

type BetaColumn = Omit<DecodedColumn, 'jsonPath'> & { readonly JSONPath?: string };

interface BetaVersion extends Omit<DecodedVersion, 'additionalPrinterColumns'> {
  readonly additionalPrinterColumns?: readonly BetaColumn[];
}

/** A definition of apiextensions.k8s.io/v1beta1, which Kubernetes served up to 1.21. */
export interface DecodedBetaDefinition {
  readonly metadata?: DecodedMeta;
  readonly spec?: Omit<DecodedSpec, 'versions' | 'conversion'> & {
    readonly version?: string;
    readonly versions?: readonly BetaVersion[];
    readonly validation?: { readonly openAPIV3Schema?: JSONSchemaProps };
    readonly subresources?: DecodedSubresources;
    readonly additionalPrinterColumns?: readonly BetaColumn[];
    readonly conversion?: {
      readonly strategy?: string;
      readonly webhookClientConfig?: NonNullable<DecodedConversion['webhook']>['clientConfig'];
      readonly conversionReviewVersions?: readonly string[];
    };
  };
}

type BetaSpec = NonNullable<DecodedBetaDefinition['spec']>;

/**
 * Reports the same for a definition of v1beta1. Its rules are those of a current server, which
 * converts both versions to one form. Fields at the top, which apply to all versions, are checked
 * there. Selectable fields did not exist in v1beta1, so they are not checked.
 */
export function checkBetaDefinitionFields({
  metadata,
  spec = {},
}: DecodedBetaDefinition): readonly Finding[] {
  const findings = new Findings();
  const { version = spec.versions?.[0]?.name, preserveUnknownFields = true } = spec;
  const isListed = (spec.versions ?? []).length > 0;
  const versions = isListed ? spec.versions! : version === undefined ? [] : [{ name: version }];
  const inV1: DecodedSpec = {
    ...spec,
    scope: spec.scope ?? 'Namespaced',
    preserveUnknownFields,
    versions: versions.map((one, i) => ({
      ...partless(one),
      storage: isListed ? 'storage' in one && one.storage : i === 0,
    })),
    ...readConversion(spec),
  };
  check({ ...(metadata && { metadata }), spec: inV1 }, findings);
  checkParts(spec, findings);
  if (version !== undefined && isListed && versions[0]?.name !== version) {
    const message = `must be the first of the versions, ${show(versions[0]?.name)}, got ${show(version)}`;
    findings.addError(['spec', 'version'], message, 'version-first');
  }
  return findings.errors;
}

/** Returns a version without its schema, subresources and columns, which are checked where they are set. */
function partless(version: BetaVersion): Omit<BetaVersion, keyof typeof partNames> {
  const {
    schema: _schema,
    subresources: _subresources,
    additionalPrinterColumns: _columns,
    selectableFields: _fields,
    ...rest
  } = version;
  return rest;
}

function readConversion({ conversion }: BetaSpec): Pick<DecodedSpec, 'conversion'> {
  if (conversion === undefined) return {};
  const { strategy, webhookClientConfig: clientConfig, conversionReviewVersions } = conversion;
  const isWebhook = strategy === 'Webhook';
  const given = conversionReviewVersions ?? [];
  const reviews = isWebhook && given.length === 0 ? ['v1beta1'] : given;
  return {
    conversion: {
      ...(strategy !== undefined && { strategy }),
      webhook: {
        ...(clientConfig && { clientConfig }),
        ...(reviews.length > 0 && { conversionReviewVersions: reviews }),
      },
    },
  };
}

const partNames = {
  schema: 'validation',
  subresources: 'subresources',
  additionalPrinterColumns: 'additionalPrinterColumns',
} as const;

/** Checks schemas, subresources and columns, which are set for all versions or for each. */
function checkParts(spec: BetaSpec, findings: Findings): void {
  const { versions = [] } = spec;
  for (const [part, top] of Object.entries(partNames)) {
    const name = part as keyof typeof partNames;
    const own = versions.map((version) => version[name]).filter((one) => isThere(one));
    if (isThere(spec[top]) && own.length > 0) {
      const message = `must be set in each version or for all of them, got ${show(part)} in both`;
      findings.addError(['spec', top], message, 'part-of-version');
    }
    if (own.length === 0 || own.length < versions.length) continue;
    if (own.every((one) => equal(one, own[0], name))) {
      const message = `must be set in 'spec.${top}' if it is the same in all versions, got ${show(part)} in each`;
      findings.addError(['spec', 'versions'], message, 'part-of-version');
    }
  }
  checkPlaced(spec, ['spec'], findings);
  for (const [i, version] of versions.entries()) {
    checkPlaced(version, ['spec', 'versions', i], findings);
  }
}

function checkPlaced(
  placed: Pick<BetaVersion, 'subresources' | 'additionalPrinterColumns'>,
  path: Path,
  findings: Findings,
): void {
  checkSubresources(placed.subresources, [...path, 'subresources'], findings);
  const columns = (placed.additionalPrinterColumns ?? []).map(({ JSONPath, ...column }) => {
    return JSONPath === undefined ? column : { ...column, jsonPath: JSONPath };
  });
  checkColumns(columns, [...path, 'additionalPrinterColumns'], findings);
}

/** Returns whether a part is set; an empty list counts as absent. */
function isThere(part: unknown): boolean {
  return Array.isArray(part) ? part.length > 0 : part !== undefined;
}

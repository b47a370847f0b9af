import { isMapping } from '@tenantry/kube/mapping';
import { show } from '@tenantry/kube/problem';
import type { JSONSchemaProps } from '@tenantry/crd/schema/json-schema';
import { parseGroupVersionKind, type LoadedBundle } from '../loader/loaded-bundle.ts';
import { readExamples } from './examples.ts';
import { locateInCsv, type BundleCheck, type BundleRule, type FindingReporter } from './rule.ts';

const exampleSpec: BundleRule = {
  id: 'example-spec',
  severity: 'error',
  validators: ['scorecard'],
  description: 'each example has a spec',
};

const exampleSchema: BundleRule = {
  id: 'example-schema',
  severity: 'error',
  validators: ['scorecard'],
  description: 'the fields of an example in spec and status are in the schema of its definition',
};

const ownedResources: BundleRule = {
  id: 'owned-resources',
  severity: 'error',
  validators: ['scorecard'],
  description: 'owned custom resources list the resources that are created for them',
};

const specDescriptors: BundleRule = {
  id: 'spec-descriptors',
  severity: 'error',
  validators: ['scorecard'],
  description: 'each field in the spec of an example has a descriptor',
};

const statusDescriptors: BundleRule = {
  id: 'status-descriptors',
  severity: 'error',
  validators: ['scorecard'],
  description: 'where an example has a status, its kind has descriptors of status',
};

/** The rules of the scorecard for examples and their kinds. */
export const scorecardExamplesCheck: BundleCheck = {
  rules: [exampleSpec, exampleSchema, ownedResources, specDescriptors, statusDescriptors],
  check(bundle, report) {
    const owned = bundle.csv.value.spec?.customresourcedefinitions?.owned ?? [];
    for (const [i, { name, resources = [] }] of owned.entries()) {
      if (resources.length > 0) continue;
      const place = locateInCsv(bundle, 'spec', 'customresourcedefinitions', 'owned', i);
      report(ownedResources, place, `must list resources, got none for ${show(name)}`);
    }
    const found = readExamples(bundle);
    if (found === undefined || !('objects' in found)) return;
    for (const [i, object] of found.objects.entries()) {
      checkExample(bundle, { object, i, annotation: found.annotation }, report);
    }
  },
};

interface Example {
  readonly object: Readonly<Record<string, unknown>>;
  readonly i: number;
  readonly annotation: string;
}

function checkExample(
  bundle: LoadedBundle,
  { object, i, annotation }: Example,
  report: FindingReporter,
): void {
  const at = locateInCsv(bundle, 'metadata', 'annotations', annotation);
  const { spec, status } = object;
  if (!isMapping(spec))
    report(exampleSpec, at, `must have a spec in entry ${i}, got ${show(spec)}`);
  const { version, kind } = parseGroupVersionKind(
    String(object['apiVersion']),
    String(object['kind']),
  );
  const schema = findSchema(bundle, version, kind);
  for (const [field, part] of Object.entries({ spec, status })) {
    if (schema === undefined || !isMapping(part)) continue;
    for (const key of Object.keys(part)) {
      if (schema.properties?.[field]?.properties?.[key] !== undefined) continue;
      const message = `must follow the schema of ${kind}, got ${show(`${field}.${key}`)} in entry ${i}`;
      report(exampleSchema, at, message);
    }
  }
  const owned = bundle.csv.value.spec?.customresourcedefinitions?.owned ?? [];
  const j = owned.findIndex((one) => one.kind === kind && one.version === version);
  const described = owned[j];
  if (described === undefined) return;
  const place = locateInCsv(bundle, 'spec', 'customresourcedefinitions', 'owned', j);
  for (const key of isMapping(spec) ? Object.keys(spec) : []) {
    if ((described.specDescriptors ?? []).some(({ path }) => path === key)) continue;
    report(specDescriptors, place, `must have a descriptor of each field, got none of spec.${key}`);
  }
  const hasStatus = isMapping(status) && Object.keys(status).length > 0;
  if (hasStatus && (described.statusDescriptors ?? []).length === 0) {
    report(statusDescriptors, place, 'must have descriptors of status, got none');
  }
}

interface Schemas {
  readonly spec?: {
    readonly names?: { readonly kind?: string };
    readonly validation?: { readonly openAPIV3Schema?: JSONSchemaProps };
    readonly versions?: readonly {
      readonly name?: string;
      readonly schema?: { readonly openAPIV3Schema?: JSONSchemaProps };
    }[];
  };
}

function findSchema(
  bundle: LoadedBundle,
  version: string,
  kind: string,
): JSONSchemaProps | undefined {
  for (const { value } of [...bundle.definitions, ...bundle.betaDefinitions]) {
    const { spec }: Schemas = value;
    if (spec?.names?.kind !== kind) continue;
    const found = spec.versions?.find(({ name }) => name === version);
    const schema = found?.schema ?? spec.validation;
    if (schema !== undefined) return schema.openAPIV3Schema;
  }
  return undefined;
}

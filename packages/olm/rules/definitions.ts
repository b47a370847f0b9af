import { show, type Path } from '@tenantry/kube/problem';
import {
  checkBetaDefinitionFields,
  checkDefinitionFields,
  DEFINITION_FIELD_RULES,
  type DecodedBetaDefinition,
  type DecodedDefinition,
} from '@tenantry/crd/validation';
import type { Finding } from '@tenantry/kube/finding';
import {
  formatGroupVersionKind,
  type LoadedBundle,
  type LoadedDefinition,
  type LoadedDocument,
  type BundleLocation,
} from '../loader/loaded-bundle.ts';
import { locateInCsv, type BundleCheck, type BundleRule, type FindingReporter } from './rule.ts';

const missing: BundleRule = {
  id: 'owned-definition',
  severity: 'error',
  validators: ['bundle'],
  description:
    'an owned custom resource has its CustomResourceDefinition, with that version, in the bundle, and is owned once',
};

const unowned: BundleRule = {
  id: 'definition-owned',
  severity: 'error',
  validators: ['bundle'],
  description:
    'a CustomResourceDefinition of the bundle is owned by the ClusterServiceVersion, in at least one of its versions',
};

const repeated: BundleRule = {
  id: 'definition-unique',
  severity: 'error',
  validators: ['bundle'],
  description: 'each group, version and kind is defined once',
};

/** The rules that a ClusterServiceVersion owns exactly the kinds that the bundle defines. */
export const ownedKindsCheck: BundleCheck = {
  rules: [missing, unowned, repeated],
  check(bundle, report) {
    const defined = new Map<string, Defined>();
    for (const one of definedKinds(bundle)) {
      if (defined.has(one.key)) {
        const message = `must define a kind once, got ${one.key} again`;
        report(repeated, one.place, message);
      }
      defined.set(one.key, one);
    }
    const ownedKind = new Set<string>();
    const { owned = [] } = bundle.csv.value.spec?.customresourcedefinitions ?? {};
    for (const [i, { name = '', version = '', kind = '' }] of owned.entries()) {
      const group = name.slice(name.indexOf('.') + 1);
      const key = formatGroupVersionKind({ group, version, kind });
      if (defined.delete(key)) ownedKind.add(`${kind}.${group}`);
      else {
        const place = locateInCsv(bundle, 'spec', 'customresourcedefinitions', 'owned', i);
        const message = `must have its CustomResourceDefinition in the bundle and be owned once, got ${key} without one`;
        report(missing, place, message);
      }
    }
    for (const { key, kind, group, place } of defined.values()) {
      if (ownedKind.has(`${kind}.${group}`)) continue;
      report(unowned, place, `must be owned by ${show(bundle.name)}, got ${key}, which is not`);
    }
  },
};

interface Defined {
  readonly key: string;
  readonly group: string;
  readonly kind: string;
  readonly place: BundleLocation;
}

function definedKinds(bundle: LoadedBundle): Defined[] {
  return [...bundle.definitions, ...bundle.betaDefinitions].flatMap(listKinds);
}

function listKinds({ file, document, value }: LoadedDocument<LoadedDefinition>): Defined[] {
  const { group = '', names, version, versions = [] } = value.spec ?? {};
  const kind = names?.kind ?? '';
  const isOld = versions.length === 0 && version !== undefined;
  const all = isOld ? [{ name: version }] : versions;
  return all.map(({ name = '' }, i) => {
    const path = isOld ? ['spec', 'version'] : ['spec', 'versions', i];
    const key = formatGroupVersionKind({ group, version: name, kind });
    return { key, group, kind, place: { file, document, path } };
  });
}

/** The requirements of the API server's rules, in the order of FRAME_RULES. */
const descriptions: Readonly<Record<(typeof DEFINITION_FIELD_RULES)[number], string>> = {
  name: '`metadata.name` is the plural and the group with a dot between',
  namespace: 'it has no namespace',
  'label-key': 'the key of a label is a qualified name',
  'label-value': 'the value of a label is a label value',
  'annotation-key': 'the key of an annotation is a qualified name',
  'annotations-size': 'annotations have at most 256 KiB',
  'owner-reference':
    'owners have a version, a kind, a name and a uid; one at most is its controller',
  finalizer: 'finalizers are qualified names',
  'api-approval':
    'a group of Kubernetes itself (`*.k8s.io`) has the annotation `api-approved.kubernetes.io`',
  group: 'the group is a DNS subdomain with a dot in it',
  scope: 'the scope is Cluster or Namespaced',
  plural: 'the plural is a DNS label',
  singular: 'the singular is a DNS label',
  kind: 'the kind is, in lower case, a DNS label',
  'list-kind': 'the kind of lists is too, and differs from the kind',
  'short-name': 'short names are DNS labels',
  category: 'categories are DNS labels',
  'storage-version': 'exactly one version is stored',
  'version-name': 'versions are named by DNS labels',
  'version-unique': 'no two versions have the same name',
  'version-first': '`spec.version` of v1beta1 is the first of its versions',
  'deprecation-warning': 'the warning of a deprecated version is printable, and has 1 to 256 bytes',
  'scale-path': 'the paths of scale are in spec and status',
  'column-name': 'a column has a name',
  'column-type': 'the type of a column is one that kubectl shows',
  'column-format': 'the format of a column is one of OpenAPI',
  'column-path': 'a column has a path that starts with a dot',
  'selectable-field': 'a selectable field is a string, a boolean or an integer of the schema',
  'selectable-fields-count': 'at most 8 fields are selectable',
  'selectable-fields-shared':
    'selectable fields are the same in all versions where schemas are, and differ where they do',
  'part-of-version':
    'in v1beta1, schema, subresources and columns are at the top or in versions, and at the top if all versions have the same',
  'conversion-strategy': 'the strategy of conversion is None or Webhook',
  'conversion-webhook-unused': 'only the strategy Webhook has one',
  'conversion-client': 'a conversion webhook has a url or a service',
  'conversion-service': 'its service has a name, a namespace and a port',
  'conversion-url': 'its url is one of https, without user, query and fragment',
  'conversion-review-versions':
    'it names versions of ConversionReview that the API server supports',
  'preserve-unknown-fields':
    '`spec.preserveUnknownFields` is false, which is not the default in v1beta1',
};

const rules = new Map(
  DEFINITION_FIELD_RULES.map((rule): [string, BundleRule] => [
    rule,
    {
      id: `definition-${rule}`,
      severity: 'error',
      validators: ['crd'],
      description: descriptions[rule],
    },
  ]),
);

/**
 * The rules for CustomResourceDefinitions, without their schemas, as the API server checks them. OLM's tools check no
 * more; `tenantry crd check` does.
 */
export const definitionsCheck: BundleCheck = {
  rules: [...rules.values()],
  check(bundle, report) {
    for (const one of bundle.definitions) {
      reportFindings(one, checkDefinitionFields(one.value as DecodedDefinition), report);
    }
    for (const one of bundle.betaDefinitions) {
      reportFindings(one, checkBetaDefinitionFields(one.value as DecodedBetaDefinition), report);
    }
  },
};

function reportFindings(
  { file, document }: LoadedDocument<LoadedDefinition>,
  findings: readonly Finding[],
  report: FindingReporter,
): void {
  for (const { path, message, rule } of findings) {
    if (isOfStatus(path)) continue;
    report(rules.get(rule)!, { file, document, path }, message);
  }
}

/** Whether upstream ignores a finding: it ignores every path with `status`, including that of the scale subresource. */
function isOfStatus([root, ...path]: Path): boolean {
  return root === 'spec' && path.some((part) => String(part).includes('status'));
}

import {
  checkBetaDefinitionFields,
  checkDefinitionFields,
  DEFINITION_FIELD_RULES,
  type DecodedBetaDefinition,
  type DecodedDefinition,
} from '../../../crds/validation.ts';
import type { Finding } from '../../../kube/finding.ts';
import type { Path } from '../../../kube/problem.ts';
import type { LoadedDefinition, LoadedDocument } from '../../loader/loaded.ts';
import type { BundleCheck, BundleRule, FindingReporter } from '../rule.ts';

/** The requirements of the API server's rules, in the order of FRAME_RULES. */
const asked: Readonly<Record<(typeof DEFINITION_FIELD_RULES)[number], string>> = {
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
    { id: `definition-${rule}`, severity: 'error', validators: ['crd'], description: asked[rule] },
  ]),
);

/**
 * The rules for CustomResourceDefinitions, without their schemas, as the API server checks them. OLM's tools check no
 * more; `tenantry crd check` does.
 */
export const definitions: BundleCheck = {
  rules: [...rules.values()],
  check(bundle, say) {
    for (const one of bundle.definitions) {
      report(one, checkDefinitionFields(one.value as DecodedDefinition), say);
    }
    for (const one of bundle.betaDefinitions) {
      report(one, checkBetaDefinitionFields(one.value as DecodedBetaDefinition), say);
    }
  },
};

function report(
  { file, document }: LoadedDocument<LoadedDefinition>,
  findings: readonly Finding[],
  say: FindingReporter,
): void {
  for (const { path, message, rule } of findings) {
    if (isOfStatus(path)) continue;
    say(rules.get(rule)!, { file, document, path }, message);
  }
}

/** Whether upstream ignores a finding: it ignores every path with `status`, including that of the scale subresource. */
function isOfStatus([root, ...path]: Path): boolean {
  return root === 'spec' && path.some((part) => String(part).includes('status'));
}

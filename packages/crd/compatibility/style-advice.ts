/**
 * Advice on style, which breaks nothing: the findings of crd-schema-checker's comparators for a
 * single schema.
 *
 * Source: https://github.com/openshift/crd-schema-checker
 */
import type {
  CustomResourceDefinitionManifest,
  CustomResourceDefinitionVersion,
} from '../custom-resource-definition.ts';
import type { JSONSchemaProps } from '../schema/json-schema.ts';
import { isMapping } from '@tenantry/kube/mapping';
import { formatCanonicalJson, isDeepEqual } from '@tenantry/kube/json';
import { formatPathStep } from './comparison-context.ts';
import { condition } from '../schema/language.ts';
import { formatValue } from './change.ts';

/** Advice for one place of one version. */
export interface Advice {
  readonly version: string;
  /** In the same form as in a Change: `.spec.enabled`. */
  readonly path: string;
  /** The name of the rule in crd-schema-checker. */
  readonly rule:
    | 'NoBools'
    | 'NoFloats'
    | 'NoUints'
    | 'NoMaps'
    | 'MustHaveStatus'
    | 'ListsMustHaveSSATags'
    | 'ConditionsMustHaveProperSSATags';
  readonly message: string;
}

/**
 * Returns the advice on what is new in NEW, sorted by version and path. Advice that already applies
 * to the same place and version of OLD is left out, because changing it now would break clients.
 * Without OLD, returns all advice.
 */
export function adviseOn(
  before: CustomResourceDefinitionManifest | undefined,
  after: CustomResourceDefinitionManifest,
): Advice[] {
  const known = new Set(
    (before?.spec.versions ?? []).flatMap(adviseOnVersion).map(formatCanonicalJson),
  );
  const text = ({ version, path, rule, message }: Advice): string =>
    [version, path, rule, message].join(' ');
  return after.spec.versions
    .flatMap(adviseOnVersion)
    .filter((advice) => !known.has(formatCanonicalJson(advice)))
    .toSorted((a, b) => (text(a) < text(b) ? -1 : text(a) > text(b) ? 1 : 0));
}

function adviseOnVersion({
  name,
  schema,
  subresources,
}: CustomResourceDefinitionVersion): Advice[] {
  const root = schema?.openAPIV3Schema;
  if (!root) return [];
  const found: Advice[] = [];
  if (Object.hasOwn(root.properties ?? {}, 'status') && subresources?.status === undefined) {
    const message =
      'must have the subresource status, so that the rights to write spec and to write status can differ';
    found.push({ version: name, path: '.status', rule: 'MustHaveStatus', message });
  }
  visit(root, '', (node, path) => {
    for (const [rule, message] of adviseOnNode(node, path)) {
      found.push({ version: name, path: path || '.', rule, message });
    }
  });
  return found;
}

type Visitor = (node: JSONSchemaProps, path: string) => void;

function visit(node: JSONSchemaProps, path: string, visitor: Visitor): void {
  visitor(node, path);
  for (const [name, field] of Object.entries(node.properties ?? {})) {
    visit(field, path + formatPathStep(name), visitor);
  }
  if (isMapping(node.additionalProperties)) visit(node.additionalProperties, `${path}{}`, visitor);
  if (node.items) visit(node.items, `${path}[]`, visitor);
}

function* adviseOnNode(node: JSONSchemaProps, path: string): Generator<[Advice['rule'], string]> {
  const { type, format = '', additionalProperties } = node;
  if (type === 'boolean') {
    yield [
      'NoBools',
      'must be a string with an enumeration, got a boolean, which can never have a third value',
    ];
  }
  if (type === 'number') {
    yield [
      'NoFloats',
      'must be a whole number or a quantity, got a fraction, which languages round differently',
    ];
  }
  if (/^uint(8|16|32|64)?$/.test(format)) {
    yield [
      'NoUints',
      `must be int32 or int64 with a minimum, got ${format}, which not every language has`,
    ];
  }
  if (type === 'object' && additionalProperties !== undefined && additionalProperties !== false) {
    yield [
      'NoMaps',
      'must be a list with a key (x-kubernetes-list-type: map), got a map, whose keys have no name',
    ];
  }
  if (type !== 'array') return;
  if (!node['x-kubernetes-list-type']) {
    yield [
      'ListsMustHaveSSATags',
      'must have x-kubernetes-list-type, so that server-side apply knows how to merge it, got nothing',
    ];
  }
  if (path.endsWith('.conditions')) {
    if (
      node['x-kubernetes-list-type'] !== 'map' ||
      !isDeepEqual(node['x-kubernetes-list-map-keys'], ['type'])
    ) {
      yield [
        'ConditionsMustHaveProperSSATags',
        'must be a list map with the key type, so that controllers can each own a condition',
      ];
    }
    for (const message of conditionProblems(node.items)) {
      yield ['ConditionsMustHaveProperSSATags', message];
    }
  }
}

const kubernetesCondition = condition();

/** The keywords of a condition's fields that must be as in Kubernetes. */
const conditionKeywords = {
  type: ['maxLength', 'pattern'],
  status: ['enum'],
  observedGeneration: ['minimum'],
  lastTransitionTime: ['type', 'format'],
  reason: ['maxLength', 'pattern'],
  message: ['maxLength'],
} as const;

/** Returns how a schema of conditions differs from the one of Kubernetes, as `must have ...`. */
function conditionProblems(items: JSONSchemaProps | undefined): string[] {
  return Object.entries(conditionKeywords).flatMap(([name, keywords]) => {
    const { properties } = items ?? {};
    const field = properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!field) return [`must have the field ${name} of a condition, got none`];
    const wanted: JSONSchemaProps = kubernetesCondition.properties![name]!;
    return keywords.flatMap((key) => {
      const [value, got]: unknown[] = [wanted[key], field[key]];
      const isRight =
        Array.isArray(value) && Array.isArray(got)
          ? isDeepEqual(value.toSorted(), got.toSorted())
          : isDeepEqual(value, got);
      return isRight
        ? []
        : [`must have ${key} ${formatValue(value)} in its field ${name}, got ${formatValue(got)}`];
    });
  });
}

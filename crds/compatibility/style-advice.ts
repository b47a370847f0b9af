/**
 * Advice on style, and on nothing that breaks: what the comparators of crd-schema-checker say of a
 * schema by itself.
 *
 * Source: https://github.com/openshift/crd-schema-checker
 */
import type {
  CustomResourceDefinitionManifest,
  CustomResourceDefinitionVersion,
} from '../custom-resource-definition.ts';
import type { JSONSchemaProps } from '../../schema/json-schema.ts';
import { isMapping } from '../../kube/mapping.ts';
import { formatCanonicalJson, isDeepEqual } from '../../kube/equality.ts';
import { conditionProblems } from './status-conditions.ts';
import { formatPathStep } from './compared-place.ts';

/** Advice on one place of one version. */
export interface Advice {
  readonly version: string;
  /** As in a Change: `.spec.enabled`. */
  readonly path: string;
  /** The name that crd-schema-checker gives it. */
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
 * Advice on what is new in NEW: what it says of the same place of the same version of OLD too is
 * left out, for it is too late. Without OLD, all of it. Sorted by version and path.
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
      'must have the subresource status, so that who may write spec and who may write status are two questions';
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
      'must say with x-kubernetes-list-type how server-side apply merges it, got nothing',
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

import { show, type Path } from '@tenantry/kube/problem';
import type { JSONSchemaProps } from '../schema/json-schema.ts';
import type { Findings } from '@tenantry/kube/finding';
import type { Leniency } from './leniency.ts';

const LIST_TYPES = ['atomic', 'set', 'map'];
export const MAP_TYPES: readonly string[] = ['atomic', 'granular'];

/**
 * Checks how lists and mappings merge. Source:
 * https://kubernetes.io/docs/reference/using-api/server-side-apply/#merge-strategy
 */
export function checkMerging(
  schema: JSONSchemaProps,
  path: Path,
  findings: Findings,
  leniency: Leniency,
): void {
  const { type } = schema;
  const mapType: string | undefined = schema['x-kubernetes-map-type'];
  const listType: string | undefined = schema['x-kubernetes-list-type'];
  const wrong = (field: string, message: string, rule: string): void => {
    findings.addError([...path, field], message, rule);
  };
  if (mapType !== undefined) {
    if (type !== 'object') {
      wrong(
        'type',
        `must be object, since x-kubernetes-map-type is given, got ${show(type)}`,
        'map-type',
      );
    }
    if (!MAP_TYPES.includes(mapType)) {
      const message = `must be one of ${MAP_TYPES.join(', ')}, got ${show(mapType)}`;
      wrong('x-kubernetes-map-type', message, 'map-type');
    }
  }
  if (listType !== undefined) {
    if (type !== 'array') {
      wrong(
        'type',
        `must be array, since x-kubernetes-list-type is given, got ${show(type)}`,
        'list-type',
      );
    } else if (listType === 'set' && !leniency.setsOfParts) checkSet(schema, path, findings);
    if (!LIST_TYPES.includes(listType)) {
      const message = `must be one of ${LIST_TYPES.join(', ')}, got ${show(listType)}`;
      wrong('x-kubernetes-list-type', message, 'list-type');
    }
  }
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  if (keys.length > 0 && listType !== 'map') {
    const message = `must be map, since x-kubernetes-list-map-keys are given, got ${show(listType)}`;
    wrong('x-kubernetes-list-type', message, 'list-map-keys');
  }
  if (listType === 'map') checkListMap(schema, keys, path, findings);
  if (!leniency.listKeys) checkKeysAreThere(schema, path, findings);
}

/** The items of a set are compared as a whole. */
function checkSet({ items }: JSONSchemaProps, path: Path, findings: Findings): void {
  const wrong = (field: string, got: unknown): void => {
    const message = `must be atomic for the items of a set, got ${show(got)}`;
    findings.addError([...path, 'items', field], message, 'set-items');
  };
  const [listType, mapType] = [items?.['x-kubernetes-list-type'], items?.['x-kubernetes-map-type']];
  if (items?.type === 'array' && listType !== undefined && listType !== 'atomic') {
    wrong('x-kubernetes-list-type', listType);
  }
  if (items?.type === 'object' && mapType !== 'atomic') wrong('x-kubernetes-map-type', mapType);
}

function checkListMap(
  { items }: JSONSchemaProps,
  keys: readonly string[],
  path: Path,
  findings: Findings,
): void {
  const because = 'since x-kubernetes-list-type is map';
  const keysPath = [...path, 'x-kubernetes-list-map-keys'];
  if (keys.length === 0) {
    findings.addError(keysPath, `must name the keys, ${because}, got nothing`, 'list-map-keys');
  }
  if (items?.type !== 'object') {
    const at = items ? [...path, 'items', 'type'] : [...path, 'items'];
    findings.addWrong(at, `be object, ${because}`, items?.type, 'list-map-items');
    return;
  }
  const { properties = {} } = items;
  for (const [i, key] of keys.entries()) {
    if (keys.indexOf(key) < i) {
      const message = `must be unique in the list, got ${show(key)} again`;
      findings.addError([...keysPath, i], message, 'list-map-keys');
    }
    const field = Object.hasOwn(properties, key) ? properties[key]! : undefined;
    if (!field) {
      findings.addWrong([...keysPath, i], 'be a field of the items', key, 'list-map-keys');
    } else if (field.type === 'array' || field.type === 'object') {
      const at = [...path, 'items', 'properties', key, 'type'];
      const message = `must be a scalar, since it is a key of the list, got ${show(field.type)}`;
      findings.addError(at, message, 'list-map-keys');
    }
  }
}

/** Every item of a set or map is there, and so are the keys of each. */
function checkKeysAreThere(schema: JSONSchemaProps, path: Path, findings: Findings): void {
  const { items, 'x-kubernetes-list-type': listType } = schema;
  if (!items || (listType !== 'set' && listType !== 'map')) return;
  if (items.nullable) {
    const message = `must be absent, since x-kubernetes-list-type is ${listType}, got true`;
    findings.addError([...path, 'items', 'nullable'], message, 'list-item-nullable');
  }
  if (listType !== 'map') return;
  for (const key of schema['x-kubernetes-list-map-keys'] ?? []) {
    const { properties = {}, required = [] } = items;
    if (!Object.hasOwn(properties, key)) continue;
    const field = properties[key]!;
    const at = [...path, 'items', 'properties', key];
    if (!required.includes(key) && field.default === undefined) {
      const message =
        'must be given, or the field required, since it is a key of the list, got nothing';
      findings.addError([...at, 'default'], message, 'list-map-key-optional');
    }
    if (field.nullable) {
      const message = 'must be absent, since the field is a key of the list, got true';
      findings.addError([...at, 'nullable'], message, 'list-map-key-nullable');
    }
  }
}

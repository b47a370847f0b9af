import type { JSONSchemaProps } from '../../schema/language.ts';
import type { Descriptor } from '../bundle/cluster-service-version.ts';
import { displayName } from './display-name.ts';
import { groupDescriptor, chooseWidgets } from './shown-as.ts';

/** The maximum number of descriptors of one part of a kind. Deep fields of a large part are left out. */
const MOST = 100;
/** The maximum depth of nested fields. */
const DEEPEST = 3;

/** A field to describe. */
interface Field {
  readonly path: string;
  readonly name: string;
  readonly schema: JSONSchemaProps;
  readonly depth: number;
  /** The group in which the fields around it are shown. */
  readonly group?: string;
}

/**
 * Derives how the fields of a spec or of a status are shown and edited, from their schemas. Fields precede their
 * subfields, in the order of the schema.
 * @param replicas the field that `kubectl scale` sets or reads, such as `replicas`
 */
export function deriveDescriptors(
  schema: JSONSchemaProps,
  part: 'spec' | 'status',
  replicas?: string,
): Descriptor[] {
  const descriptors: Descriptor[] = [];
  const queue = fieldsIn(schema, '', 1);
  for (const field of queue) {
    if (descriptors.length === MOST) break;
    const { path, name, depth } = field;
    const isReplicas = path === replicas;
    const shown = chooseWidgets({ name, schema: field.schema, part, isReplicas });
    descriptors.push(descriptorOf(field, shown.descriptors));
    if (shown.isWhole || depth === DEEPEST) continue;
    const { items } = field.schema;
    const group = groupDescriptor(path.replaceAll('[0]', ''), items !== undefined);
    const inner = items ? `${path}[0].` : `${path}.`;
    queue.push(...fieldsIn(items ?? field.schema, inner, depth + 1, group));
  }
  return descriptors;
}

function fieldsIn(
  { properties = {} }: JSONSchemaProps,
  before: string,
  depth: number,
  group?: string,
): Field[] {
  return Object.entries(properties).map(([name, schema]) => ({
    path: before + name,
    name,
    schema,
    depth,
    ...(group !== undefined && { group }),
  }));
}

function descriptorOf({ name, path, schema, group }: Field, shown: readonly string[]): Descriptor {
  const all = group === undefined ? shown : [group, ...shown];
  const { description, title } = schema;
  return {
    path,
    displayName: title ?? displayName(name),
    ...(description !== undefined && description !== '' && { description }),
    ...(all.length > 0 && { 'x-descriptors': all }),
  };
}

/** Changes to the derived descriptors, by the path of the field; `false` removes one. */
export type DescriptorChanges = Readonly<Record<string, Partial<Omit<Descriptor, 'path'>> | false>>;

/** Applies changes to descriptors. A path that is not derived adds a descriptor. */
export function applyDescriptorChanges(
  derived: readonly Descriptor[],
  changes: DescriptorChanges = {},
): Descriptor[] {
  const known = new Set(derived.map(({ path }) => path));
  const changed = derived.flatMap((one) => {
    const change = Object.hasOwn(changes, one.path) ? changes[one.path] : undefined;
    return change === false ? [] : [{ ...one, ...change }];
  });
  const added = Object.entries(changes).flatMap(([path, change]) => {
    return known.has(path) || change === false ? [] : [{ path, ...change }];
  });
  return [...changed, ...added];
}

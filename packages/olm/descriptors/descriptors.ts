import type { JSONSchemaProps } from '@tenantry/crd/schema/language';
import type { Descriptor } from '../bundle/cluster-service-version.ts';

/** The maximum number of descriptors of one part of a kind. Deep fields of a large part are left out. */
const MAX_DESCRIPTORS = 100;
/** The maximum depth of nested fields. */
const MAX_DEPTH = 3;

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
    if (descriptors.length === MAX_DESCRIPTORS) break;
    const { path, name, depth } = field;
    const isReplicas = path === replicas;
    const shown = chooseWidgets({ name, schema: field.schema, part, isReplicas });
    descriptors.push(buildDescriptor(field, shown.descriptors));
    if (shown.isWhole || depth === MAX_DEPTH) continue;
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

function buildDescriptor(
  { name, path, schema, group }: Field,
  shown: readonly string[],
): Descriptor {
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

/** A field to show: its place, and what is known of it besides its schema. */
interface ShownField {
  readonly name: string;
  readonly schema: JSONSchemaProps;
  readonly part: 'spec' | 'status';
  /** Whether `kubectl scale` sets or reads it. */
  readonly isReplicas: boolean;
}

const UI = 'urn:alm:descriptor:com.tectonic.ui:';
const KUBERNETES = 'urn:alm:descriptor:io.kubernetes';

/** The widgets of a field, and whether its subfields are shown too. */
interface FieldWidgets {
  /** Empty if the field has no special form. */
  readonly descriptors: readonly string[];
  readonly isWhole: boolean;
}

/**
 * Chooses the widgets of a field by its type, and by its name if that is a name of Kubernetes.
 *
 * Source: https://github.com/openshift/console/blob/master/frontend/packages/operator-lifecycle-manager/src/components/descriptors/reference/reference.md
 */
function chooseWidgets(field: ShownField): FieldWidgets {
  const descriptors = field.part === 'spec' ? ofSpec(field) : ofStatus(field);
  const isWhole = descriptors !== undefined || !hasFields(field.schema);
  return { descriptors: descriptors ?? [], isWhole };
}

/** The widgets of fields of Kubernetes' own types, by their names there. */
const named: Readonly<Record<string, string>> = {
  imagePullPolicy: `${UI}imagePullPolicy`,
  nodeAffinity: `${UI}nodeAffinity`,
  podAffinity: `${UI}podAffinity`,
  podAntiAffinity: `${UI}podAntiAffinity`,
  serviceAccountName: `${KUBERNETES}:ServiceAccount`,
  secretName: `${KUBERNETES}:Secret`,
  configMapName: `${KUBERNETES}:ConfigMap`,
  storageClassName: `${KUBERNETES}:StorageClass`,
};

function ofSpec({ name, schema, isReplicas }: ShownField): readonly string[] | undefined {
  const { type, enum: choices, format } = schema;
  if (isReplicas) return [`${UI}podCount`];
  if (Object.hasOwn(named, name)) return [named[name]!];
  if (hasAll(schema, 'limits', 'requests')) return [`${UI}resourceRequirements`];
  if (hasAll(schema, 'type', 'rollingUpdate')) return [`${UI}updateStrategy`];
  if (hasAll(schema, 'matchLabels', 'matchExpressions')) return [`${UI}selector:core:v1:Pod`];
  if (type === 'string' && choices) return choices.map((choice) => `${UI}select:${String(choice)}`);
  if (format === 'password') return [`${UI}password`];
  if (schema['x-kubernetes-int-or-string'] === true) return [`${UI}text`];
  return type === undefined ? undefined : scalars[type];
}

const scalars: Readonly<Record<string, readonly string[]>> = {
  boolean: [`${UI}booleanSwitch`],
  integer: [`${UI}number`],
  number: [`${UI}number`],
  string: [`${UI}text`],
};

function ofStatus({ name, schema, isReplicas }: ShownField): readonly string[] | undefined {
  const { type, format, items } = schema;
  if (isReplicas) return [`${UI}podCount`];
  if (items && hasAll(items, 'lastTransitionTime', 'status', 'type')) {
    return [`${KUBERNETES}.conditions`];
  }
  if (type === 'string' && name === 'phase') return [`${KUBERNETES}.phase`];
  if (type === 'string' && name === 'reason') return [`${KUBERNETES}.phase:reason`];
  if (type === 'string' && format === 'uri') return ['urn:alm:descriptor:org.w3:link'];
  return type === undefined || !Object.hasOwn(scalars, type) ? undefined : [`${UI}text`];
}

/** Builds the descriptor that groups fields. */
function groupDescriptor(name: string, isList: boolean): string {
  return `${UI}${isList ? 'arrayFieldGroup' : 'fieldGroup'}:${name}`;
}

function hasAll({ properties = {} }: JSONSchemaProps, ...names: readonly string[]): boolean {
  return names.every((name) => Object.hasOwn(properties, name));
}

function hasFields({ properties, items }: JSONSchemaProps): boolean {
  const fields = properties ?? items?.properties ?? {};
  return Object.keys(fields).length > 0;
}

/** Formats a field name for people: `minReadySeconds` becomes `Min Ready Seconds`, `podIP` becomes `Pod IP`. */
export function displayName(name: string): string {
  const words = name
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[-_]/g, ' ')
    .split(' ')
    .filter((word) => word !== '');
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ');
}

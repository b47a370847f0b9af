import type { JSONSchemaProps } from '../../schema/language.ts';

/** A field to show: its place, and what is known of it besides its schema. */
export interface ShownField {
  readonly name: string;
  readonly schema: JSONSchemaProps;
  readonly part: 'spec' | 'status';
  /** Whether `kubectl scale` sets or reads it. */
  readonly isReplicas: boolean;
}

const UI = 'urn:alm:descriptor:com.tectonic.ui:';
const KUBERNETES = 'urn:alm:descriptor:io.kubernetes';

/** The widgets of a field, and whether its subfields are shown too. */
export interface FieldWidgets {
  /** Empty if the field has no special form. */
  readonly descriptors: readonly string[];
  readonly isWhole: boolean;
}

/**
 * Chooses the widgets of a field by its type, and by its name if that is a name of Kubernetes.
 *
 * Source: https://github.com/openshift/console/blob/master/frontend/packages/operator-lifecycle-manager/src/components/descriptors/reference/reference.md
 */
export function chooseWidgets(field: ShownField): FieldWidgets {
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
export function groupDescriptor(name: string, isList: boolean): string {
  return `${UI}${isList ? 'arrayFieldGroup' : 'fieldGroup'}:${name}`;
}

function hasAll({ properties = {} }: JSONSchemaProps, ...names: readonly string[]): boolean {
  return names.every((name) => Object.hasOwn(properties, name));
}

function hasFields({ properties, items }: JSONSchemaProps): boolean {
  const fields = properties ?? items?.properties ?? {};
  return Object.keys(fields).length > 0;
}

import type { Findings } from '@tenantry/kube/finding';
import type { JSONSchemaProps } from '../schema/json-schema.ts';
import { formatPath, type Path } from '@tenantry/kube/problem';
import type { DecodedDefinition } from '../fields/decoded-definition.ts';

const RULE = 'version-losses';

type Spec = NonNullable<DecodedDefinition['spec']>;

/**
 * Warns of fields that objects lose between versions. With the strategy None the API server changes
 * apiVersion alone, and prunes what the version that is stored, or read, does not have.
 * Source: https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definition-versioning/
 */
export function warnOfVersionLosses({ versions = [], conversion }: Spec, findings: Findings): void {
  if (conversion?.strategy === 'Webhook') return;
  const used = versions.flatMap(({ name = '', served, storage, schema }, i) => {
    const root = schema?.openAPIV3Schema;
    return root && (served || storage) ? [{ name, root, i }] : [];
  });
  for (const from of used) {
    for (const to of used) {
      if (from === to) continue;
      const { lost, changed } = compareFields(from.root, to.root);
      const at = ['spec', 'versions', to.i];
      if (lost.length > 0) {
        const message = `must have the fields of ${from.name} while the conversion strategy is None, or objects lose them, got no ${summarize(lost)}`;
        findings.addWarning(at, message, RULE);
      }
      // The other direction has the same difference.
      if (changed.length > 0 && from.i < to.i) {
        const message = `must have the types of ${from.name} while the conversion strategy is None, or objects of one version are refused in the other, got another type for ${summarize(changed)}`;
        findings.addWarning(at, message, RULE);
      }
    }
  }
}

interface Compared {
  readonly lost: Path[];
  readonly changed: Path[];
}

/** The fields that the API server adds and checks itself. */
const metaFields: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

function compareFields(from: JSONSchemaProps, to: JSONSchemaProps): Compared {
  const compared: Compared = { lost: [], changed: [] };
  const {
    apiVersion: _version,
    kind: _kind,
    metadata: _metadata,
    ...properties
  } = from.properties ?? {};
  compareNodes({ ...from, properties }, to, [], compared);
  return compared;
}

function compareNodes(
  from: JSONSchemaProps,
  to: JSONSchemaProps,
  path: Path,
  compared: Compared,
): void {
  if (typeOf(from) !== typeOf(to)) {
    compared.changed.push(path);
    return;
  }
  for (const [name, inner] of Object.entries(from.properties ?? {})) {
    if (path.length === 0 && metaFields.has(name)) continue;
    const at = [...path, name];
    const other = fieldOf(to, name);
    if (other === 'dropped') compared.lost.push(at);
    else if (other !== 'kept') compareNodes(inner, other, at, compared);
  }
  const [values, others] = [from.additionalProperties, to.additionalProperties];
  const keepsKeys = keepsUnknown(to) || others === true;
  if (values !== undefined && values !== false && !keepsKeys) {
    if (typeof others !== 'object') compared.lost.push([...path, '*']);
    else if (typeof values === 'object') compareNodes(values, others, [...path, '*'], compared);
  } else if (keepsUnknown(from) && !keepsKeys && typeof others !== 'object') {
    compared.lost.push([...path, '*']);
  }
  if (from.items && to.items) compareNodes(from.items, to.items, [...path, '*'], compared);
}

const keepsUnknown = (schema: JSONSchemaProps): boolean =>
  schema['x-kubernetes-preserve-unknown-fields'] === true;

/** Returns the schema of a field, or whether a field without a schema is kept or dropped. */
function fieldOf(schema: JSONSchemaProps, name: string): JSONSchemaProps | 'kept' | 'dropped' {
  const { properties = {}, additionalProperties } = schema;
  if (Object.hasOwn(properties, name)) return properties[name]!;
  if (typeof additionalProperties === 'object') return additionalProperties;
  const isEmbedded = schema['x-kubernetes-embedded-resource'] === true;
  if (additionalProperties === true || keepsUnknown(schema)) return 'kept';
  return isEmbedded && metaFields.has(name) ? 'kept' : 'dropped';
}

function typeOf(schema: JSONSchemaProps): string | undefined {
  if (schema['x-kubernetes-int-or-string'] === true) return 'int-or-string';
  return schema.type;
}

function summarize(paths: readonly Path[]): string {
  const shown = paths.slice(0, 5).map((path) => formatPath(path) || 'the object');
  const more = paths.length - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
}

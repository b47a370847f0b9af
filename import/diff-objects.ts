import { isMapping } from '@tenantry/kube/mapping';
import type { KubeObject } from '@tenantry/kube/object';
import { normalizeBuiltinObject } from '@tenantry/kube/builtin-stored';
import {
  CONCERNS,
  concernLabel,
  COMPARE_OPTIONS,
  ENVIRONMENT_LABEL,
  FACTS,
  MANAGED_BY_LABEL,
  SYNC_OPTIONS,
  SYNC_WAVE,
  TENANT_LABEL,
} from '../model/ownership.ts';
import { diffContent, type FieldDiff } from '../operator/drift/difference.ts';
import { normalizeContent, type Content } from '../operator/stored/content.ts';
import { isEqual } from './counting.ts';
import { isServerKey } from './facts.ts';

/** The metadata that Tenantry sets on what it renders (docs/reference/metadata.md). */
const ownKeys: ReadonlySet<string> = new Set([
  TENANT_LABEL,
  ENVIRONMENT_LABEL,
  MANAGED_BY_LABEL,
  COMPARE_OPTIONS,
  SYNC_OPTIONS,
  SYNC_WAVE,
  ...CONCERNS.map(concernLabel),
  ...Object.values(FACTS),
]);

/** Fields that the API server writes. */
const serverFields: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata', 'status']);

/**
 * Compares an object with the one that Tenantry renders for it, by what an API server would store: defaults, empty
 * values and spellings of quantities make no difference, and neither does the metadata that only Tenantry, the API
 * server and kubectl write.
 * @returns the differences; `desired` is the value of the original
 */
export function diffObjects(original: KubeObject, rendered: KubeObject): readonly FieldDiff[] {
  const content = diffContents(original, rendered);
  return [
    ...(original.apiVersion === rendered.apiVersion
      ? []
      : [{ path: ['apiVersion'], desired: original.apiVersion, live: rendered.apiVersion }]),
    ...diffKeys('labels', original, rendered),
    ...diffKeys('annotations', original, rendered),
    ...content,
  ];
}

function diffContents(original: KubeObject, rendered: KubeObject): readonly FieldDiff[] {
  const complete = completeSubjects(original);
  // What is equal as it is written is equal in every other form, too.
  if (hasEqualFields(complete, rendered)) return [];
  const [one, other] = [normalizeContent(complete), normalizeContent(rendered)];
  if (one && other) return diffContent(dedupeSubjects(one), dedupeSubjects(other));
  const [plain, own] = [normalizeOther(original), normalizeOther(rendered)];
  if (isEqual(plain.fields, own.fields)) return [];
  const found = diffContent(plain, own);
  return found.length > 0 ? found : [{ path: ['order of lists'] }];
}

/** Whether two objects of one name have the same content, as it is written. */
function hasEqualFields(one: KubeObject, other: KubeObject): boolean {
  if (one.apiVersion !== other.apiVersion || one.kind !== other.kind) return false;
  const [ours, theirs] = [one, other].map((object) =>
    Object.keys(object).filter((field) => !serverFields.has(field)),
  ) as [string[], string[]];
  return (
    ours.length === theirs.length &&
    ours.every((field) => Object.hasOwn(other, field) && isEqual(one[field], other[field]))
  );
}

/** Returns the content of an object that tenants have only among `resources`. */
function normalizeOther(object: KubeObject): Content {
  const fields = Object.entries(normalizeBuiltinObject(object)).filter(
    ([field, value]) => !serverFields.has(field) && value !== null,
  );
  return { fields: Object.fromEntries(fields), isQuantity: () => false };
}

/** A ServiceAccount without a namespace is meant to be in that of the binding; the API server refuses the binding. */
function completeSubjects(object: KubeObject): KubeObject {
  const { subjects } = object;
  if (object.kind !== 'RoleBinding' || !Array.isArray(subjects)) return object;
  const complete = subjects.map((subject: unknown) =>
    isMapping(subject) && subject['kind'] === 'ServiceAccount' && !subject['namespace']
      ? { ...subject, namespace: object.metadata.namespace }
      : subject,
  );
  return { ...object, subjects: complete };
}

/** A subject that a binding repeats has no effect. */
function dedupeSubjects(content: Content): Content {
  const { subjects } = content.fields;
  if (!Array.isArray(subjects)) return content;
  const unique = subjects.filter(
    (one, i) => subjects.findIndex((other) => isEqual(one, other)) === i,
  );
  return { ...content, fields: { ...content.fields, subjects: unique } };
}

function diffKeys(
  part: 'labels' | 'annotations',
  original: KubeObject,
  rendered: KubeObject,
): FieldDiff[] {
  const [ours, theirs] = [original.metadata[part] ?? {}, rendered.metadata[part] ?? {}];
  return [...new Set([...Object.keys(ours), ...Object.keys(theirs)])]
    .filter((key) => ours[key] !== theirs[key] && !ownKeys.has(key) && !isServerKey(key))
    .map((key) => ({
      path: ['metadata', part, key],
      ...(ours[key] !== undefined && { desired: ours[key] }),
      ...(theirs[key] !== undefined && { live: theirs[key] }),
    }));
}

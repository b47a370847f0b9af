import { groupOf, type KubeObject } from '@tenantry/kube/object';
import {
  CONCERNS,
  concernLabel,
  ENVIRONMENT_LABEL,
  FACTS,
  MANAGED_BY,
  MANAGED_BY_LABEL,
  TENANT_LABEL,
} from '../../model/ownership.ts';
import { LIST_LABELS } from '../../model/allow-lists/labels.ts';
import { hardeningLabel } from '../../model/hardening/policy.ts';

/**
 * A key that Tenantry sets on objects and that is not part of their content. Keys that a declaration sets, such as the
 * contacts of a tenant, are no marks, whatever their domain is.
 */
export interface Mark {
  readonly part: 'labels' | 'annotations';
  readonly key: string;
  /** The only value with which it is a mark. @default - every value */
  readonly value?: string;
}

const PART_OF_LABEL = 'app.kubernetes.io/part-of';

/** All marks, see docs/reference/metadata.md. */
export const marks: readonly Mark[] = [
  { part: 'labels', key: MANAGED_BY_LABEL, value: MANAGED_BY },
  { part: 'labels', key: PART_OF_LABEL, value: MANAGED_BY },
  { part: 'labels', key: TENANT_LABEL },
  { part: 'labels', key: ENVIRONMENT_LABEL },
  ...CONCERNS.map((concern): Mark => ({ part: 'labels', key: concernLabel(concern) })),
  ...Object.values(hardeningLabel).map((key): Mark => ({ part: 'labels', key })),
  ...LIST_LABELS.map((key): Mark => ({ part: 'labels', key })),
  ...Object.values(FACTS).map((key): Mark => ({ part: 'annotations', key })),
];

/** The domain of most marks. Text that names it with a `/` and no key, such as a pattern, reads all of its keys. */
const WHOLE_DOMAIN = /tenantry\.dev\)?\/(?![A-Za-z0-9])/;

/**
 * Returns the marks that a content reads: by a selector, by CEL, or by any other text. Names of metrics count, in which a
 * `_` replaces other characters. Content that only mentions a mark counts too: a mark that stays does no harm, and one
 * that is missing opens what selects by it.
 * @param content an object without its own labels and annotations, or a text
 */
export function findReadMarks(content: unknown): readonly Mark[] {
  const text = JSON.stringify(content);
  if (![MANAGED_BY, MANAGED_BY_LABEL, PART_OF_LABEL].some((word) => text.includes(word))) return [];
  // CEL and regular expressions escape a dot as `\.` or `[.]`.
  const plain = text.replaceAll('\\', '').replaceAll('[.]', '.');
  const readsDomain = WHOLE_DOMAIN.test(plain);
  return marks.filter(
    (mark) => patternOf(mark).test(plain) || (readsDomain && mark.key.includes('tenantry.dev/')),
  );
}

const patterns = new Map<Mark, RegExp>();

function patternOf(mark: Mark): RegExp {
  const known = patterns.get(mark) ?? buildPattern(mark);
  patterns.set(mark, known);
  return known;
}

function buildPattern({ key, value }: Mark): RegExp {
  const literal = key.replaceAll('.', String.raw`\.`);
  const metric = key.replaceAll(/[^A-Za-z0-9]/g, '_');
  // A key with another value is a label of something else, such as `managed-by: Helm` in a template.
  const elsewhere = value === undefined ? '' : `(?!":"(?!${value}"))`;
  return new RegExp(
    `(?<![\\w-])${literal}(?![\\w.-])${elsewhere}|(?<![A-Za-z0-9])${metric}(?!\\w)`,
  );
}

/** Returns the object without these marks; the same object if it has none of them. */
export function removeMarks(object: KubeObject, removed: ReadonlySet<Mark>): KubeObject {
  const gone = listMarks(object).filter((mark) => removed.has(mark));
  if (gone.length === 0) return object;
  const metadata: Record<string, unknown> = { ...object.metadata };
  for (const part of ['labels', 'annotations'] as const) {
    const keys = new Set(gone.flatMap((mark) => (mark.part === part ? [mark.key] : [])));
    const rest = Object.entries(object.metadata[part] ?? {}).filter(([key]) => !keys.has(key));
    if (rest.length > 0) metadata[part] = Object.fromEntries(rest);
    else delete metadata[part];
  }
  return { ...object, metadata: metadata as unknown as KubeObject['metadata'] };
}

/** Returns the marks of an object. */
export function listMarks({ metadata }: KubeObject): readonly Mark[] {
  const isTenants = metadata.labels?.[TENANT_LABEL] !== undefined;
  return marks.filter(({ part, key, value }) => {
    const found = metadata[part]?.[key];
    // Tenants may declare what their objects are part of.
    if (found === undefined || (key === PART_OF_LABEL && isTenants)) return false;
    return value === undefined || found === value;
  });
}

/** Whether an object is of a kind of Tenantry, or defines one. */
export function isOfTenantry({ apiVersion, kind, spec }: KubeObject): boolean {
  if (groupOf(apiVersion) === OWN_GROUP) return true;
  const group = (spec as { readonly group?: unknown } | undefined)?.group;
  return kind === 'CustomResourceDefinition' && group === OWN_GROUP;
}

const OWN_GROUP = 'tenantry.dev';

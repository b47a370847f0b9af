import { warningAt, type TenantFinding } from '../findings/tenant-finding.ts';
import type { KubeObject } from '@tenantry/kube/object';
import { resourceContext } from '../../crds/resources.ts';
import { isMapping } from '@tenantry/kube/mapping';
import type { Path } from '@tenantry/kube/problem';
import { findPlaceholders } from '../placeholders.ts';

/** A manifest as it is rendered. */
interface ReadManifest {
  readonly manifest: KubeObject;
  /** Warnings; the paths begin at the manifest. */
  readonly remarks: readonly TenantFinding<'leftover' | 'literal-placeholder'>[];
}

const known = new WeakMap<KubeObject, ReadManifest>();

/**
 * Reads a manifest that a declaration contains literally. It removes what other tools left in it and keeps every text
 * as it is, because there are no placeholders outside of presets. The result is cached for each manifest object, which
 * must not be changed afterwards.
 */
export function readManifest(written: KubeObject): ReadManifest {
  let read = known.get(written);
  if (!read) {
    const { manifest, dropped } = removeLeftovers(written);
    read = { manifest, remarks: [...dropped, ...findLiteralPlaceholders(manifest)] };
    known.set(written, read);
  }
  return read;
}

/** Finds texts that a reader may take for placeholders. */
function findLiteralPlaceholders(manifest: KubeObject): TenantFinding<'literal-placeholder'>[] {
  const names: readonly string[] = resourceContext;
  return findPlaceholders(manifest)
    .filter(({ name }) => names.includes(name))
    .map(({ name, path, atKey }) => {
      const message = `must be in a preset of the class to be filled in, got {${name}}, which stays as it is`;
      return { ...warningAt(path, message, 'literal-placeholder'), ...(atKey && { atKey }) };
    });
}

type Fields = Readonly<Record<string, unknown>>;

/** A manifest without what other tools left in it, and the removed parts. */
interface CleanedManifest<T> {
  readonly manifest: T;
  /** Warnings about what was removed; the paths begin at the manifest. */
  readonly dropped: readonly TenantFinding<'leftover'>[];
}

/** Whether a value is null or an empty mapping. */
const isEmpty = (value: unknown): boolean =>
  value === null || (isMapping(value) && Object.keys(value).length === 0);

/**
 * Removes from a manifest what other tools left in it and what would get in the way of applying it from Git. These are
 * placeholders that generators write for the API server (`creationTimestamp: null`, `status: {}`), Helm's release
 * metadata, and kubectl's last applied version. Nothing else is touched: nulls elsewhere stay for the API server to
 * read.
 */
export function removeLeftovers<T extends Fields>(manifest: T): CleanedManifest<T> {
  const dropped: TenantFinding<'leftover'>[] = [];
  const drop: Drop = (path, why) => {
    dropped.push(warningAt(path, `must be left out, and is dropped: ${why}`, 'leftover'));
  };
  const { status, metadata } = manifest;
  const cleaned = isMapping(metadata) ? { metadata: cleanMetadata(metadata, drop) } : {};
  const copy = Object.assign({ ...manifest }, cleaned);
  if (isEmpty(status)) {
    drop(['status'], 'it is empty, and only the cluster sets it');
    Reflect.deleteProperty(copy, 'status');
  }
  return { manifest: dropped.length > 0 ? copy : manifest, dropped };
}

type Drop = (path: Path, why: string) => void;

function cleanMetadata(written: Fields, drop: Drop): Fields {
  const metadata = { ...written };
  if (metadata['creationTimestamp'] === null) {
    drop(['metadata', 'creationTimestamp'], 'only the API server sets it');
    delete metadata['creationTimestamp'];
  }
  for (const part of ['labels', 'annotations'] as const) cleanKeys(metadata, part, drop);
  return metadata;
}

function cleanKeys(
  metadata: Record<string, unknown>,
  part: 'labels' | 'annotations',
  drop: Drop,
): void {
  const entries = metadata[part];
  if (!isMapping(entries)) return;
  const kept = Object.entries(entries).filter(([key, value]) => {
    const why =
      part === 'labels' ? explainLeftoverLabel(key, value) : explainLeftoverAnnotation(key);
    if (why !== undefined) drop(['metadata', part, key], why);
    return why === undefined;
  });
  if (kept.length === Object.keys(entries).length) return;
  if (kept.length > 0) metadata[part] = Object.fromEntries(kept);
  else delete metadata[part];
}

/** Explains why a label is left over; undefined for other labels. */
function explainLeftoverLabel(key: string, value: unknown): string | undefined {
  if (key === 'app.kubernetes.io/managed-by' && value === 'Helm') {
    return 'Helm no longer manages the object';
  }
  if (key === 'app.kubernetes.io/instance') {
    return 'it named a release, and Argo CD takes it for the name of an application';
  }
  return undefined;
}

function explainLeftoverAnnotation(key: string): string | undefined {
  if (key.startsWith('meta.helm.sh/')) return 'Helm no longer manages the object';
  if (key === 'kubectl.kubernetes.io/last-applied-configuration') {
    return 'kubectl writes it for itself, with all that the object held';
  }
  return undefined;
}

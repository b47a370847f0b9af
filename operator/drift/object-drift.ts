import {
  LONGEST_FIELD,
  LONGEST_NAME,
  LONGEST_VALUE,
  type DriftEntry,
} from '../../crds/tenantry/tenant-status.ts';
import { groupOf, type KubeObject } from '../../kube/object.ts';
import { escapeJsonForTerminal } from '../../kube/printable.ts';
import type { Live } from '../../runtime/kinds/kind.ts';
import { normalizeContent } from '../stored/content.ts';
import { diffContent, formatSteps, type FieldDiff, type PathStep } from './difference.ts';
import { findFieldManager, maker, type FieldManager } from './field-owner.ts';
import { redact } from './redact.ts';
import { diffMetadata } from './metadata.ts';
import { diffFields } from './diff-fields.ts';

/** A difference without the time since when it is known, which is the tenant's to remember. */
export type Drift = Omit<DriftEntry, 'since'>;

/** Which object something is said of. */
export type ObjectIdentity = Pick<Drift, 'kind' | 'group' | 'namespace' | 'name'>;

/** The names of an object as a status has them. */
export function identifyObject({ apiVersion, kind, metadata }: KubeObject): ObjectIdentity {
  const group = groupOf(apiVersion);
  const { namespace, name } = metadata;
  return {
    kind,
    ...(group !== '' && { group }),
    ...(namespace !== undefined && { namespace }),
    name: cut(name, LONGEST_NAME),
  };
}

/** `RoleBinding pay-prod/edit`, as people are told of an object. */
export function formatObjectName({ kind, namespace, name }: ObjectIdentity): string {
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
}

/** What is said of an object that is declared and not there. */
export function buildMissingDrift(desired: KubeObject): Drift {
  return { type: 'Missing', ...identifyObject(desired) };
}

/**
 * What is said of an object that is there and that nobody declared.
 * @param live with its managedFields
 */
export function buildUndeclaredEntry(live: Live): Omit<Drift, 'type'> {
  return { ...identifyObject(live as KubeObject), ...writer(maker(live.metadata)) };
}

/**
 * What is said of a part of an object's metadata that nobody declared: a label, an annotation, an owner.
 * @param live with its managedFields, where they could be read
 */
export function buildUndeclaredKeyEntry(
  live: Live,
  path: readonly PathStep[],
  value: string,
): Omit<Drift, 'type'> {
  const { live: redacted } = redact(live.kind ?? '', { path, live: value });
  return {
    ...identifyObject(live as KubeObject),
    field: fieldText(path),
    live: shown(redacted),
    ...writer(findFieldManager(live.metadata.managedFields, path)),
  };
}

/** The path of a field as a status has it. */
export function fieldText(path: readonly PathStep[]): string {
  return cut(formatSteps(path), LONGEST_FIELD);
}

/**
 * Where an object differs from what is declared, field by field, and whose hand it was. Nothing, where the
 * API server would take one for the other.
 * @param live with its managedFields
 */
export function findObjectDrift(desired: KubeObject, live: Live): readonly Drift[] {
  const all = [...diffObject(desired, live as KubeObject), ...deletionDifferences(live)];
  return all.map((difference) => {
    const { path } = difference;
    const isThere = 'live' in difference;
    const owner = findFieldManager(live.metadata.managedFields, path, isThere);
    return {
      type: typeOf(difference),
      ...identifyObject(desired),
      field: fieldText(path),
      ...('desired' in difference && { desired: shown(difference.desired) }),
      ...('live' in difference && { live: shown(difference.live) }),
      ...writer(owner),
    };
  });
}

/** Where an object differs from what is declared, its metadata included. */
export function diffObject(desired: KubeObject, live: KubeObject): readonly FieldDiff[] {
  const [wanted, there] = [normalizeContent(desired), normalizeContent(live)];
  const inside = wanted && there ? diffContent(wanted, there) : otherDifferences(desired, live);
  return [...diffMetadata(desired.metadata, live.metadata), ...inside];
}

/**
 * That an object is being deleted, and which finalizers keep it: nobody can undo that, so it is no difference that
 * healing takes away. Namespaces report it in a condition of their own.
 */
function deletionDifferences({ kind, metadata }: Live): readonly FieldDiff[] {
  const { deletionTimestamp, finalizers = [] } = metadata;
  if (deletionTimestamp === undefined || kind === 'Namespace') return [];
  return [
    { path: ['metadata', 'deletionTimestamp'], live: deletionTimestamp },
    ...(finalizers.length > 0 ? [{ path: ['metadata', 'finalizers'], live: finalizers }] : []),
  ];
}

/** Of what Tenantry does not make itself nobody knows what is secret in it. */
function otherDifferences(desired: KubeObject, live: KubeObject): readonly FieldDiff[] {
  return diffFields(desired, live as KubeObject & Live).map((one) => redact(desired.kind, one));
}

function typeOf(difference: FieldDiff): Drift['type'] {
  if (!('live' in difference)) return 'Missing';
  return 'desired' in difference ? 'Changed' : 'Extra';
}

function writer(owner: FieldManager | undefined): Partial<Drift> {
  if (!owner) return {};
  const { manager, operation, time } = owner;
  return {
    manager: cut(manager, 128),
    operation,
    ...(time !== undefined && { changed: time }),
  };
}

function shown(value: unknown): string {
  return cut(escapeJsonForTerminal(JSON.stringify(value)), LONGEST_VALUE);
}

/** The text, or as much of it as fits, by whole characters: half of one comes back from the API server as another. */
function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const characters = [...text];
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`;
}

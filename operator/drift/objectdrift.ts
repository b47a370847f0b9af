import type { KubeObject } from '../../kube/object.ts';
import { LONGEST_VALUE, type DriftEntry } from '../../crds/tenantry/tenantstatus.ts';
import { groupOf } from '../../kube/object.ts';
import type { Live } from '../../runtime/kinds/kind.ts';
import { contentOf } from '../stored/content.ts';
import { differences, formatSteps, type Difference } from './difference.ts';
import { fieldOwner, maker, type FieldOwner } from './fieldowner.ts';
import { metadataDifferences } from './metadata.ts';

/** A difference without the time since when it is known, which is the tenant's to remember. */
export type Drift = Omit<DriftEntry, 'since'>;

/** Which object something is said of. */
export type DriftedObject = Pick<Drift, 'kind' | 'group' | 'namespace' | 'name'>;

/** The names of an object as a status has them. */
export function objectOf({ apiVersion, kind, metadata }: KubeObject): DriftedObject {
  const group = groupOf(apiVersion);
  const { namespace, name } = metadata;
  return {
    kind,
    ...(group !== '' && { group }),
    ...(namespace !== undefined && { namespace }),
    name,
  };
}

/** What is said of an object that is declared and not there. */
export function missing(desired: KubeObject): Drift {
  return { type: 'Missing', ...objectOf(desired) };
}

/**
 * What is said of an object that is there and that nobody declared.
 * @param live with its managedFields
 */
export function undeclared(live: Live): Omit<Drift, 'type'> {
  return { ...objectOf(live as KubeObject), ...writer(maker(live.metadata.managedFields)) };
}

/**
 * Where an object differs from what is declared, field by field, and whose hand it was. Nothing, where the
 * API server would take one for the other.
 * @param live with its managedFields
 */
export function objectDrift(desired: KubeObject, live: Live): readonly Drift[] {
  return allDifferences(desired, live as KubeObject).map((difference) => {
    const { path } = difference;
    // Of what is not there any more, the API server does not know who took it away.
    const owner =
      difference.live === undefined ? undefined : fieldOwner(live.metadata.managedFields, path);
    return {
      type: typeOf(difference),
      ...objectOf(desired),
      field: formatSteps(path),
      ...('desired' in difference && { desired: shown(difference.desired) }),
      ...('live' in difference && { live: shown(difference.live) }),
      ...writer(owner),
    };
  });
}

function allDifferences(desired: KubeObject, live: KubeObject): readonly Difference[] {
  const [wanted, there] = [contentOf(desired), contentOf(live)];
  const inside = wanted && there ? differences(wanted, there) : [];
  return [...metadataDifferences(desired.metadata, live.metadata), ...inside];
}

function typeOf(difference: Difference): Drift['type'] {
  if (!('live' in difference)) return 'Missing';
  return 'desired' in difference ? 'Changed' : 'Extra';
}

function writer(owner: FieldOwner | undefined): Partial<Drift> {
  if (!owner) return {};
  const { manager, operation, time } = owner;
  return {
    manager: manager.slice(0, 128),
    operation,
    ...(time !== undefined && { changed: time }),
  };
}

function shown(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length <= LONGEST_VALUE ? text : `${text.slice(0, LONGEST_VALUE - 1)}…`;
}

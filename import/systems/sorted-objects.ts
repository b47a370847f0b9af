import { toProblem, type Finding } from '@tenantry/kube/finding';
import { groupOf } from '@tenantry/kube/object';
import type { Path, Problem } from '@tenantry/kube/problem';
import { compileSchema } from '@tenantry/crd/schema';
import { formatObjectName } from '../../operator/drift/object-drift.ts';
import type { FoundObject } from '../manifests.ts';
import { dropNulls, SystemObject } from './system-object.ts';
import type { SystemKind, TenancySystem } from './tenancy-system.ts';

/** The objects of a source: those of tenancy systems, and all others. */
export interface SortedObjects {
  readonly valid: readonly { readonly system: TenancySystem; readonly object: SystemObject }[];
  readonly namespaces: readonly FoundObject[];
  /** All objects of neither kind. */
  readonly objects: readonly FoundObject[];
  /** Errors in objects of the systems. */
  readonly problems: readonly Problem[];
}

/** Separates the objects of tenancy systems from all others, and validates them by the schemas of their kinds. */
export function sortObjects(
  found: readonly FoundObject[],
  systems: readonly TenancySystem[],
): SortedObjects {
  const owners = new Map(
    systems.flatMap((system) =>
      system.kinds.map((kind) => [`${kind.group}/${kind.kind}`, { system, kind }] as const),
    ),
  );
  const ownerOf = ({ object }: FoundObject) =>
    owners.get(`${groupOf(object.apiVersion)}/${object.kind}`);
  const others = found.filter((one) => !ownerOf(one));
  const isNamespace = ({ object }: FoundObject): boolean =>
    object.apiVersion === 'v1' && object.kind === 'Namespace';
  const problems: Problem[] = [];
  const valid = found.flatMap((given) => {
    const owner = ownerOf(given);
    if (!owner) return [];
    const one = dropNulls(given);
    const { errors, unknown } = checkObject(one, owner.kind);
    problems.push(...errors);
    const object = new SystemObject(one, unknown);
    return errors.length > 0 ? [] : [{ system: owner.system, object }];
  });
  return {
    valid,
    namespaces: others.filter(isNamespace),
    objects: others.filter((one) => !isNamespace(one)),
    problems,
  };
}

/** Metadata of objects, and what controllers write. */
const metadataFields: ReadonlySet<unknown> = new Set(['apiVersion', 'kind', 'metadata', 'status']);

/** Checks an object by the schema of its kind; lists the fields that a complete schema lacks. */
function checkObject(
  { object, file, line }: FoundObject,
  { schema, isComplete = false }: SystemKind,
): { readonly errors: Problem[]; readonly unknown: readonly Path[] } {
  const { errors } = compileSchema(schema).check(object);
  const isUnknownField = ({ rule }: Finding): boolean => rule === 'unknown-field';
  const unknown = errors
    .filter(isUnknownField)
    .map(({ path }) => path)
    .filter(([first]) => !metadataFields.has(first));
  return {
    unknown: isComplete ? unknown : [],
    errors: errors
      .filter((error) => !isUnknownField(error))
      .map((error) => {
        const place = file === undefined || line === undefined ? {} : { file, line, column: 1 };
        const problem = toProblem(error, place);
        return {
          ...problem,
          message: `${problem.message} (${formatObjectName({ kind: object.kind, ...object.metadata })})`,
        };
      }),
  };
}

import { builtinResource, builtinScope, type Scope } from '@tenantry/kube/builtin-kinds';
import { isMapping } from '@tenantry/kube/mapping';
import { groupOf, type KubeObject } from '@tenantry/kube/object';

/** A kind, and its applied objects. */
export interface AppliedKind {
  /** The API group; '' is the core group. */
  readonly group: string;
  readonly kind: string;
  /** The plural name. */
  readonly resource: string;
  readonly scope: Scope;
  readonly objects: readonly KubeObject[];
}

/** The declaration of a kind that is not Kubernetes' own, as in `kinds` of a Platform. */
interface DeclaredKind {
  readonly group: string;
  readonly kind: string;
  readonly scope: Scope;
  /** The plural name. @default - unknown */
  readonly plural?: string;
}

/** Objects by kind, and kinds whose plural name for access rules is unknown. */
export interface AppliedKinds {
  readonly kinds: readonly AppliedKind[];
  /** The kinds of the parameters of admission policies, which the writer of a policy must be able to read. */
  readonly parameters: readonly Pick<AppliedKind, 'group' | 'resource'>[];
  readonly unknown: readonly Pick<AppliedKind, 'group' | 'kind' | 'objects'>[];
}

/**
 * Resolves the kinds of objects, sorted by group and kind. Kinds that are not Kubernetes' own are known from a
 * CustomResourceDefinition among the objects, or from their declaration.
 */
export function resolveAppliedKinds(
  objects: Iterable<KubeObject>,
  declared: readonly DeclaredKind[],
): AppliedKinds {
  const all = [...objects];
  const known = new Map(
    [...declared, ...listDefinedKinds(all)].map((one) => [formatKind(one), one]),
  );
  const called = ({ group, kind }: GroupKind): ResourceRef | undefined =>
    resolveResource(group, kind, known.get(formatKind({ group, kind })));
  const kinds: AppliedKind[] = [];
  const parameters: AppliedKinds['parameters'][number][] = [];
  const unknown: AppliedKinds['unknown'][number][] = [];
  for (const [kind, of] of groupByKind(all, toGroupKind)) {
    const found = called(kind);
    if (found) kinds.push({ ...kind, ...found, objects: of });
    else unknown.push({ ...kind, objects: of });
  }
  for (const [kind, of] of groupByKind(all, findParameterKind)) {
    const found = called(kind);
    if (found) parameters.push({ group: kind.group, resource: found.resource });
    else unknown.push({ ...kind, objects: of });
  }
  return { kinds, parameters, unknown };
}

interface GroupKind {
  readonly group: string;
  readonly kind: string;
}

type ResourceRef = Pick<AppliedKind, 'resource' | 'scope'>;

/** Groups the given objects by kind, sorted. */
function groupByKind(
  objects: readonly KubeObject[],
  of: (object: KubeObject) => GroupKind | undefined,
): [kind: GroupKind, objects: readonly KubeObject[]][] {
  const entries = objects.flatMap((object) => {
    const kind = of(object);
    return kind ? [{ kind, object, id: formatKind(kind) }] : [];
  });
  const groups = [...Map.groupBy(entries, ({ id }) => id)];
  return groups
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, [first, ...more]]) => [first!.kind, [first!, ...more].map(({ object }) => object)]);
}

function toGroupKind({ apiVersion, kind }: KubeObject): GroupKind {
  return { group: groupOf(apiVersion), kind };
}

function findParameterKind({ kind, spec }: KubeObject): GroupKind | undefined {
  if (!/^(Validating|Mutating)AdmissionPolicy$/.test(kind) || !isMapping(spec)) return undefined;
  const { apiVersion, kind: named } = isMapping(spec['paramKind']) ? spec['paramKind'] : {};
  if (typeof apiVersion !== 'string' || typeof named !== 'string') return undefined;
  return { group: groupOf(apiVersion), kind: named };
}

function resolveResource(
  group: string,
  kind: string,
  known?: DeclaredKind,
): ResourceRef | undefined {
  const scope = builtinScope(group, kind);
  if (scope !== undefined) return { resource: builtinResource(group, kind).resource, scope };
  return known?.plural === undefined ? undefined : { resource: known.plural, scope: known.scope };
}

/** Lists the kinds that definitions among the objects define. */
function listDefinedKinds(objects: readonly KubeObject[]): DeclaredKind[] {
  return objects.flatMap(({ kind, spec }) => {
    if (kind !== 'CustomResourceDefinition' || !isMapping(spec) || !isMapping(spec['names'])) {
      return [];
    }
    const { group, scope, names } = spec;
    const { kind: defines, plural } = names as Readonly<Record<string, unknown>>;
    if (typeof group !== 'string' || typeof defines !== 'string' || typeof plural !== 'string') {
      return [];
    }
    return [{ group, kind: defines, plural, scope: scope === 'Cluster' ? scope : 'Namespaced' }];
  });
}

export function formatKind({ group, kind }: GroupKind): string {
  return `${group}/${kind}`;
}

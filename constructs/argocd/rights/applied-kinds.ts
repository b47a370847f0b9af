import { builtinResource, builtinScope, type Scope } from '../../../kube/builtin-kinds.ts';
import { isMapping } from '../../../kube/mapping.ts';
import { groupOf, type KubeObject } from '../../../kube/object.ts';

/** A kind, and its objects that are applied. */
export interface AppliedKind {
  /** '' is the core group. */
  readonly group: string;
  readonly kind: string;
  /** The plural. */
  readonly resource: string;
  readonly scope: Scope;
  readonly objects: readonly KubeObject[];
}

/** What is known of a kind that is not Kubernetes' own, as `kinds` of a Platform has it. */
export interface DeclaredKind {
  readonly group: string;
  readonly kind: string;
  readonly scope: Scope;
  /** @default - nobody knows it */
  readonly plural?: string;
}

/** Objects by their kinds, and kinds of which nobody says what they are called in rules of access. */
export interface AppliedKinds {
  readonly kinds: readonly AppliedKind[];
  /** The kinds of the parameters of admission policies, which whoever writes these must be able to read. */
  readonly parameters: readonly Pick<AppliedKind, 'group' | 'resource'>[];
  readonly unknown: readonly Pick<AppliedKind, 'group' | 'kind' | 'objects'>[];
}

/**
 * The kinds of objects, sorted by group and kind. What is not Kubernetes' own is known from a
 * CustomResourceDefinition among the objects, or from what is declared of it.
 */
export function resolveAppliedKinds(
  objects: Iterable<KubeObject>,
  declared: readonly DeclaredKind[],
): AppliedKinds {
  const all = [...objects];
  const known = new Map([...declared, ...listDefinedKinds(all)].map((one) => [idOf(one), one]));
  const called = ({ group, kind }: GroupKind): ResourceRef | undefined =>
    resolveResource(group, kind, known.get(idOf({ group, kind })));
  const kinds: AppliedKind[] = [];
  const parameters: AppliedKinds['parameters'][number][] = [];
  const unknown: AppliedKinds['unknown'][number][] = [];
  for (const [kind, of] of groupByKind(all, kindOf)) {
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

/** Objects by the kind that is asked for, sorted. */
function groupByKind(
  objects: readonly KubeObject[],
  of: (object: KubeObject) => GroupKind | undefined,
): [kind: GroupKind, objects: readonly KubeObject[]][] {
  const entries = objects.flatMap((object) => {
    const kind = of(object);
    return kind ? [{ kind, object, id: idOf(kind) }] : [];
  });
  const groups = [...Map.groupBy(entries, ({ id }) => id)];
  return groups
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, [first, ...more]]) => [first!.kind, [first!, ...more].map(({ object }) => object)]);
}

function kindOf({ apiVersion, kind }: KubeObject): GroupKind {
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

/** What the definitions among the objects define. */
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

function idOf({ group, kind }: GroupKind): string {
  return `${group}/${kind}`;
}

import fc from 'fast-check';
import {
  canHaveResourceNames,
  type AccessRequest,
  type AccessRule,
  type Verb,
} from '../../access.ts';

/** The groups, resources, names and namespaces that rules and requests contain. */
export interface AccessWorld {
  readonly groups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly Verb[];
  readonly names: readonly string[];
  readonly namespaces: readonly string[];
}

const some = <T>(of: readonly T[]) => fc.subarray([...of], { minLength: 1 });

/** A rule that grants exactly what it declares. */
export function arbitraryRule(world: AccessWorld): fc.Arbitrary<AccessRule> {
  const rule = fc.record(
    {
      group: fc.constantFrom(...world.groups),
      resource: fc.constantFrom(...world.resources),
      verbs: some(world.verbs),
      resourceNames: some(world.names),
      namespaces: some(world.namespaces),
    },
    { requiredKeys: ['group', 'resource', 'verbs'] },
  );
  return rule.filter(
    ({ verbs, resource, resourceNames }) =>
      !resourceNames || verbs.every((verb) => canHaveResourceNames(verb, resource)),
  );
}

/** Lists all possible requests: without a name and with each of these, without a namespace and with each of these. */
export function requestsIn(
  { groups, resources, verbs }: AccessWorld,
  names: readonly string[],
  namespaces: readonly string[],
): readonly AccessRequest[] {
  return groups.flatMap((group) =>
    resources.flatMap((resource) =>
      verbs.flatMap((verb) =>
        [undefined, ...names].flatMap((name) =>
          [undefined, ...namespaces].map((namespace) => ({
            group,
            resource,
            verb,
            name,
            namespace,
          })),
        ),
      ),
    ),
  );
}

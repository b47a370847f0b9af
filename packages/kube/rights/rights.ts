import { isMapping } from '../mapping.ts';

/** An atomic right to objects: one verb, group, resource and name. */
export interface ObjectRight {
  /** The verb; `*` is any. */
  readonly verb: string;
  /** The group; empty is the core group, `*` is any. */
  readonly group: string;
  /**
   * The resource: `pods`, `pods/log`. `*` is any with its subresources; `*` before a slash is any with that
   * subresource.
   */
  readonly resource: string;
  /** The name; absent for every object, and for requests without a name. */
  readonly name?: string;
}

/** A right to paths of the API server that are not objects. */
export interface PathRight {
  /** The verb; `*` is any. */
  readonly verb: string;
  /** The path: `/metrics`. A star at the end matches all paths with that prefix. */
  readonly path: string;
}

/** A rule of a role, as far as it is valid. */
export interface RightsRule {
  readonly verbs?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

/** Returns the common prefix of the paths that a pattern matches; undefined for a single path without a star. */
function parsePrefix(path: string): string | undefined {
  return path.endsWith('*') ? path.replace(/\*+$/, '') : undefined;
}

/**
 * The maximum number of rights to objects that rules may expand to. A rule of a megabyte can expand to billions; the
 * largest handwritten one expands to some thousands.
 */
export const MAX_RIGHTS = 200_000;

/** Verbs by name of an object. Under `undefined` are the verbs for every name, and for requests without a name. */
type VerbsByName = Map<string | undefined, Set<string>>;

/**
 * The rights that rules grant, as RBAC evaluates them: as a union, in any order, because no rule revokes the rights of
 * another.
 *
 * Source: https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/apis/rbac/v1/evaluation_helpers.go
 */
export class Rights {
  /** The rights by group and resource. */
  readonly #objects = new Map<string, Map<string, VerbsByName>>();
  readonly #paths: PathRight[] = [];
  /** Whether there are more than `MAX_RIGHTS` rights, so that some are missing here. */
  readonly isTooMany: boolean;

  constructor(rules: readonly RightsRule[]) {
    let size = 0;
    for (const rule of rules) {
      size += countRights(rule);
      if (size > MAX_RIGHTS) break;
      this.#add(rule);
    }
    this.isTooMany = size > MAX_RIGHTS;
  }

  #add(rule: RightsRule): void {
    const { verbs = [], apiGroups = [], resources = [], nonResourceURLs = [] } = rule;
    for (const path of nonResourceURLs) {
      for (const verb of verbs) this.#paths.push({ verb, path });
    }
    for (const group of apiGroups) {
      const byResource = entry(this.#objects, group, () => new Map<string, VerbsByName>());
      for (const resource of resources) {
        const byName = entry(
          byResource,
          resource,
          () => new Map<string | undefined, Set<string>>(),
        );
        for (const name of listNames(rule)) {
          const held = entry(byName, name, () => new Set<string>());
          for (const verb of verbs) held.add(verb);
        }
      }
    }
  }

  /** Returns the separate rights, sorted; some may be contained in others. */
  objects(): ObjectRight[] {
    const found: ObjectRight[] = [];
    for (const [group, byResource] of sorted(this.#objects)) {
      for (const [resource, byName] of sorted(byResource)) {
        for (const [name, verbs] of sorted(byName)) {
          const named = name === undefined ? {} : { name };
          for (const verb of [...verbs].toSorted()) found.push({ verb, group, resource, ...named });
        }
      }
    }
    return found;
  }

  paths(): readonly PathRight[] {
    return this.#paths;
  }

  /**
   * Whether every request of the right is allowed. Only a rule with a star can cover a star, because it includes names
   * that nobody lists. So either a single rule covers the whole right, or nothing does.
   */
  coversObject({ verb, group, resource, name }: ObjectRight): boolean {
    const slash = resource.indexOf('/');
    const wider = slash < 0 || resource.startsWith('*/') ? [] : [`*${resource.slice(slash)}`];
    const resources = [resource, '*', ...wider];
    const names = name === undefined ? [undefined] : [name, undefined];
    return [group, '*'].some((one) => {
      const byResource = this.#objects.get(one);
      return resources.some((of) => {
        const byName = byResource?.get(of);
        return names.some((to) => {
          const verbs = byName?.get(to);
          return verbs !== undefined && (verbs.has(verb) || verbs.has('*'));
        });
      });
    });
  }

  coversPath({ verb, path }: PathRight): boolean {
    const begin = parsePrefix(path);
    return this.#paths.some((held) => {
      if (held.verb !== verb && held.verb !== '*') return false;
      const prefix = parsePrefix(held.path);
      if (prefix === undefined) return begin === undefined && held.path === path;
      return (begin ?? path).startsWith(prefix);
    });
  }
}

/** Returns the names of a rule; a rule without names applies to all of them. */
function listNames({ resourceNames = [] }: RightsRule): readonly (string | undefined)[] {
  return resourceNames.length === 0 ? [undefined] : resourceNames;
}

function countRights(rule: RightsRule): number {
  const { verbs = [], apiGroups = [], resources = [], nonResourceURLs = [] } = rule;
  const objects = apiGroups.length * resources.length * listNames(rule).length;
  return verbs.length * (objects + nonResourceURLs.length);
}

function entry<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make()));
  return value;
}

/** Sorts by key; an undefined key comes first. */
function sorted<K extends string | undefined, V>(map: ReadonlyMap<K, V>): [K, V][] {
  return [...map].toSorted(([a], [b]) => ((a ?? '') < (b ?? '') || a === undefined ? -1 : 1));
}

/** The rules of a role that exists in every cluster and allows everything. */
const ADMIN: readonly RightsRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
];

/** Returns the rules of a built-in role, if they are known. */
export function builtinRules(role: string): readonly RightsRule[] | undefined {
  return role === 'ClusterRole cluster-admin' ? ADMIN : undefined;
}

/** Returns the valid rules of a role. */
export function readRules(value: unknown): RightsRule[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isMapping).map((rule) => ({
    verbs: texts(rule['verbs']),
    apiGroups: texts(rule['apiGroups']),
    resources: texts(rule['resources']),
    resourceNames: texts(rule['resourceNames']),
    nonResourceURLs: texts(rule['nonResourceURLs']),
  }));
}

/** Formats the role of a binding: `ClusterRole view`. */
export function readRole(roleRef: unknown): string {
  const { kind, name } = isMapping(roleRef) ? roleRef : {};
  return `${text(kind)} ${text(name)}`;
}

/** Returns the texts of a list; empty if it is not a list. */
export function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

/** Returns a text; empty if it is not one. */
export function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

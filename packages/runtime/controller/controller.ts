import { isDeepStrictEqual } from 'node:util';
import { A_DNS_LABEL, isDnsLabel, isQualifiedName } from '@tenantry/kube/names';
import { parseLabelSelector } from '@tenantry/kube/label-selector';
import { show } from '@tenantry/kube/problem';
import { allow, type Grant } from '../access/grant.ts';
import { type Kind, resourceOf } from '../kinds/kind.ts';
import {
  listWatchedKinds,
  type Controller,
  type ControllerProps,
  type OwnedKinds,
  type Owns,
} from './declaration.ts';
import type { Selection } from '../client/client.ts';

/**
 * Declares a controller: the kind it reconciles, the kinds it owns and watches, its access, and one idempotent
 * function. A `Manager` runs it; its roles are derived from `access`.
 *
 * @example
 * ```ts
 * import { allow, controller, core, done, ifExists, kindOf } from '@tenantry/runtime';
 * import { redis } from './redis.ts';
 *
 * // Every Redis has a Service of its name.
 * export const redises = controller({
 *   name: 'redises',
 *   for: kindOf(redis, 'v1'),
 *   owns: [core.Service],
 *   access: [allow(core.Service, 'create')],
 *   async reconcile({ object, cache, client, owned }) {
 *     const { name, namespace } = object.metadata;
 *     if (cache.get(core.Service, { name, namespace })) return done;
 *     const spec = { selector: { app: name }, ports: [{ port: 6379 }] };
 *     await client.create(core.Service, owned({ metadata: { name }, spec })).catch(ifExists);
 *     return done;
 *   },
 * });
 * ```
 *
 * @throws {Error} that lists all contradictions in the declaration
 */
export function controller<
  const K extends Kind,
  const Owned extends OwnedKinds = [],
  const Others extends readonly Kind[] = [],
  const Access extends readonly Grant[] = [],
>(props: ControllerProps<K, Owned, Others, Access>): Controller {
  // The context is built from this declaration, so its types are right.
  const { access, selection, owns, watches, concurrency, ...rest } = props as ControllerProps<
    Kind,
    OwnedKinds,
    readonly Kind[],
    readonly Grant[]
  >;
  const declared: Omit<Controller, 'access'> = {
    ...rest,
    selection: selection ?? {},
    owns: owns?.map(normalizeOwns) ?? [],
    watches: watches ?? [],
    concurrency: concurrency ?? 1,
  };
  checkController(declared);
  return { ...declared, access: [...computeImpliedAccess(declared), ...(access ?? [])] };
}

function normalizeOwns(one: Kind | Owns): Owns {
  return 'plural' in one ? { kind: one } : one;
}

/**
 * Returns the access that the declaration of a controller implies.
 *
 * - It lists and watches its kinds.
 * - It patches its objects if it has a finalizer.
 * - If it owns kinds, it updates the `finalizers` of its objects. API servers with the admission plugin
 *   OwnerReferencesPermissionEnforcement, such as OpenShift's, require that right for a blocking owner reference.
 *
 * A selection by name leads to a grant for that name.
 */
function computeImpliedAccess(controller: Omit<Controller, 'access'>): Grant[] {
  const { for: kind, selection, owns, finalizer } = controller;
  const grants = listWatchedKinds(controller).map(({ kind, selection }) =>
    restrictToSelection(selection, allow(kind, 'list', 'watch')),
  );
  if (finalizer) grants.push(restrictToSelection(selection, allow(kind, 'patch')));
  if (owns.length > 0) {
    grants.push(restrictToSelection(selection, allow(kind, 'update').subresource('finalizers')));
  }
  return grants;
}

function restrictToSelection({ namespace, fieldSelector = '' }: Selection, grant: Grant): Grant {
  const placed = namespace === undefined ? grant : grant.in(namespace);
  const name = /^metadata\.name=([^=!,\s]+)$/.exec(fieldSelector)?.[1];
  return name === undefined ? placed : placed.named(name);
}

type Declared = Omit<Controller, 'access'>;

/** @throws {Error} that lists all contradictions in the declaration, a line each */
function checkController(declared: Declared): void {
  const problems = [
    ...validateNames(declared),
    ...validateConcurrency(declared),
    ...validateTimes(declared),
    ...validateScopes(declared),
    ...validateSelections(declared),
    ...validateDuplicates(declared),
  ];
  const lines = problems.map((problem) => `controller ${declared.name}: ${problem}`);
  if (lines.length > 0) throw new Error(lines.join('\n'));
}

function validateNames({ name, finalizer }: Declared): string[] {
  const problems: string[] = [];
  if (!isDnsLabel(name)) problems.push(`its name must be ${A_DNS_LABEL}, got ${show(name)}`);
  if (finalizer && !(finalizer.name.includes('/') && isQualifiedName(finalizer.name))) {
    const got = show(finalizer.name);
    problems.push(
      `finalizer.name must be a domain, '/' and a name, such as example.com/${name}, got ${got}`,
    );
  }
  return problems;
}

function validateConcurrency({ concurrency }: Declared): string[] {
  if (Number.isInteger(concurrency) && concurrency > 0) return [];
  return [`concurrency must be a whole number above 0, got ${show(concurrency)}`];
}

function validateTimes({ reconcileOutagesAfter, longestRetry, watches }: Declared): string[] {
  const times: readonly (readonly [name: string, time: number | undefined])[] = [
    ['reconcileOutagesAfter', reconcileOutagesAfter],
    ['longestRetry', longestRetry],
    ...watches.map(
      ({ kind, startsWithoutAfter }) =>
        [`startsWithoutAfter of ${kind.kind}`, startsWithoutAfter] as const,
    ),
  ];
  return times.flatMap(([name, time]) => {
    if (time === undefined || (time > 0 && Number.isFinite(time))) return [];
    return [`${name} must be milliseconds above 0, got ${show(time)}`];
  });
}

function validateScopes(declared: Declared): string[] {
  const { for: owner, owns } = declared;
  const owned = owns.flatMap(({ kind }) =>
    owner.scope === 'Namespaced' && kind.scope === 'Cluster'
      ? [
          `${owner.kind}, which is namespaced, must own namespaced kinds, got ${kind.kind}: the garbage collector would delete it`,
        ]
      : [],
  );
  const selected = listWatchedKinds(declared).flatMap(({ kind, selection }) =>
    kind.scope === 'Cluster' && selection.namespace !== undefined
      ? [
          `${kind.kind} must be selected without a namespace, as it lies in none, got ${selection.namespace}`,
        ]
      : [],
  );
  return [...owned, ...selected];
}

const ownedSelectionFields = ['labelSelector', 'namespace'];

function validateSelections(declared: Declared): string[] {
  const { for: owner, selection: own, owns } = declared;
  const owned = owns.flatMap(({ kind, selection = {} }) => {
    const others = Object.keys(selection).filter((name) => !ownedSelectionFields.includes(name));
    const { namespace = own.namespace } = selection;
    const isElsewhere = owner.scope === 'Namespaced' && namespace !== own.namespace;
    return [
      ...others.map(
        (name) =>
          `${kind.kind} must be owned by ${ownedSelectionFields.join(' and ')} alone, got ${name}`,
      ),
      ...(isElsewhere
        ? [
            `${owner.kind} must own ${kind.kind} where it lies itself, got those in ${namespace} alone`,
          ]
        : []),
    ];
  });
  const unreadable = listWatchedKinds(declared).flatMap(
    ({ kind, selection: { labelSelector = '' } }) => {
      try {
        parseLabelSelector(labelSelector);
        return [];
      } catch (error) {
        return [`${kind.kind}: ${error instanceof Error ? error.message : String(error)}`];
      }
    },
  );
  return [...owned, ...unreadable];
}

/** A controller has one cache of a kind, so what it reads must not depend on why it watches the kind. */
function validateDuplicates(declared: Declared): string[] {
  const all = listWatchedKinds(declared);
  const contradicting = all.filter(({ kind, ...wish }) => {
    const first = all.find((one) => resourceOf(one.kind) === resourceOf(kind));
    if (!first) return false;
    const { kind: _, ...other } = first;
    return !isDeepStrictEqual(wish, other);
  });
  const names = new Set(contradicting.map(({ kind }) => resourceOf(kind)));
  return [...names].map(
    (name) =>
      `${name} must be watched in one way: one selection, and whole, metadata only or one projection, got two`,
  );
}

/** @throws {Error} that lists all names by which controllers could be confused, a line each */
export function checkControllers(controllers: readonly Controller[]): void {
  const problems = [
    ...findDuplicates(controllers, ({ name }) => name).map(
      ([name, kinds]) =>
        `controllers of one manager must have names of their own, in logs, metrics and as managers of fields, got ${name} for ${kinds}`,
    ),
    ...findDuplicates(controllers, ({ for: kind, finalizer }) =>
      finalizer ? `${finalizer.name} of ${resourceOf(kind)}` : undefined,
    ).map(
      ([finalizer]) =>
        `one controller must have the finalizer ${finalizer}, as the first to clean up takes it away, got two`,
    ),
  ];
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

function findDuplicates(
  controllers: readonly Controller[],
  of: (controller: Controller) => string | undefined,
): [text: string, kinds: string][] {
  const groups = Map.groupBy(controllers, of);
  return [...groups].flatMap(([text, { length }]): [string, string][] => {
    if (text === undefined || length < 2) return [];
    const kinds = groups.get(text)?.map(({ for: kind }) => resourceOf(kind)) ?? [];
    return [[text, kinds.join(' and ')]];
  });
}

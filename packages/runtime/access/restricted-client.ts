import {
  type Verb,
  canHaveResourceNames,
  checkAccessRule,
  permits,
  type AccessRequest,
  type AccessRule,
} from '@tenantry/kube/access';
import { omitUndefined } from '@tenantry/kube/mapping';
import type {
  ApplyOptions,
  CallOptions,
  DeleteOptions,
  List,
  ListOptions,
  MergePatch,
  PodLogOptions,
  ReadOptions,
  Selection,
  WatchEvent,
  WatchOptions,
  WriteOptions,
  Client,
} from '../client/client.ts';
import type { Pod } from '../kinds/core.ts';
import type { FieldsOf, Kind, Live, ObjectName, Written } from '../kinds/kind.ts';
import type { Grant } from './grant.ts';
import { ClientDecorator, type ClientCall } from '../client/decorator.ts';
import { AccessDenied } from '../errors/client-errors.ts';

/** The kinds of the grants that have the verb, for objects or for subresources. */
export type GrantedKinds<G, V extends Verb> =
  G extends Grant<infer K, infer Verbs, infer _> ? (V extends Verbs ? K : never) : never;

/** The kinds of the grants that have the verb for the objects themselves. */
export type GrantedWholeKinds<G, V extends Verb> =
  G extends Grant<infer K, infer Verbs, infer S>
    ? V extends Verbs
      ? undefined extends S
        ? K
        : never
      : never
    : never;

/** The subresources of a kind for which a grant has the verb; undefined means the object itself. */
export type GrantedParts<G, K, V extends Verb> =
  G extends Grant<infer Own, infer Verbs, infer S>
    ? V extends Verbs
      ? K extends Own
        ? S
        : never
      : never
    : never;

/** A type that no argument of a call has. The compiler error shows `Line`: the grant that `access` needs. */
export interface Undeclared<Line extends string> {
  readonly '~declare': Line;
}

/** Options that may name granted subresources only, and must name one if the object itself is not granted. */
export type GrantedOptions<G, K, V extends Verb, Options> =
  K extends Undeclared<string>
    ? [options?: Options]
    : undefined extends GrantedParts<G, K, V>
      ? [options?: Omit<Options, 'subresource'> & { readonly subresource?: GrantedParts<G, K, V> }]
      : [options: Omit<Options, 'subresource'> & { readonly subresource: GrantedParts<G, K, V> }];

/** The granted kinds, or if there are none, the grant that the verb needs. */
export type DeclaredKinds<K extends Kind, V extends Verb> = [K] extends [never]
  ? Kind<never, never, never> & Undeclared<`access must have allow(kind, '${V}')`>
  : K;

/** The name of a pod, if logs of pods are granted. */
export type GrantedLog<G> =
  'log' extends GrantedParts<G, typeof Pod, 'get'>
    ? ObjectName
    : ObjectName & Undeclared<"access must have allow(core.Pod, 'get').subresource('log')">;

/**
 * A client whose calls compile only if one of the grants allows them, by verb, kind and subresource. The compiler
 * distinguishes kinds by group and kind, as far as their types contain them. `restrictClient` checks names and namespaces.
 * `G` is the union of the grants; a `Client` is the client of any grant.
 */
export interface AllowedClient<G extends Grant> {
  get<K extends DeclaredKinds<GrantedKinds<G, 'get'>, 'get'>>(
    kind: K,
    name: ObjectName,
    ...options: GrantedOptions<G, K, 'get', ReadOptions>
  ): Promise<Live<K>>;
  list<K extends DeclaredKinds<GrantedWholeKinds<G, 'list'>, 'list'>>(
    kind: K,
    options?: ListOptions,
  ): Promise<List<K>>;
  watch<K extends DeclaredKinds<GrantedWholeKinds<G, 'watch'>, 'watch'>>(
    kind: K,
    options?: WatchOptions,
  ): AsyncIterable<WatchEvent<K>>;
  create<K extends DeclaredKinds<GrantedKinds<G, 'create'>, 'create'>>(
    kind: K,
    object: Written<K>,
    ...options: GrantedOptions<G, K, 'create', WriteOptions>
  ): Promise<Live<K>>;
  update<K extends DeclaredKinds<GrantedKinds<G, 'update'>, 'update'>>(
    kind: K,
    object: Written<K>,
    ...options: GrantedOptions<G, K, 'update', WriteOptions>
  ): Promise<Live<K>>;
  patch<K extends DeclaredKinds<GrantedKinds<G, 'patch'>, 'patch'>>(
    kind: K,
    name: ObjectName,
    patch: MergePatch<FieldsOf<K>>,
    ...options: GrantedOptions<G, K, 'patch', WriteOptions>
  ): Promise<Live<K>>;
  apply<K extends DeclaredKinds<GrantedKinds<G, 'patch'>, 'patch'>>(
    kind: K,
    object: Written<K>,
    ...options: GrantedOptions<G, K, 'patch', ApplyOptions>
  ): Promise<Live<K>>;
  delete<K extends DeclaredKinds<GrantedWholeKinds<G, 'delete'>, 'delete'>>(
    kind: K,
    name: ObjectName,
    options?: DeleteOptions,
  ): Promise<Live<K> | undefined>;
  deleteCollection(
    kind: DeclaredKinds<GrantedWholeKinds<G, 'deletecollection'>, 'deletecollection'>,
    options: Selection & DeleteOptions,
  ): Promise<void>;
  podLog(pod: GrantedLog<G>, options?: PodLogOptions & CallOptions): Promise<string>;
  followPodLog(pod: GrantedLog<G>, options?: PodLogOptions): AsyncIterable<string>;
}

/**
 * Returns a client that rejects calls which none of the rules allows with `AccessDenied`, before anything is sent. It
 * checks group, resource, subresource, verb, name and namespace, as RBAC does with the roles of the same rules. The
 * error names `who`. The client of a reconcile is restricted to the access that its controller declares.
 *
 * @example
 * ```ts
 * import { allow, core, restrictClient, buildRoles } from '@tenantry/runtime';
 * import type { AllowedClient, Client } from '@tenantry/runtime';
 *
 * const access = [allow(core.ConfigMap, 'get').in('shop')];
 * console.log(buildRoles(access).namespaces.get('shop')?.length); // 1
 *
 * export async function currencyOf(client: Client): Promise<string | undefined> {
 *   // By this type, what is not declared does not compile either.
 *   const own: AllowedClient<(typeof access)[number]> = restrictClient(client, access, 'the shop');
 *   const { data } = await own.get(core.ConfigMap, { name: 'settings', namespace: 'shop' });
 *   return data?.['currency'];
 * }
 * ```
 *
 * @throws {Error} if a rule grants nothing, or more than it states
 */
export function restrictClient(client: Client, rules: readonly AccessRule[], who: string): Client {
  return new RestrictedClient(client, rules, who);
}

class RestrictedClient extends ClientDecorator {
  readonly #rules: readonly AccessRule[];
  readonly #who: string;

  constructor(client: Client, rules: readonly AccessRule[], who: string) {
    super(client);
    this.#rules = rules.map((rule) => checkAccessRule(rule));
    this.#who = who;
  }

  /** @throws {AccessDenied} */
  protected override before(call: ClientCall): undefined {
    const { kind, verb, namespace, subresource } = call;
    const resource = subresource === undefined ? kind.plural : `${kind.plural}/${subresource}`;
    const name = call.name ?? parseSelectedName(call);
    const request: AccessRequest = { group: kind.group, resource, verb, name, namespace };
    if (permits(this.#rules, request)) return;
    const narrower = this.#computeRuleScope(request);
    const missing: AccessRule = { group: kind.group, resource, verbs: [verb], ...narrower };
    throw new AccessDenied(this.#who, missing, formatAllowCall(kind, verb, subresource, narrower));
  }

  /** Returns the scope of a missing rule: as narrow in names and namespaces as the rules declared for the resource. */
  #computeRuleScope({ group, resource, verb, name, namespace }: AccessRequest): RuleScope {
    const alike = this.#rules.filter((rule) => rule.group === group && rule.resource === resource);
    const isNamed = alike.length > 0 && alike.every((rule) => rule.resourceNames !== undefined);
    const isPlaced = alike.length > 0 && alike.every((rule) => rule.namespaces !== undefined);
    return omitUndefined({
      resourceNames:
        isNamed && canHaveResourceNames(verb, resource) && name !== undefined ? [name] : undefined,
      namespaces: isPlaced && namespace !== undefined ? [namespace] : undefined,
    });
  }
}

type RuleScope = Pick<AccessRule, 'resourceNames' | 'namespaces'>;

/** Formats the `allow` call that declares the access. */
function formatAllowCall(
  { kind, plural, part }: Kind,
  verb: Verb,
  subresource: string | undefined,
  { resourceNames, namespaces }: RuleScope,
): string {
  return [
    `allow(${part ? `${part.subresource}Of(${plural})` : kind}, '${verb}')`,
    subresource === undefined || part ? '' : `.subresource('${subresource}')`,
    resourceNames ? `.named('${resourceNames.join("', '")}')` : '',
    namespaces ? `.in('${namespaces.join("', '")}')` : '',
  ].join('');
}

/**
 * Returns the name that a field selector selects: RBAC treats such a request as one for that name (apiserver,
 * RequestInfoFactory). Several names select nothing, so none counts.
 */
function parseSelectedName({ fieldSelector = '' }: ClientCall): string | undefined {
  const names = fieldSelector.split(',').flatMap((part) => {
    const [, name] = /^\s*metadata\.name\s*==?\s*([^=!\s]+)\s*$/.exec(part) ?? [];
    return name === undefined ? [] : [name];
  });
  return names.length === 1 ? names[0] : undefined;
}

import {
  canBeNamed,
  checkedRule,
  permits,
  type AccessRequest,
  type AccessRule,
  type Verb,
} from '../../kube/access.ts';
import { AccessDenied } from '../errors/accessdenied.ts';
import type {
  ApplyOptions,
  Client,
  DeleteOptions,
  List,
  ListOptions,
  MergePatch,
  ReadOptions,
  Selection,
  WatchEvent,
  WatchOptions,
  WriteOptions,
} from '../client/client.ts';
import type { FieldsOf, Kind, Live, ObjectName, Written } from '../kinds/kind.ts';

/**
 * A client that refuses with `AccessDenied`, before anything is sent, what none of the rules allows:
 * by group, resource, subresource, verb, name and namespace, as RBAC decides with the roles of the same
 * rules. `who` is named in the error.
 * @throws {Error} where a rule grants nothing, or more than it says
 */
export function restricted(client: Client, rules: readonly AccessRule[], who: string): Client {
  return new RestrictedClient(client, rules, who);
}

/** What a call is about, besides its kind and verb. */
interface About {
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
  readonly subresource?: string | undefined;
}

class RestrictedClient implements Client {
  readonly #client: Client;
  readonly #rules: readonly AccessRule[];
  readonly #who: string;

  constructor(client: Client, rules: readonly AccessRule[], who: string) {
    this.#client = client;
    this.#rules = rules.map((rule) => checkedRule(rule));
    this.#who = who;
  }

  async get<K extends Kind>(kind: K, name: ObjectName, options?: ReadOptions): Promise<Live<K>> {
    this.#check(kind, 'get', { ...name, subresource: options?.subresource });
    return this.#client.get(kind, name, options);
  }

  async list<K extends Kind>(kind: K, options?: ListOptions): Promise<List<K>> {
    this.#check(kind, 'list', selected(options));
    return this.#client.list(kind, options);
  }

  async *watch<K extends Kind>(
    kind: K,
    options?: WatchOptions,
  ): AsyncGenerator<WatchEvent<K>, void, undefined> {
    this.#check(kind, 'watch', selected(options));
    yield* this.#client.watch(kind, options);
  }

  async create<K extends Kind>(
    kind: K,
    object: Written<K>,
    options?: WriteOptions,
  ): Promise<Live<K>> {
    this.#check(kind, 'create', { ...placeOf(object), subresource: options?.subresource });
    return this.#client.create(kind, object, options);
  }

  async update<K extends Kind>(
    kind: K,
    object: Written<K>,
    options?: WriteOptions,
  ): Promise<Live<K>> {
    this.#check(kind, 'update', { ...placeOf(object), subresource: options?.subresource });
    return this.#client.update(kind, object, options);
  }

  async patch<K extends Kind>(
    kind: K,
    name: ObjectName,
    patch: MergePatch<FieldsOf<K>>,
    options?: WriteOptions,
  ): Promise<Live<K>> {
    this.#check(kind, 'patch', { ...name, subresource: options?.subresource });
    return this.#client.patch(kind, name, patch, options);
  }

  async apply<K extends Kind>(
    kind: K,
    object: Written<K>,
    options?: ApplyOptions,
  ): Promise<Live<K>> {
    this.#check(kind, 'patch', { ...placeOf(object), subresource: options?.subresource });
    return this.#client.apply(kind, object, options);
  }

  async delete<K extends Kind>(
    kind: K,
    name: ObjectName,
    options?: DeleteOptions,
  ): Promise<Live<K> | undefined> {
    this.#check(kind, 'delete', name);
    return this.#client.delete(kind, name, options);
  }

  async deleteCollection(kind: Kind, options: Selection & DeleteOptions): Promise<void> {
    this.#check(kind, 'deletecollection', selected(options));
    return this.#client.deleteCollection(kind, options);
  }

  #check(kind: Kind, verb: Verb, { name, namespace, ...about }: About): void {
    const { group, plural, part } = kind;
    const subresource = about.subresource ?? part?.subresource;
    const resource = subresource === undefined ? plural : `${plural}/${subresource}`;
    const request: AccessRequest = { group, resource, verb, name, namespace };
    if (permits(this.#rules, request)) return;
    const narrower = this.#narrowness(request);
    const missing: AccessRule = { group, resource, verbs: [verb], ...narrower };
    throw new AccessDenied(this.#who, missing, lineOf(kind, verb, about.subresource, narrower));
  }

  /** As narrow as what is declared of the resource: to names, to namespaces. */
  #narrowness({ group, resource, verb, name, namespace }: AccessRequest): Narrowness {
    const alike = this.#rules.filter((rule) => rule.group === group && rule.resource === resource);
    const isNamed = alike.length > 0 && alike.every((rule) => rule.resourceNames !== undefined);
    const isPlaced = alike.length > 0 && alike.every((rule) => rule.namespaces !== undefined);
    return {
      ...(isNamed && canBeNamed(verb, resource) && name !== undefined && { resourceNames: [name] }),
      ...(isPlaced && namespace !== undefined && { namespaces: [namespace] }),
    };
  }
}

type Narrowness = Pick<AccessRule, 'resourceNames' | 'namespaces'>;

/** What of `allow` declares it. */
function lineOf(
  { kind, plural, part }: Kind,
  verb: Verb,
  subresource: string | undefined,
  { resourceNames, namespaces }: Narrowness,
): string {
  return [
    `allow(${part ? `${part.subresource}Of(${plural})` : kind}, '${verb}')`,
    subresource === undefined ? '' : `.subresource('${subresource}')`,
    resourceNames ? `.named('${resourceNames.join("', '")}')` : '',
    namespaces ? `.in('${namespaces.join("', '")}')` : '',
  ].join('');
}

function placeOf({ metadata: { name, namespace } }: Written): About {
  return { name, namespace };
}

/**
 * A selection of one name is a request for that name, to RBAC (apiserver, RequestInfoFactory). Of
 * several names, which select nothing, none counts here.
 */
function selected({ namespace, fieldSelector = '' }: Selection = {}): About {
  const names = fieldSelector.split(',').flatMap((part) => {
    const [, name] = /^\s*metadata\.name\s*==?\s*([^=!\s]+)\s*$/.exec(part) ?? [];
    return name === undefined ? [] : [name];
  });
  return { namespace, ...(names.length === 1 && { name: names[0] }) };
}

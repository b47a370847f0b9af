import {
  canHaveResourceNames,
  checkAccessRule,
  permits,
  type AccessRequest,
  type AccessRule,
  type Verb,
} from '@tenantry/kube/access';
import { omitUndefined } from '@tenantry/kube/mapping';
import type { Client } from '../client/client.ts';
import { ClientDecorator, type ClientCall } from '../client/decorator.ts';
import { AccessDenied } from '../errors/client-errors.ts';
import type { Kind } from '../kinds/kind.ts';

/**
 * Returns a client that rejects calls which none of the rules allows with `AccessDenied`, before anything is sent. It
 * checks group, resource, subresource, verb, name and namespace, as RBAC does with the roles of the same rules. The
 * error names `who`. The client of a reconcile is restricted to the access that its controller declares.
 *
 * @example
 * ```ts
 * import { allow, core, restricted, rolesOf } from '@tenantry/runtime';
 * import type { AllowedClient, Client } from '@tenantry/runtime';
 *
 * const access = [allow(core.ConfigMap, 'get').in('shop')];
 * console.log(rolesOf(access).namespaces.get('shop')?.length); // 1
 *
 * export async function currencyOf(client: Client): Promise<string | undefined> {
 *   // By this type, what is not declared does not compile either.
 *   const own: AllowedClient<(typeof access)[number]> = restricted(client, access, 'the shop');
 *   const { data } = await own.get(core.ConfigMap, { name: 'settings', namespace: 'shop' });
 *   return data?.['currency'];
 * }
 * ```
 *
 * @throws {Error} if a rule grants nothing, or more than it states
 */
export function restricted(client: Client, rules: readonly AccessRule[], who: string): Client {
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
    const name = call.name ?? selectedName(call);
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
function selectedName({ fieldSelector = '' }: ClientCall): string | undefined {
  const names = fieldSelector.split(',').flatMap((part) => {
    const [, name] = /^\s*metadata\.name\s*==?\s*([^=!\s]+)\s*$/.exec(part) ?? [];
    return name === undefined ? [] : [name];
  });
  return names.length === 1 ? names[0] : undefined;
}

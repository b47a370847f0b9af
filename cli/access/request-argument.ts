import { canHaveResourceNames, isVerb } from '@tenantry/kube/access';
import type { AuthorizationRequest, ResourceRequest } from '@tenantry/kube/authorization';
import { builtinKinds, builtinScope } from '@tenantry/kube/builtin-kinds';
import { omitUndefined } from '@tenantry/kube/mapping';
import { isDnsLabel } from '@tenantry/kube/names';
import { didYouMean, findNearest, formatList, show } from '@tenantry/kube/problem';
import { UsageError } from '../usage-error.ts';

/** What a request is for, besides verb and resource. */
export interface RequestPlace {
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
}

/** Resources that no kind has: only rules name them. */
const ruledOnly: Readonly<Record<string, string>> = {
  users: '',
  groups: '',
  uids: 'authentication.k8s.io',
  userextras: 'authentication.k8s.io',
  signers: 'certificates.k8s.io',
};

/**
 * Parses verb and resource of the command line, written as in a rule: `pods`, `pods/exec`, `deployments.apps/scale`,
 * `*`. A resource with a slash at its start is a path of the API server.
 * @throws {UsageError} when it is no request that an API server gets
 */
export function parseRequest(
  verb: string,
  resource: string,
  place: RequestPlace,
): AuthorizationRequest {
  if (!/^(\*|[a-z]+)$/.test(verb)) {
    throw new UsageError(`the verb must be a word such as get, or '*', got ${show(verb)}`);
  }
  const { namespace, name } = place;
  if (resource.startsWith('/')) {
    if ((namespace ?? name) !== undefined) {
      throw new UsageError(`a path such as ${show(resource)} has no --namespace and no --name`);
    }
    return { verb, path: resource };
  }
  if (namespace !== undefined && !isDnsLabel(namespace)) {
    throw new UsageError(`--namespace must be the name of a namespace, got ${show(namespace)}`);
  }
  const request = omitUndefined<ResourceRequest>({
    verb,
    ...parseResource(resource),
    namespace,
    name,
  });
  checkScope(request);
  checkName(request);
  return request;
}

function parseResource(text: string): { group: string; resource: string } {
  const slash = text.indexOf('/');
  const [whole, part] = slash < 0 ? [text, ''] : [text.slice(0, slash), text.slice(slash)];
  const dot = whole.indexOf('.');
  const [plural, group] =
    dot < 0 ? [whole, undefined] : [whole.slice(0, dot), whole.slice(dot + 1)];
  if (
    !/^(\*|[a-z0-9-]+)$/.test(plural) ||
    (part !== '' && !/^\/[^/]+/.test(part)) ||
    group === ''
  ) {
    throw new UsageError(
      `the resource must be a plural such as pods, pods/exec or deployments.apps/scale, a path such as /metrics, or '*', got ${show(text)}`,
    );
  }
  if (group !== undefined) return { group, resource: plural + part };
  if (plural === '*') return { group: '*', resource: plural + part };
  return { group: findGroup(plural), resource: plural + part };
}

/** @throws {UsageError} for a plural that Kubernetes does not have */
function findGroup(plural: string): string {
  const found = builtinKinds.find((one) => one.plural === plural)?.group ?? ruledOnly[plural];
  if (found !== undefined) return found;
  const kind = builtinKinds.find(
    (one) => one.kind.toLowerCase() === plural || `${one.kind.toLowerCase()}s` === plural,
  );
  const names = new Set(builtinKinds.map((one) => one.plural));
  const hint = didYouMean(kind?.plural ?? findNearest(plural, names));
  throw new UsageError(
    `the resource must be a plural of Kubernetes such as pods, or have its group such as widgets.example.com, got ${show(plural)}${hint}`,
  );
}

/** Whether every object of a request is outside of namespaces; undefined if it is not known. */
function isClusterScoped({ group, resource }: ResourceRequest): boolean | undefined {
  const plural = resource.split('/')[0];
  const kind = builtinKinds.find((one) => one.group === group && one.plural === plural)?.kind;
  return kind === undefined ? undefined : builtinScope(group, kind) === 'Cluster';
}

/** @throws {UsageError} for a namespace of an object that is in none; a Namespace counts as in itself */
function checkScope(request: ResourceRequest): void {
  const { group, resource, namespace } = request;
  if (namespace === undefined || !isClusterScoped(request)) return;
  if (group === '' && resource.split('/')[0] === 'namespaces') return;
  throw new UsageError(`${resource} are in no namespace: leave out --namespace`);
}

/** @throws {UsageError} for a name in a request that has none */
function checkName({ verb, resource, name }: ResourceRequest): void {
  if (name === undefined || !isVerb(verb) || canHaveResourceNames(verb, resource)) return;
  throw new UsageError(`a request to ${verb} ${resource} has no name: leave out --name`);
}

/** Formats a request for people: `get deployments.apps/scale named shop in namespace shop-dev`. */
export function formatRequest(
  request: AuthorizationRequest,
  everywhere = 'in all namespaces',
): string {
  if ('path' in request) return `${request.verb} the path ${request.path}`;
  const { verb, name, namespace } = request;
  const named = name === undefined ? '' : ` named ${name}`;
  const inNone = isClusterScoped(request) === true ? '' : ` ${everywhere}`;
  const where = namespace === undefined ? inNone : ` in namespace ${namespace}`;
  return `${verb} ${formatResource(request)}${named}${where}`;
}

/** Formats a resource with its group: `pods/exec`, `deployments.apps/scale`. */
export function formatResource({
  group,
  resource,
}: Pick<ResourceRequest, 'group' | 'resource'>): string {
  const [plural, ...rest] = resource.split('/');
  const own = group === '' || (group === '*' && plural === '*') ? plural! : `${plural}.${group}`;
  return [own, ...rest].join('/');
}

/** Explains a verb that Kubernetes does not have; undefined for any other. */
export function explainUnusualVerb(verb: string): string | undefined {
  if (verb === '*' || isVerb(verb) || otherVerbs.includes(verb)) return undefined;
  const names = new Set([
    ...otherVerbs,
    'get',
    'list',
    'watch',
    'create',
    'update',
    'patch',
    'delete',
  ]);
  return `${show(verb)} is no verb of Kubernetes${didYouMean(findNearest(verb, names))}; known are those of requests, and ${formatList(otherVerbs)}`;
}

const otherVerbs = [
  'bind',
  'escalate',
  'impersonate',
  'use',
  'approve',
  'sign',
  'attest',
  'post',
  'put',
  'head',
];

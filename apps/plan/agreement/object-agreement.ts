import { formatList, formatPath, type Path } from '@tenantry/kube/problem';
import { builtinResource, builtinScope } from '@tenantry/kube/builtin-kinds';
import { allows } from '@tenantry/kube/cluster-roles';
import { isMapping, valueAt } from '@tenantry/kube/mapping';
import { groupOf, type KubeObject } from '@tenantry/kube/object';
import { matchesName } from '../../../model/name-pattern.ts';
import { FACTS, ENVIRONMENT_LABEL } from '../../../model/ownership.ts';
import type { AgreementContext, Decide, Decisions } from './context.ts';
import { isCustomPolicy, opensNothing } from './custom-policies.ts';
import { endsEarlier, extendsEnding } from './ending-agreement.ts';
import {
  EVERY_HOST,
  isBelow,
  listHosts,
  parseServiceNamespace,
  readIngressClass,
} from './hosts.ts';
import { findWideField, mustBeListed } from './wide-fields.ts';
import { isObeyedOnNamespace } from './wide-keys.ts';
import { decide, defineAgreementRules, strictest, type Verdict } from '../verdict.ts';

const rules = defineAgreementRules({
  none: [
    'no-effect',
    'nobody',
    'texts for people, labels that nothing selects, and what is judged by the objects that it causes',
  ],
  own: ['own-object', 'owners', 'an object in the namespace, of a kind that owners may have'],
  hosts: ['free-host', 'owners', 'a host that nobody has, below the domains for tenants'],
  taken: ['host-of-others', 'other-owners', 'a host that a namespace of another tenant has'],
  outside: ['host-outside', 'platform', 'a host that is not below the domains for tenants'],
  kind: ['new-kind', 'platform', 'a kind that owners may not add'],
  data: ['data-removed', 'platform', 'an object goes that holds data'],
  key: [
    'selected-label',
    'platform',
    'a label or annotation of a Namespace that something selects or obeys',
  ],
  selected: [
    'label-of-others',
    'other-owners',
    'a label by which network policies of another tenant select the namespace',
  ],
  end: ['end-extended', 'platform', 'something that ends would end later, or no longer'],
  shorter: ['end-added', 'owners', 'something ends that did not, or ends earlier'],
  field: [
    'platform-field',
    'platform',
    'a field or a key that decides about more than the namespace',
  ],
});

export const objectAgreements = Object.values(rules);

/** Kinds of which other judges report every effect. */
const judged: ReadonlySet<string> = new Set([
  'rbac.authorization.k8s.io/Role',
  'rbac.authorization.k8s.io/RoleBinding',
  'networking.k8s.io/NetworkPolicy',
  '/LimitRange',
]);

const object: Decide = (judgedChange, context) => {
  const { detail, where } = judgedChange;
  if (detail?.kind !== 'object')
    return decide(rules.field, 'it is no object of which the effect is known');
  const { before, after, paths = [] } = detail;
  const one = (after ?? before)!;
  const kind = `${groupOf(one.apiVersion)}/${one.kind}`;
  if (kind === '/Namespace')
    return decideAll(
      paths
        .flatMap((path) => splitKeys(path, detail))
        .map((path) => decideNamespaceKey(path, detail, context)),
    );
  if (kind === 'tenantry.dev/Tenant') {
    const isLonger = before !== undefined && after !== undefined && extendsEnding(before, after);
    const ends = isLonger
      ? [decide(rules.end, 'no object shows a later end before that day')]
      : after !== undefined && endsEarlier(before, after)
        ? [decide(rules.shorter, 'no object shows the end before that day')]
        : [];
    return decideAll([...ends, ...paths.map((path) => decideTenantField(path))]);
  }
  if (where.namespace === undefined)
    return decide(rules.field, 'the object is not in a namespace of a tenant');
  if (judged.has(kind) && before && after)
    return decide(rules.none, 'it allows what it did before');
  if (kind === '/ResourceQuota') return decide(rules.field, 'its scopes change');
  return decideKind(kind, detail, where.tenant ?? context.facts.tenantOf(where.namespace), context);
};

const decideAll = (verdicts: readonly Verdict[]): Verdict =>
  strictest(verdicts) ?? decide(rules.none, 'only its spelling changes');

/** The object before and after. */
export interface Both {
  readonly before?: KubeObject;
  readonly after?: KubeObject;
}

/** Decides about an object of a kind of which no other judge knows the effect. */
export function decideKind(
  kind: string,
  { before, after }: Both,
  tenant: string | undefined,
  context: AgreementContext,
): Verdict {
  const { approval, facts } = context;
  const isListed = approval.kinds?.has(kind);
  if (!after && holdsData.has(kind)) return decide(rules.data, 'its data goes with it');
  if (isCustomPolicy(kind) && isListed !== true)
    return opensNothing(before, after)
      ? decide(rules.own, 'the policy only denies, or lets pods out to other pods')
      : decide(rules.kind, `the effect of a policy of ${kind.split('/')[0]} is not compared`);
  const isAllowed = isListed ?? (facts.isUsedElsewhere(kind, tenant) && !mustBeListed(kind));
  if (!isAllowed && !isCreatedByAdmins(kind)) {
    const hint = 'once `approval.kinds` of the platform file names the kind, the owners decide';
    return decide(rules.kind, `owners may not have a ${(after ?? before)!.kind}`, { hint });
  }
  const wide = after && findWideField(before, after);
  if (wide !== undefined) return decide(rules.field, wide);
  const ingressClass = readIngressClass(after);
  const isNewClass = ingressClass !== undefined && ingressClass !== readIngressClass(before);
  if (isNewClass && facts.isForeignIngressClass(ingressClass))
    return decide(rules.field, `no tenant has an Ingress of class ${ingressClass} yet`);
  const namespace = (after ?? before)!.metadata.namespace ?? '';
  const old = new Set(before ? listHosts(before) : []);
  const hosts = after ? listHosts(after).filter((host) => !old.has(host)) : [];
  const verdicts = hosts.map((host) => decideHost(host, { namespace, tenant }, context));
  return strictest(verdicts) ?? decide(rules.own, 'it stays inside the namespace');
}

function decideHost(
  host: string,
  { namespace, tenant }: { readonly namespace: string; readonly tenant: string | undefined },
  { approval, facts }: AgreementContext,
): Verdict {
  if (host === EVERY_HOST)
    return decide(rules.outside, 'it gets the requests for every host that nobody has', {
      hint: 'with a host in each rule, the owners decide',
    });
  const service = parseServiceNamespace(host);
  if (service === namespace) return decide(rules.own, 'the Service is in the same namespace');
  const { domains } = approval;
  if (
    service === undefined &&
    domains !== undefined &&
    !domains.some((domain) => isBelow(host, domain))
  )
    return decide(rules.outside, `${host} is not below ${formatList(domains)}`, {
      hint: `below ${formatList(domains)} the owners decide about free hosts`,
    });
  const found = [...facts.namespacesOfHost(host), ...(service === undefined ? [] : [service])];
  const others = [...new Set(found)].filter((one) => one !== namespace);
  const all = others.map((one) => facts.tenantOf(one));
  const tenants = new Set(all.filter((one) => !facts.isSameTeam(one, tenant)));
  if (tenants.size > 0) {
    const named = [...tenants].flatMap((one) => one ?? []).toSorted();
    return decide(rules.taken, `${host} belongs to ${formatList(others)}`, { tenants: named });
  }
  return decide(rules.hosts, `nobody else has ${host}`);
}

/** Keys that Tenantry derives from objects that are judged themselves. */
const derived: ReadonlySet<string> = new Set(Object.values(FACTS));

/** Splits a change of all labels or annotations, where there were none, by their keys. */
function splitKeys(path: Path, { before, after }: Both): Path[] {
  if (path.length !== 2) return [path];
  const maps = [before, after].map((one) => valueAt(one, path as string[]));
  const keys = maps.flatMap((map) => (isMapping(map) ? Object.keys(map) : []));
  return [...new Set(keys)].map((key) => [...path, key]);
}

/** Decides about a label or an annotation of a Namespace. */
export function decideNamespaceKey(path: Path, both: Both, context: AgreementContext): Verdict {
  const { contacts, facts, approval, trusted } = context;
  const [, field, key = ''] = path.map(String);
  const hint = 'annotations of `metadataKeys` or `approval.annotations` need nobody';
  if (field === 'annotations') {
    const isForPeople =
      contacts.has(key) || derived.has(key) || matchesName(approval.annotations, key);
    if (isForPeople) return decide(rules.none, `${key} is for people, or repeats what is declared`);
    return decide(rules.key, `something may obey the annotation ${key}`, { hint });
  }
  const name = both.after?.metadata.name ?? '';
  const [was, is] = [both.before, both.after].map((one) => one?.metadata.labels?.[key]);
  if (facts.changesProduction(name))
    return decide(rules.key, 'it changes whether the namespace is production');
  if (trusted.selects(key, was, is))
    return decide(rules.key, 'ingress controllers or the monitoring are selected by it');
  if (key === ENVIRONMENT_LABEL)
    return decide(rules.none, 'what an environment changes is judged by its objects');
  if (field !== 'labels' || isObeyedOnNamespace(key))
    return decide(rules.key, `something may obey ${formatPath(path)}`);
  const selecting = facts.objectsThatSelect(key, was, is);
  if (selecting.length === 0) return decide(rules.none, `nothing selects the label ${key}`);
  const tenants = selecting.map((one) =>
    one.kind === 'NetworkPolicy' ? facts.tenantOf(one.metadata.namespace ?? '') : undefined,
  );
  if (tenants.includes(undefined))
    return decide(rules.key, `${selecting[0]!.kind} ${selecting[0]!.metadata.name} selects it`);
  const own = facts.tenantOf(name);
  const others = [...new Set(tenants)].flatMap((one) =>
    one === undefined || facts.isSameTeam(one, own) ? [] : [one],
  );
  if (others.length === 0) return decide(rules.own, 'only policies of the same team select it');
  return decide(rules.selected, `network policies of ${formatList(others)} select it`, {
    tenants: others.toSorted(),
  });
}

/** Fields of a Tenant that the operator obeys, and that no object shows. */
const operated: ReadonlySet<string> = new Set(['driftPolicy', 'cordoned', 'className']);

function decideTenantField(path: Path): Verdict {
  const [first, second] = path.map(String);
  if (first === 'spec' && operated.has(second ?? ''))
    return decide(rules.field, `the platform decides about ${second}`);
  return decide(rules.none, 'a Tenant is judged by the objects that it causes');
}

/** Whether the administrators of a namespace may create an object of a kind of Kubernetes with kubectl. */
function isCreatedByAdmins(kind: string): boolean {
  const slash = kind.indexOf('/');
  const [group, name] = [kind.slice(0, slash), kind.slice(slash + 1)];
  if (builtinScope(group, name) !== 'Namespaced') return false;
  return allows('admin', group, builtinResource(group, name).resource, 'create');
}

/** Kinds whose objects hold data that nothing restores. */
const holdsData: ReadonlySet<string> = new Set(['/PersistentVolumeClaim']);

/** The decisions about objects that no other judge knows. */
export const objectDecisions: Decisions = {
  'object-added': object,
  'object-changed': object,
  'object-deleted': object,
  'object-left': object,
};

import { formatList } from '@tenantry/kube/problem';
import { explainEscalation } from '@tenantry/kube/rights/escalation';
import { formatRightsGroup } from '@tenantry/kube/rights/groups';
import type { ObjectRight } from '@tenantry/kube/rights/rights';
import type { JudgedChange } from '../change.ts';
import type { AgreementContext, Decide, Decisions } from './context.ts';
import type { FleetFacts } from './fleet-facts.ts';
import { decide, defineAgreementRules, type Verdict } from '../verdict.ts';

const rules = defineAgreementRules({
  less: ['less', 'owners', 'less is allowed or used than before'],
  own: [
    'own-access',
    'owners',
    'a group or a ServiceAccount of the tenant gets rights within those of its administrators',
  ],
  others: [
    'others-access',
    'other-owners',
    'a group or a ServiceAccount of another tenant gets access',
  ],
  everywhere: ['cluster-wide-access', 'platform', 'access that is not bound to one namespace'],
  wider: [
    'wider-role',
    'platform',
    'a role allows more than ClusterRole `admin` and `approval.roleRules`, or is no ClusterRole that owners may give',
  ],
  person: [
    'powerful-subject',
    'platform',
    'a person, a ServiceAccount of elsewhere, or everybody gets Secrets or the rights of administrators',
  ],
  replaced: [
    'administrators-replaced',
    'platform',
    'no group that administered the namespace before stays, and the new group is not known as the own of the tenant',
  ],
  unknown: [
    'unknown-group',
    'platform',
    'no group that administers a new namespace administers another one already',
  ],
  compared: ['unknown-rights', 'platform', 'rights that cannot be compared'],
});

export const accessAgreements = Object.values(rules);

/** Decides about gained rights and roles. */
const grant: Decide = (judged, context) => {
  const { detail, where } = judged;
  if (detail?.kind !== 'grant') return decide(rules.compared, 'its rights cannot be compared');
  if (where.namespace === undefined)
    return decide(rules.everywhere, 'the rights hold in the whole cluster');
  return (
    explainWiderRights(detail, context) ?? decideSubject(judged, where.namespace, detail, context)
  );
};

type Grant = Extract<JudgedChange['detail'], { kind: 'grant' }>;

function explainWiderRights(
  { rights, roles }: Grant,
  { approval, facts }: AgreementContext,
): Verdict | undefined {
  const role = roles.find((one) => !approval.clusterRoles.has(one) && !facts.isClassRole(one));
  const hint = 'with `admin`, `edit`, `view` or a Role within them, the owners decide';
  if (role !== undefined) return decide(rules.wider, `owners may not give ${role}`, { hint });
  const wider = rights.find((right) => !approval.roleRights.coversObject(right));
  if (!wider) return undefined;
  const { group, resource, verb } = wider;
  const what = formatRightsGroup({ scope: 'own', group, resources: [resource], verbs: [verb] });
  return decide(rules.wider, `${what} is more than ClusterRole admin allows`, { hint });
}

function decideSubject(
  { where }: JudgedChange,
  namespace: string,
  { subject, rights, roles }: Grant,
  context: AgreementContext,
): Verdict {
  const { facts } = context;
  const [kind, name] = parseSubject(subject);
  const tenant = where.tenant ?? facts.tenantOf(namespace);
  const isPowerful = rights.some(givesPower) || roles.some((role) => role !== 'ClusterRole view');
  if (kind === 'ServiceAccount') {
    const home = name.slice(0, name.indexOf('/'));
    if (home === namespace) return decide(rules.own, 'the ServiceAccount is in the same namespace');
    return decideForeign(facts.tenantOf(home), { facts, tenant, isPowerful });
  }
  if (kind === 'Group') {
    const accounts = /^system:serviceaccounts:(.+)$/.exec(name)?.[1];
    if (accounts !== undefined)
      return accounts === namespace
        ? decide(rules.own, 'the ServiceAccounts are in the same namespace')
        : decideForeign(facts.tenantOf(accounts), { facts, tenant, isPowerful });
    if (name.startsWith('system:'))
      return decide(rules.person, 'a group of Kubernetes, which others belong to');
    return decideGroup(name, { namespace, tenant, isPowerful }, context);
  }
  if (subject.startsWith('subjects of '))
    return decide(rules.own, 'nobody is bound to the Role by this change');
  if (name.startsWith('system:')) return decide(rules.person, 'a user of Kubernetes');
  if (isPowerful)
    return decide(rules.person, 'a person, not a group', {
      hint: 'with a group that the team maintains, or with ClusterRole view, the owners decide',
    });
  return decide(rules.own, 'the person may only read, and no Secrets');
}

/** Splits a subject. A ServiceAccount can also be bound as the user that it is. */
function parseSubject(subject: string): readonly [kind: string, name: string] {
  const space = subject.indexOf(' ');
  const [kind, name] = [subject.slice(0, space), subject.slice(space + 1)];
  const account = kind === 'User' ? /^system:serviceaccount:([^:]+):(.+)$/.exec(name) : null;
  return account ? ['ServiceAccount', `${account[1]}/${account[2]}`] : [kind, name];
}

interface Foreign {
  readonly facts: FleetFacts;
  readonly tenant: string | undefined;
  readonly isPowerful: boolean;
}

function decideForeign(home: string | undefined, { facts, tenant, isPowerful }: Foreign): Verdict {
  const hint = 'without Secrets and administration, the owners of both tenants decide';
  if (isPowerful || home === undefined)
    return decide(rules.person, 'an account from outside of the namespace', { hint });
  if (facts.isSameTeam(home, tenant))
    return decide(rules.own, 'the account belongs to the same team');
  return decide(rules.others, `the account belongs to ${home}`, { tenants: [home] });
}

interface GroupGrant {
  readonly namespace: string;
  readonly tenant: string | undefined;
  readonly isPowerful: boolean;
}

function decideGroup(
  name: string,
  { namespace, tenant, isPowerful }: GroupGrant,
  { approval, facts }: AgreementContext,
): Verdict {
  const isOperations = approval.operationsGroups.has(name);
  const theirs = facts.tenantsOfGroup(name);
  const isOwn = facts.isOwnGroup(name, tenant);
  const { before, after } = facts.adminsOf(namespace);
  if (facts.isNew(namespace)) {
    const known = [...after].filter((group) => facts.tenantsOfGroup(group).length > 0);
    const own = known.filter((group) => facts.isOwnGroup(group, tenant));
    if (known.length === 0)
      return decide(rules.unknown, 'no group that administers it administers another namespace');
    if (isOwn || isOperations || own.length === 0 || theirs.length === 0)
      return decide(rules.own, `Group ${known[0]} administers other namespaces already`);
    return decide(rules.others, `the group belongs to ${formatList(theirs)}`, {
      tenants: theirs,
    });
  }
  const staying = [...before].filter((group) => after.has(group));
  const ownStaying = staying.find((group) => !approval.operationsGroups.has(group));
  if (ownStaying !== undefined)
    return decide(rules.own, `Group ${ownStaying} administers it before and after`);
  if (staying.length > 0 && (isOwn || isOperations))
    return decide(rules.own, 'the group administers other namespaces of the team');
  if (!isPowerful && before.size === 0)
    return decide(rules.own, 'the group may only read, and no Secrets');
  const was = before.size === 0 ? 'none' : formatList([...before]);
  return decide(rules.replaced, `the administrators before were ${was}, and no own group stays`, {
    hint: 'if an own group of the administrators before stays in this change, the owners decide',
  });
}

function givesPower(right: ObjectRight): boolean {
  return explainEscalation(right) !== undefined;
}

const less: Decide = () => decide(rules.less, 'somebody may do less');

/** The decisions about access. All other rules of the area are the platform's. */
export const accessDecisions: Decisions = {
  'permission-powerful': grant,
  'permission-gained': grant,
  'role-bound': grant,
  'access-added': grant,
  'project-role-gained': ({ where }) =>
    where.tenant === undefined
      ? decide(rules.everywhere, 'the role is in the project of no tenant')
      : decide(rules.own, 'the access of the group is judged in the namespaces'),
  'permission-lost': less,
  'role-unbound': less,
  'cloud-identity-lost': less,
  'project-role-lost': less,
};

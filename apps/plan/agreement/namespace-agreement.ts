import { formatList } from '@tenantry/kube/problem';
import type { AgreementContext, Decide, Decisions } from './context.ts';
import { decide, defineAgreementRules, strictest } from '../verdict.ts';
import type { FleetFacts } from './fleet-facts.ts';
import { decideContents, findFaultOfTemplate } from './new-namespace.ts';

const rules = defineAgreementRules({
  added: [
    'own-namespace',
    'owners',
    'a namespace of a tenant that has some already, with the bounds and the isolation of the class',
  ],
  unknown: ['unknown-tenant', 'platform', 'a tenant is new, or the namespace of a new tenant'],
  unlike: [
    'unlike-template',
    'platform',
    'a new namespace without a quota within the bounds, without isolation, or with a weaker Pod Security',
  ],
  removed: [
    'namespace-removed',
    'owners',
    'a namespace goes that is not production, and that no other tenant names',
  ],
  named: ['named-by-others', 'other-owners', 'a namespace goes that objects of other tenants name'],
  expected: [
    'expected-by-others',
    'other-owners',
    'a new namespace that objects of other tenants name already: it gets what they grant',
  ],
  granted: [
    'named-by-platform',
    'platform',
    'a new namespace that objects of the platform name already: it gets what they grant',
  ],
  production: ['production-removed', 'platform', 'a production namespace goes'],
  lifecycle: ['own-lifecycle', 'owners', 'the lifecycle of a namespace that is not production'],
  effects: ['judged-by-effect', 'nobody', 'the change is judged by the objects that it causes'],
});

export const namespaceAgreements = Object.values(rules);

const added: Decide = (judged, context) => {
  const { where } = judged;
  const { facts } = context;
  const namespace = where.namespace!;
  const tenant = where.tenant;
  if (tenant === undefined || !(facts.isKnownTeam(tenant) || hasKnownAdmins(namespace, facts)))
    return decide(rules.unknown, `${tenant ?? 'its tenant'} has no namespace yet`);
  const fault = findFaultOfTemplate(namespace, context);
  if (fault !== undefined) return decide(rules.unlike, fault.reason, fault.more);
  const naming = facts.findPlatformObjectThatNames(namespace);
  if (naming)
    return decide(rules.granted, `${naming.kind} ${naming.metadata.name} names it already`);
  const own = decide(rules.added, `${tenant} is known`);
  const others = facts.tenantsThatName(namespace);
  const named =
    others.length === 0
      ? []
      : [
          decide(rules.expected, `objects of ${formatList(others)} name it already`, {
            tenants: others,
          }),
        ];
  return strictest([own, ...named, ...decideContents(namespace, context)])!;
};

const removed: Decide = ({ where }, { facts }) => {
  const namespace = where.namespace!;
  if (facts.isProduction(namespace)) return decide(rules.production, `${namespace} is production`);
  const others = facts.tenantsThatName(namespace);
  if (others.length > 0)
    return decide(rules.named, `objects of ${formatList(others)} name ${namespace}`, {
      tenants: others,
    });
  return decide(rules.removed, `${namespace} is not production, and nobody else names it`);
};

const lifecycle: Decide = ({ where, subject }, { facts, change }) => {
  const names =
    where.namespace === undefined
      ? namespacesOf(where.tenant, { facts, change })
      : [where.namespace];
  const production = names.find((name) => facts.isProduction(name));
  return production === undefined
    ? decide(rules.lifecycle, `${subject} is not production`)
    : decide(rules.production, `${production} is production`);
};

/** Whether a group administers a namespace that administers others before the change. */
function hasKnownAdmins(namespace: string, facts: FleetFacts): boolean {
  return [...facts.adminsOf(namespace).after].some((one) => facts.tenantsOfGroup(one).length > 0);
}

function namespacesOf(
  tenant: string | undefined,
  { facts, change }: Pick<AgreementContext, 'facts' | 'change'>,
): string[] {
  return [...change.before, ...change.after].flatMap(({ kind, metadata }) =>
    kind === 'Namespace' && facts.tenantOf(metadata.name) === tenant ? [metadata.name] : [],
  );
}

const tenantAdded: Decide = ({ where }, { facts, change }) =>
  where.tenant !== undefined &&
  namespacesOf(where.tenant, { facts, change }).every(
    (name) => facts.isKnownTeam(where.tenant!) || hasKnownAdmins(name, facts),
  )
    ? decide(rules.effects, 'its namespaces are judged themselves')
    : decide(rules.unknown, `${where.tenant ?? 'the tenant'} is new`);

const tenantRemoved: Decide = () => decide(rules.effects, 'its namespaces are judged themselves');

/** The decisions about namespaces and tenants. All other rules of the area are the platform's. */
export const namespaceDecisions: Decisions = {
  'namespace-added': added,
  'namespace-left': removed,
  'namespace-deleted': removed,
  'namespace-asked': removed,
  'namespace-bare': removed,
  'lifecycle-changed': lifecycle,
  'tenant-added': tenantAdded,
  'tenant-removed': tenantRemoved,
};

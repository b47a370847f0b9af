import { resolveApproval } from '../../../model/approval.ts';
import type { Platform } from '../../../model/declaration.ts';
import { risks, type JudgedChange } from '../change.ts';
import type { ClusterChange } from '../cluster-changes.ts';
import { accessAgreements, accessDecisions } from './access-agreement.ts';
import { boundsAgreements, boundsDecisions } from './bounds-agreement.ts';
import type { AgreementContext, Decide, Decisions } from './context.ts';
import { FleetFacts, type TeamOf } from './fleet-facts.ts';
import { namespaceAgreements, namespaceDecisions } from './namespace-agreement.ts';
import { networkAgreements, networkDecisions } from './network-agreement.ts';
import { objectAgreements, objectDecisions } from './object-agreement.ts';
import { TrustedPeers } from './trusted-peers.ts';
import {
  decide,
  defineAgreementRules,
  rankOf,
  type AgreementRule,
  type Verdict,
} from '../verdict.ts';

const rules = defineAgreementRules({
  stricter: ['stricter', 'owners', 'the change makes a namespace stricter'],
  project: [
    'own-project',
    'owners',
    'the AppProject of a tenant gets a repository, or one of the namespaces of the tenant',
  ],
  caused: [
    'judged-by-namespaces',
    'nobody',
    'an object of Argo CD follows from the namespaces of a tenant',
  ],
  platform: [
    'platform-only',
    'platform',
    'classes, exceptions, policies, definitions, clusters, delivery, and all that no other rule decides',
  ],
  risk: [
    'risk-above',
    'platform',
    'the risk is above what owners merge alone in that environment (`approval.alone`)',
  ],
});

/** All rules that decide who must agree. */
export const agreementRules: readonly AgreementRule[] = [
  ...objectAgreements,
  ...accessAgreements,
  ...networkAgreements,
  ...boundsAgreements,
  ...namespaceAgreements,
  ...Object.values(rules),
];

const stricter: Decide = () => decide(rules.stricter, 'less is possible than before');

/** Decides about the AppProject that Tenantry renders for a tenant. */
const project: Decide = (judged) =>
  judged.where.tenant !== undefined &&
  judged.detail?.kind === 'project' &&
  (judged.detail.field === 'destinations' || judged.detail.field === 'sourceRepos')
    ? decide(rules.project, 'the project deploys to the namespaces of the tenant only')
    : platform(judged);

const caused: Decide = (judged) =>
  judged.where.tenant === undefined
    ? platform(judged)
    : decide(rules.caused, 'it follows from the namespaces of the tenant, which are judged');

const platform = ({ rule }: JudgedChange): Verdict =>
  decide(rules.platform, `the platform decides about ${rule.area}`);

const decisions: Decisions = {
  ...accessDecisions,
  ...boundsDecisions,
  ...networkDecisions,
  ...namespaceDecisions,
  ...objectDecisions,
  'break-glass-shorter': stricter,
  'pod-security-raised': stricter,
  'project-narrowed': stricter,
  'project-widened': project,
  'project-added': caused,
  'application-removed': caused,
};

/** The parts of a platform that decide who must agree. */
export interface ReviewPolicy extends Pick<Platform, 'clusters' | 'delegation' | 'metadataKeys'> {
  /** The team of a tenant. Default: each tenant is a team of its own. */
  readonly teamOf?: TeamOf;
}

/**
 * Returns a function that decides about the changes of a cluster.
 * @param all every cluster that changes. The files outside of clusters are judged by what all of them hold
 */
export function createAgreement(
  { clusters, delegation, metadataKeys, teamOf = () => undefined }: ReviewPolicy,
  all: readonly ClusterChange[],
): (change: ClusterChange) => (judged: JudgedChange) => Verdict {
  const approval = resolveApproval(delegation.approval);
  const contacts = new Set(Object.values(metadataKeys));
  const whole = {
    before: all.flatMap(({ before }) => before),
    after: all.flatMap(({ after }) => after),
  };
  return (change) => {
    const known = clusters.find(({ name }) => name === change.cluster);
    const trusted = new TrustedPeers([
      ...(known?.ingressControllers ?? []),
      ...(known?.monitoring ?? []),
    ]);
    const facts = new FleetFacts(approval, change.cluster === '' ? whole : change, teamOf);
    const context = { approval, change, facts, trusted, contacts };
    return (judged) => agreeOn(judged, context);
  };
}

/**
 * Decides who must agree to a change. A change that no rule decides about needs the platform, and
 * so does one with a risk above what owners merge alone.
 */
function agreeOn(judged: JudgedChange, context: AgreementContext): Verdict {
  const { id, risk } = judged.rule;
  const decision = decisions[id];
  if (!decision) return platform(judged);
  const verdict = decision(judged, context);
  if (rankOf(verdict.agreement) === 0 || verdict.agreement === 'platform') return verdict;
  if (isMergedAlone(judged, context)) return verdict;
  return decide(rules.risk, `${verdict.reason}, but its risk is ${risk}`, {
    hint: '`approval.alone` of the platform file lists what owners may merge alone',
  });
}

function isMergedAlone({ rule, where }: JudgedChange, { approval, facts }: AgreementContext) {
  const namespace = where.namespace ?? '';
  const environment = facts.environmentOf(namespace);
  // What a tenant has besides its namespaces, such as its project, is for all of them.
  const isProduction =
    where.namespace === undefined
      ? facts.isTenantProduction(where.tenant)
      : facts.isProduction(namespace);
  return approval.alone.some((row) => {
    const { areas, environments, production, risk } = row;
    return (
      (areas?.includes(rule.area) ?? true) &&
      (environments === undefined ||
        (environment !== undefined && environments.includes(environment))) &&
      (production ?? isProduction) === isProduction &&
      risks.indexOf(rule.risk) >= risks.indexOf(risk)
    );
  });
}

import { formatList } from '@tenantry/kube/problem';
import { strictest, type Agreement } from '../plan/verdict.ts';
import type { PlannedChange } from '../plan/change.ts';

/** What decides who must agree, besides the changes of the output. */
export interface ReviewFacts {
  /** The owners of the platform, as CODEOWNERS spells them. */
  readonly platformOwners: readonly string[];
  /** The owners of a tenant's declaration. */
  ownersOf(tenant: string): readonly string[];
  /** The owners of each changed file in the folder of tenants. */
  readonly declarationOwners: readonly (readonly string[])[];
  /** Tenants whose declaration is moved to other owners, and the owners of both places. */
  readonly moved: readonly (MovedTenant & { readonly owners: readonly (readonly string[])[] })[];
  /** Other changed files: the platform decides about them. */
  readonly otherFiles: readonly string[];
  /** Files of the output that cannot be compared. */
  readonly unread: readonly string[];
  /** Who has approved the change. Names are compared without regard to case. */
  readonly approvedBy: readonly string[];
}

/** A tenant whose declaration is moved to a folder of other owners. Who owns it, may change it from then on. */
export interface MovedTenant {
  readonly tenant: string;
  readonly from: string;
  readonly to: string;
}

/** A party of which one must agree. */
export interface ReviewNeed {
  readonly party: 'owners' | 'platform';
  /** The tenants whose owners they are, sorted; empty for the platform. */
  readonly tenants: readonly string[];
  /** Any one of them suffices, and so does an owner of the platform. */
  readonly owners: readonly string[];
  readonly approvedBy: readonly string[];
}

/** Who must agree to a whole change, and who has. */
export interface Review {
  readonly agreement: Agreement;
  readonly needs: readonly ReviewNeed[];
  /** Changed files that the platform decides about, whatever they render. */
  readonly files: readonly string[];
  readonly moved: readonly MovedTenant[];
  /** Whether each need has an approval, or nobody must agree. */
  readonly isApproved: boolean;
}

/** Works out whose agreement a change needs. */
export function buildReview(changes: readonly PlannedChange[], facts: ReviewFacts): Review {
  const ofOutput = strictest(changes.map(({ verdict }) => verdict))?.agreement ?? 'nobody';
  const ofOwners = ofOutput === 'nobody' && facts.moved.length > 0 ? 'owners' : ofOutput;
  const { platformOwners } = facts;
  const files = [...facts.otherFiles, ...facts.unread];
  // Nobody else can speak for owners that are not known.
  const isUnknown = changes.some(
    ({ verdict }) => verdict.agreement === 'other-owners' && (verdict.tenants ?? []).length === 0,
  );
  const agreement = files.length > 0 || isUnknown ? 'platform' : ofOwners;
  const approved = new Set(facts.approvedBy.map(fold));
  const build = (
    party: ReviewNeed['party'],
    owners: readonly string[],
    tenants: readonly string[],
  ): ReviewNeed => {
    const deciding = [...new Set([...owners, ...platformOwners])];
    return {
      party,
      tenants: tenants.toSorted(),
      owners,
      approvedBy: deciding.filter((one) => approved.has(fold(one))),
    };
  };
  const needs = agreement === 'platform' ? [build('platform', platformOwners, [])] : [];
  for (const [key, tenants] of groupOwners(changes, facts)) {
    const isPlatforms = key === toKey(platformOwners);
    // What needs the platform anyway is no need of its own.
    if (isPlatforms && agreement === 'platform') continue;
    needs.push(build('owners', JSON.parse(key) as string[], [...tenants]));
  }
  // A change without a tenant and without a changed file, such as one by the day, has no other owners.
  if (agreement !== 'nobody' && needs.length === 0)
    needs.push(build('platform', platformOwners, []));
  const moved = facts.moved.map(({ tenant, from, to }) => ({ tenant, from, to }));
  const isApproved = needs.every((need) => need.approvedBy.length > 0);
  return { agreement, needs, files, moved, isApproved };
}

/** Groups tenants by their owners. */
function groupOwners(
  changes: readonly PlannedChange[],
  { ownersOf, declarationOwners, moved }: ReviewFacts,
): ReadonlyMap<string, Set<string>> {
  const deciding = changes.filter(({ verdict }) => verdict.agreement !== 'nobody');
  const groups = new Map<string, Set<string>>();
  const add = (owners: readonly string[], tenant?: string): void => {
    const key = toKey(owners);
    const group = groups.get(key) ?? new Set<string>();
    if (tenant !== undefined) group.add(tenant);
    groups.set(key, group);
  };
  for (const { verdict, where } of deciding) {
    const tenants = [...(verdict.tenants ?? []), ...where.flatMap(({ tenant }) => tenant ?? [])];
    for (const tenant of tenants) add(ownersOf(tenant), tenant);
  }
  for (const { tenant, owners } of moved) for (const one of owners) add(one, tenant);
  if (deciding.length > 0) for (const owners of declarationOwners) add(owners);
  return groups;
}

const toKey = (owners: readonly string[]): string => JSON.stringify(owners.toSorted());

/** GitHub and GitLab compare names without regard to case. */
const fold = (name: string): string => name.toLowerCase();

/** `the platform (@acme/platform)`, `the owners of shop, web (@acme/shop)`. */
export function formatNeed({ party, tenants, owners }: ReviewNeed): string {
  const who =
    party === 'platform'
      ? 'the platform'
      : tenants.length === 0
        ? 'the owners of the changed files'
        : `the owners of ${formatList(tenants)}`;
  const names = owners.length === 0 ? 'spec.delegation.owners names nobody' : owners.join(' ');
  return `${who} (${names})`;
}

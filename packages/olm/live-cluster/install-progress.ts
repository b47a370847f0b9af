import type { Live } from '@tenantry/runtime/kinds/kind';
import type { CatalogSource, ClusterServiceVersion, InstallPlan, Subscription } from './kinds.ts';

/** The objects that OLM has created for a Subscription so far; undefined for missing ones. */
export interface InstallObservation {
  readonly catalog: Live<typeof CatalogSource> | undefined;
  readonly subscription: Live<typeof Subscription> | undefined;
  readonly plan: Live<typeof InstallPlan> | undefined;
  readonly csv: Live<typeof ClusterServiceVersion> | undefined;
}

/** The next step to take. */
type Next =
  | { readonly do: 'approve'; readonly plan: Live<typeof InstallPlan> }
  | { readonly do: 'wait'; readonly reasons: readonly string[] }
  | { readonly do: 'give up'; readonly reasons: readonly string[] }
  | { readonly do: 'nothing'; readonly csv: Live<typeof ClusterServiceVersion> };

/** Reasons for a Failed phase after which OLM retries by itself. */
const passing: ReadonlySet<string> = new Set(['NeedsReinstall', 'ComponentUnhealthy']);

/**
 * Decides the next step towards phase Succeeded. It approves an InstallPlan that installs this
 * bundle and nothing else. If there is no progress, it returns the reasons that OLM gives.
 */
export function decideNextStep(
  name: string,
  { catalog, subscription, plan, csv }: InstallObservation,
): Next {
  if (csv?.status?.phase === 'Succeeded') return { do: 'nothing', csv };
  if (csv) {
    const reasons = csvReasons(csv);
    const { phase, reason = '' } = csv.status ?? {};
    const isOver = phase === 'Failed' && !passing.has(reason);
    return { do: isOver ? 'give up' : 'wait', reasons };
  }
  if (plan && plan.spec.clusterServiceVersionNames.includes(name))
    return decidePlanStep(name, plan);
  const state = catalog?.status?.connectionState?.lastObservedState;
  const lacking = (subscription?.status?.conditions ?? []).filter(isFailureCondition);
  return {
    do: 'wait',
    reasons: [
      ...(state === 'READY'
        ? []
        : [`OLM is not connected to the catalog: ${state ?? 'not tried yet'}`]),
      ...lacking.map(({ type, reason, message }) => `${type}: ${message ?? reason ?? ''}`),
      ...(state === 'READY' && lacking.length === 0 ? ['OLM has made no InstallPlan yet'] : []),
    ],
  };
}

function decidePlanStep(name: string, plan: Live<typeof InstallPlan>): Next {
  const { spec, status, metadata } = plan;
  const others = spec.clusterServiceVersionNames.filter((one) => one !== name);
  if (!spec.approved && others.length > 0) {
    const what = `InstallPlan ${metadata.name} installs ${others.join(', ')}, too`;
    return { do: 'give up', reasons: [`${what}: approve it yourself, or install those first`] };
  }
  if (!spec.approved) return { do: 'approve', plan };
  const failed = (status?.conditions ?? []).filter((one) => one.status === 'False');
  const unpacking = (status?.bundleLookups ?? []).flatMap(({ conditions = [] }) =>
    conditions.flatMap(({ status: is, message }) => (is === 'True' && message ? [message] : [])),
  );
  const reasons = [
    `InstallPlan ${metadata.name} is ${status?.phase ?? 'approved'}`,
    ...failed.map(({ type = '', reason = '', message = '' }) => `${type} ${reason}: ${message}`),
    ...(status?.message ? [status.message] : []),
    ...unpacking,
  ];
  return { do: status?.phase === 'Failed' ? 'give up' : 'wait', reasons };
}

/** Whether a condition of a Subscription prevents progress. */
export function isFailureCondition({
  type,
  status,
}: {
  readonly type: string;
  readonly status: string;
}): boolean {
  const isBadType =
    /^(CatalogSourcesUnhealthy|ResolutionFailed|InstallPlanFailed|InstallPlanMissing|BundleUnpackFailed)$/;
  return status === 'True' && isBadType.test(type);
}

/** Returns the reasons why a ClusterServiceVersion is not Succeeded, one per line. */
export function csvReasons({
  metadata,
  status = {},
}: Live<typeof ClusterServiceVersion>): string[] {
  const { phase = 'not looked at', reason, message, requirementStatus = [] } = status;
  const lacking = requirementStatus.flatMap((one) => {
    const parts = (one.dependents ?? []).filter((part) => part.status !== 'Satisfied');
    const isFine = (one.status === 'Present' || one.status === 'Satisfied') && parts.length === 0;
    const why = [one.message, ...parts.map((part) => part.message ?? part.kind)];
    return isFine
      ? []
      : [`${one.kind} ${one.name} is ${one.status}: ${why.filter(Boolean).join('; ')}`];
  });
  const explanation = [reason, message].filter((one) => one !== undefined && one !== '').join(': ');
  return [
    `${metadata.name} is ${phase}${explanation === '' ? '' : `: ${explanation}`}`,
    ...lacking,
  ];
}

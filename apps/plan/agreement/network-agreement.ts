import type { ReportedSide } from '../../network-report.ts';
import type { AgreementContext, Decide, Decisions } from './context.ts';
import { decide, defineAgreementRules, type Verdict } from '../verdict.ts';

const rules = defineAgreementRules({
  closed: ['connection-closed', 'owners', 'a connection is closed'],
  own: [
    'own-network',
    'owners',
    'a connection to another namespace of the tenant, or from the ingress controllers or the monitoring of the platform',
  ],
  others: [
    'others-network',
    'other-owners',
    'a connection with the namespace of another tenant, or with namespaces that have a label which any of them may set',
  ],
  open: [
    'open-network',
    'platform',
    'a connection from everybody, from addresses, or with a namespace that is no tenant',
  ],
});

export const networkAgreements = Object.values(rules);

const opened: Decide = ({ detail, where }, context) => {
  if (detail?.kind !== 'connection') return decide(rules.open, 'its peer is not known');
  const tenant = where.tenant ?? context.facts.tenantOf(where.namespace ?? '');
  return decideConnection(detail, tenant, context);
};

/** Decides about a connection of a tenant's pods. */
export function decideConnection(
  { with: side, direction }: { readonly with: ReportedSide; readonly direction: 'in' | 'out' },
  tenant: string | undefined,
  { facts, trusted }: AgreementContext,
): Verdict {
  if (trusted.covers(side, facts))
    return decide(rules.own, 'the peer is an ingress controller or the monitoring');
  if (side.kind === 'namespace') {
    const other = side.tenant ?? facts.tenantOf(side.namespace);
    if (facts.isSameTeam(other, tenant))
      return decide(rules.own, `${side.namespace} belongs to the same team`);
    if (other === undefined) return decide(rules.open, `${side.namespace} belongs to no tenant`);
    return decide(rules.others, `${side.namespace} belongs to ${other}`, { tenants: [other] });
  }
  const hint = 'with the peers named one by one, their owners decide';
  if (side.kind === 'addresses')
    return decide(rules.open, `addresses (${side.cidr}) are of no tenant`, { hint });
  if (side.kind === 'anyone')
    return decide(rules.open, direction === 'in' ? 'everybody may connect' : 'pods may reach all', {
      hint,
    });
  if (side.namespace === undefined)
    return decide(rules.others, `every namespace may set the labels ${side.labels}`);
  return decide(rules.open, `${side.namespace} belongs to no tenant`, { hint });
}

const closed: Decide = () => decide(rules.closed, 'fewer connections are allowed');

/** The decisions about connections. */
export const networkDecisions: Decisions = {
  'network-opened': opened,
  'network-opened-to-all': opened,
  'network-closed': closed,
};

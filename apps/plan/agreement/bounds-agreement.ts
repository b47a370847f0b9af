import { isAbove } from '../../../model/approval.ts';
import type { Decide, Decisions } from './context.ts';
import { decide, defineAgreementRules } from '../verdict.ts';

const rules = defineAgreementRules({
  lower: ['bound-lowered', 'owners', 'a bound becomes lower or new'],
  within: ['within-bounds', 'owners', 'a value stays within the bounds that owners decide about'],
  above: ['above-bounds', 'platform', 'a value is above the bounds that owners decide about'],
  unbounded: ['bound-removed', 'platform', 'a resource is not bounded any more'],
});

export const boundsAgreements = Object.values(rules);

const lower: Decide = (judged, context) =>
  // A first bound above what the owners decide about may replace a lower one of another name.
  judged.detail?.kind === 'bound' && judged.detail.was === undefined
    ? bounded(judged, context)
    : decide(rules.lower, 'the bound becomes stricter');

const bounded: Decide = ({ detail }, { approval }) => {
  if (detail?.kind !== 'bound' && detail?.kind !== 'limit')
    return decide(rules.unbounded, 'the bound cannot be compared');
  const { key, was, is } = detail;
  const bounds = detail.kind === 'bound' ? approval.quota : approval.limits;
  const most = bounds.get(key);
  if (is === undefined) return decide(rules.unbounded, `${key} is not bounded any more`);
  if (most !== undefined && isAbove(is, most)) {
    if (was !== undefined && !isAbove(is, was)) return decide(rules.lower, `${key} becomes lower`);
    return decide(rules.above, `${key} is above ${most}`, {
      hint: `up to ${most} the owners decide`,
    });
  }
  if (most !== undefined) return decide(rules.within, `${key} stays within ${most}`);
  if (bounds.size === 0) return decide(rules.within, `${key} stays within the class`);
  if (was === undefined || !isAbove(is, was)) return decide(rules.lower, `${key} becomes lower`);
  return decide(rules.above, `${key} is no value that owners decide about`);
};

const unbounded: Decide = ({ message }) =>
  decide(rules.unbounded, `${message}: the resource is not bounded any more`);

/** The decisions about quotas and limits. */
export const boundsDecisions: Decisions = {
  'quota-lowered': lower,
  'quota-bounded': lower,
  'quota-raised': bounded,
  'quota-unbounded': unbounded,
  'limits-changed': bounded,
  'limits-raised': bounded,
  'limits-unbounded': unbounded,
};

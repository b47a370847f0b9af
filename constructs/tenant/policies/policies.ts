import type { Concern } from '../ownership.ts';
import { disruptionBudgets } from './disruption-budgets.ts';
import { networkPolicies } from './network-policies.ts';
import { pods } from './pods.ts';
import type { TenantUserPolicy } from './policy.ts';
import { names } from './reserved-names.ts';
import { roleBindings } from './role-bindings.ts';
import { services } from './services.ts';
import { templates } from './templates.ts';
import { tokens, tokenSecrets } from './tokens.ts';

/** The policy of each concern. */
export const policies: Readonly<Record<Concern, TenantUserPolicy>> = {
  names,
  roleBindings,
  networkPolicies,
  services,
  tokenSecrets,
  tokens,
  pods,
  disruptionBudgets,
  templates,
};

import type { Concern } from '../ownership.ts';
import { disruptionBudgets, pods } from './pods.ts';
import { networkPolicies } from './network.ts';
import type { TenantUserPolicy } from './policy.ts';
import { names, templates } from './reserved-names.ts';
import { services } from './services.ts';
import { roleBindings, tokens, tokenSecrets } from './access.ts';

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

import { omitUndefined } from '@tenantry/kube/mapping';
import type { KubeObject } from '@tenantry/kube/object';
import type { DisruptionBudget, ServiceAccountSettings } from '../crds/types.ts';
import type { FoundObject } from './manifests.ts';
import { selectKind, type Section } from './section.ts';

interface ServiceAccountObject extends KubeObject {
  readonly imagePullSecrets?: readonly { readonly name: string }[];
  readonly automountServiceAccountToken?: boolean;
}

/** Declares ServiceAccounts. */
export function buildServiceAccounts(
  objects: readonly FoundObject[],
): Section<readonly ServiceAccountSettings[]> {
  const accounts = selectKind<ServiceAccountObject>(objects, '', 'ServiceAccount');
  return {
    value: accounts.map(({ object }) =>
      omitUndefined<ServiceAccountSettings>({
        name: object.metadata.name,
        labels: object.metadata.labels,
        annotations: object.metadata.annotations,
        imagePullSecrets: object.imagePullSecrets?.map((secret) => secret.name),
        automountServiceAccountToken: object.automountServiceAccountToken,
      }),
    ),
    origins: accounts.map((found, i) => ({ path: [i], found })),
    unplaced: [],
  };
}

interface BudgetObject extends KubeObject {
  readonly spec: Omit<DisruptionBudget, 'name'>;
}

/** Declares PodDisruptionBudgets. */
export function buildDisruptionBudgets(
  objects: readonly FoundObject[],
): Section<readonly DisruptionBudget[]> {
  const budgets = selectKind<BudgetObject>(objects, 'policy', 'PodDisruptionBudget');
  return {
    value: budgets.map(({ object }) => ({ name: object.metadata.name, ...object.spec })),
    origins: budgets.map((found, i) => ({ path: [i], found })),
    unplaced: [],
  };
}

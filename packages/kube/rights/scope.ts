/**
 * The scope of rights.
 *
 * - `everywhere`: granted by a ClusterRoleBinding.
 * - `watched`: in the namespaces that the OperatorGroup selects, and in the operator's own.
 * - `own`: in the namespace of the operator.
 */
export type RightsScope = 'everywhere' | 'watched' | 'own';

/** The scopes, the widest first. */
export const scopes: readonly RightsScope[] = ['everywhere', 'watched', 'own'];

/**
 * A module of cdk8s-plus, whichever version: `import * as plus from 'cdk8s-plus-28'`. Of an operator it makes the
 * Deployment, the ServiceAccount, the Services, the roles and their bindings.
 */
export type CdkPlus = Readonly<
  Record<
    | 'ClusterRole'
    | 'ClusterRoleBinding'
    | 'Deployment'
    | 'Role'
    | 'RoleBinding'
    | 'Service'
    | 'ServiceAccount',
    abstract new (...args: never[]) => object
  > &
    Record<'LabelSelector' | 'Volume', object>
>;

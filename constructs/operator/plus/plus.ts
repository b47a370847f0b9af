/**
 * Any version of the module cdk8s-plus: `import * as plus from 'cdk8s-plus-28'`. It makes an
 * operator's Deployment, ServiceAccount, Services, roles and bindings.
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

import type { Construct } from 'constructs';
import type { EnvVar } from '@tenantry/kube/api/core';
import type { Immutable } from '@tenantry/kube/immutable';

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

interface Metadata {
  readonly name?: string;
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

type Class<Props, Made = Construct> = new (
  scope: Construct,
  id: string,
  props: Props & { readonly metadata: Metadata },
) => Made;

/** A resource that a role refers to, in the form of cdk8s-plus. */
export interface PlusResource {
  readonly apiGroup: string;
  readonly resourceType: string;
  readonly resourceName?: string;
  asApiResource(): PlusResource;
  asNonApiResource(): undefined;
}

interface Role extends Construct {
  allow(verbs: readonly string[], ...resources: PlusResource[]): void;
}

interface Binding extends Construct {
  addSubjects(...subjects: readonly object[]): void;
}

/** The part of a Service that is used. */
export interface PlusService extends Construct {
  selectLabel(key: string, value: string): void;
}

/** The part of a Deployment that is used. */
export interface PlusDeployment extends Construct {
  readonly podMetadata: { addLabel(key: string, value: string): void };
  select(...selectors: readonly object[]): void;
}

/** The properties of a container in cdk8s-plus. */
export interface PlusContainer {
  readonly name: string;
  readonly image: string;
  readonly imagePullPolicy: 'IfNotPresent';
  readonly command?: string[];
  readonly args?: string[];
  readonly ports?: readonly { readonly name: string; readonly number: number }[];
  readonly envFrom: object[];
  readonly envVariables: Record<string, Omit<Immutable<EnvVar>, 'name'>>;
  readonly volumeMounts: object[];
}

interface FilesOptions {
  readonly name: string;
  readonly optional?: boolean;
}

/**
 * The part of cdk8s-plus that is used, in types of our own: cdk8s-plus is optional, so its types
 * may be missing.
 */
export interface PlusModule {
  readonly Deployment: Class<
    {
      readonly select: false;
      readonly replicas: number;
      readonly serviceAccount: object;
      readonly automountServiceAccountToken: boolean;
      readonly podMetadata: Metadata;
      readonly containers: readonly PlusContainer[];
    },
    PlusDeployment
  >;
  readonly ServiceAccount: Class<{ readonly automountToken: boolean }>;
  readonly Service: Class<
    {
      readonly clusterIP?: string;
      readonly ports: readonly {
        readonly name: string;
        readonly port: number;
        readonly targetPort: number;
      }[];
    },
    PlusService
  >;
  readonly ClusterRole: Class<object, Role>;
  readonly Role: Class<object, Role>;
  readonly ClusterRoleBinding: Class<{ readonly role: object }, Binding>;
  readonly RoleBinding: Class<{ readonly role: object }, Binding>;
  readonly EnvFrom: new (
    configMap: { readonly name: string } | undefined,
    prefix: string | undefined,
    secret: { readonly name: string } | undefined,
  ) => object;
  readonly LabelSelector: {
    of(options: { readonly labels: Readonly<Record<string, string>> }): object;
  };
  readonly Volume: {
    fromConfigMap(
      scope: Construct,
      id: string,
      configMap: { readonly name: string },
      options: FilesOptions,
    ): object;
    fromSecret(
      scope: Construct,
      id: string,
      secret: { readonly name: string },
      options: FilesOptions,
    ): object;
    fromEmptyDir(scope: Construct, id: string, name: string): object;
  };
}

/**
 * Converts the module to the part that is used. The types of its versions cannot express this,
 * because the parameters of its constructors are narrower than ours.
 */
export function toPlusModule(plus: CdkPlus): PlusModule {
  return plus as unknown as PlusModule;
}

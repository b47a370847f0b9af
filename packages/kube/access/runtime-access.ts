import { builtinResource } from '../builtin-kinds.ts';
import type { AccessRule } from './rule.ts';

/** The name and namespace of a Lease. */
export interface LeaseName {
  readonly name: string;
  readonly namespace: string;
}

/**
 * The access that `leaseElection` needs: to create a Lease, which RBAC cannot limit to a name, and to read and renew
 * its own.
 *
 * @example
 * ```ts
 * import { leaseElectionAccess, buildRoles } from '@tenantry/runtime';
 *
 * const { namespaces } = buildRoles(leaseElectionAccess({ name: 'shops', namespace: 'home' }));
 * console.log(namespaces.get('home')?.length); // 2
 * ```
 */
export function leaseElectionAccess({ name, namespace }: LeaseName): readonly AccessRule[] {
  const leases = { ...builtinResource('coordination.k8s.io', 'Lease'), namespaces: [namespace] };
  return [
    { ...leases, verbs: ['create'] },
    { ...leases, verbs: ['get', 'update'], resourceNames: [name] },
  ];
}

/**
 * The access that `electionForLife` needs. API servers with the admission plugin OwnerReferencesPermissionEnforcement
 * (such as OpenShift's) require the right to delete the Lease from anyone who changes its owner. The election never
 * deletes it.
 *
 * @example
 * ```ts
 * import { electionForLifeAccess, buildRoles } from '@tenantry/runtime';
 *
 * const { namespaces } = buildRoles(electionForLifeAccess({ name: 'shops', namespace: 'home' }));
 * console.log(namespaces.get('home')?.length); // 3
 * ```
 */
export function electionForLifeAccess(lease: LeaseName): readonly AccessRule[] {
  const { name, namespace } = lease;
  const there = { namespaces: [namespace] };
  const leases = builtinResource('coordination.k8s.io', 'Lease');
  return [
    ...leaseElectionAccess(lease),
    { ...leases, ...there, verbs: ['delete'], resourceNames: [name] },
    { ...builtinResource('', 'Pod'), ...there, verbs: ['get'] },
  ];
}

const pluralOf = {
  CustomResourceDefinition: ['apiextensions.k8s.io', 'customresourcedefinitions'],
  ValidatingWebhookConfiguration: [
    'admissionregistration.k8s.io',
    'validatingwebhookconfigurations',
  ],
  MutatingWebhookConfiguration: ['admissionregistration.k8s.io', 'mutatingwebhookconfigurations'],
} as const;

/** The Secret and targets that the access is for. */
export interface CertificateAccessProps {
  readonly secret: { readonly namespace: string; readonly name: string };
  /** The objects whose `caBundle` is written. */
  readonly targets: readonly {
    readonly kind:
      | 'CustomResourceDefinition'
      | 'ValidatingWebhookConfiguration'
      | 'MutatingWebhookConfiguration';
    readonly name: string;
  }[];
  /**
   * Whether the Secret is created if it is missing. RBAC cannot limit that to its name, so it is the right to create
   * any Secret in the namespace. With `false`, an empty Secret must be rendered. @default true
   */
  readonly mayCreate?: boolean | undefined;
}

/**
 * The access that `SharedCertificates` needs: to its Secret and its targets only, by their names.
 *
 * @example
 * ```ts
 * import { certificateAccess } from '@tenantry/runtime';
 *
 * const access = certificateAccess({
 *   secret: { namespace: 'shops', name: 'webhooks' },
 *   targets: [{ kind: 'CustomResourceDefinition', name: 'shops.example.com' }],
 *   mayCreate: false,
 * });
 * console.log(access.map(({ resource }) => resource)); // [ 'secrets', 'customresourcedefinitions' ]
 * ```
 */
export function certificateAccess({
  secret: { name, namespace },
  targets,
  mayCreate = true,
}: CertificateAccessProps): readonly AccessRule[] {
  const verbs = ['get', 'patch', 'watch'] as const;
  const secrets = { group: '', resource: 'secrets', namespaces: [namespace] } as const;
  const kinds = Object.entries(pluralOf).flatMap(([kind, [group, resource]]): AccessRule[] => {
    const names = targets.filter((one) => one.kind === kind).map((one) => one.name);
    const resourceNames = [...new Set(names)].toSorted();
    return names.length === 0 ? [] : [{ group, resource, verbs, resourceNames }];
  });
  return [
    { ...secrets, verbs: ['get', 'update'], resourceNames: [name] },
    ...(mayCreate ? [{ ...secrets, verbs: ['create'] as const }] : []),
    ...kinds,
  ];
}

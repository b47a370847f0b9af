import type { AccessRule } from './rule.ts';

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
 * import { certificateAccess } from 'tenantry/runtime';
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

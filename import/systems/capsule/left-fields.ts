import type { Path } from '@tenantry/kube/problem';
import { CUSTOM_RESOURCE_QUOTA } from './keys.ts';
import type { CapsuleTenant } from './members.ts';
import type { Rule, TenantSpec } from './tenant-schema.ts';

const NO_ADMISSION =
  'Tenantry does not check it in what users create: a ValidatingAdmissionPolicy of the platform can';

/** Names that a class can list, which are not imported: a class has tenants of many Capsule Tenants. */
const listIn = (field: string): string =>
  `list them in \`allow.${field}\` of the class, by name; regular expressions and selectors of labels have no field, and a default is that of the cluster`;

/** Fields of a Tenant for which there is none in Tenantry, and what to do instead. */
const reasons: readonly (readonly [path: Path, reason: string])[] = [
  [['data'], 'templates of Capsule read it; placeholders of Tenantry are the names of things'],
  [['storageClasses'], listIn('storageClasses')],
  [['ingressOptions', 'allowedClasses'], listIn('ingressClasses')],
  [['ingressOptions', 'allowedHostnames'], NO_ADMISSION],
  [['gatewayOptions'], listIn('gatewayClasses')],
  [['runtimeClasses'], listIn('runtimeClasses')],
  [['deviceClasses'], listIn('deviceClasses')],
  [
    ['containerRegistries'],
    'list them in `allow.images` of the class as `registry.example.com/*`; regular expressions have no field',
  ],
  [
    ['imagePullPolicies'],
    '`hardening.imagePullPolicy: Always` of the class requires that policy; Tenantry requires no other one',
  ],
  [['podOptions'], 'Tenantry changes no pods: set the labels in what makes the pods'],
  [
    ['priorityClasses'],
    'name them in `allow.priorityClasses` of the class; a default is the PriorityClass with `globalDefault`',
  ],
  [
    ['serviceOptions', 'additionalMetadata'],
    'Tenantry changes no Services: set the keys in their manifests',
  ],
  [
    ['serviceOptions', 'externalIPs'],
    'users may have the ranges that `selfService.services.externalIPs` of the class lists: none by default',
  ],
  [['serviceOptions', 'forbiddenLabels'], NO_ADMISSION],
  [['serviceOptions', 'forbiddenAnnotations'], NO_ADMISSION],
  [
    ['namespaceOptions', 'quota'],
    '`ceilings.namespaces` of the class bounds how many namespaces a tenant declares; only who may merge adds one',
  ],
  [
    ['namespaceOptions', 'requiredMetadata'],
    'Namespaces are declared in Git: a check of pull requests can require their keys',
  ],
  [
    ['namespaceOptions', 'forbiddenLabels'],
    '`allow.labels` of the class lists the labels that tenants may set, and all others are refused',
  ],
  [
    ['namespaceOptions', 'forbiddenAnnotations'],
    '`allow.annotations` of the class lists the annotations that tenants may set, and all others are refused',
  ],
];

/** Switches: a value with which they do nothing, and why they are left with any other one. */
const switches: readonly (readonly [path: Path, idle: unknown, reason: string])[] = [
  [
    ['cordoned'],
    false,
    'owners could change nothing, and now they can: `lifecycle: Suspended` takes away their access',
  ],
  [['ingressOptions', 'hostnameCollisionScope'], 'Disabled', NO_ADMISSION],
  [['ingressOptions', 'allowWildcardHostnames'], true, NO_ADMISSION],
  [
    ['forceTenantPrefix'],
    false,
    '`namespacePrefix` begins the names of namespaces, and nothing requires it',
  ],
  [
    ['serviceOptions', 'allowedServices', 'nodePort'],
    true,
    '`selfService.services.types` of the class forbids it, if it lists the other types',
  ],
  [
    ['serviceOptions', 'allowedServices', 'loadBalancer'],
    true,
    '`selfService.services.types` of the class forbids it, if it lists the other types',
  ],
  [
    ['serviceOptions', 'allowedServices', 'externalName'],
    undefined,
    'users may have the names that `selfService.services.externalNames` of the class lists: none by default',
  ],
];

/** Records the fields of a Tenant of which nothing is made. */
export function recordLeftFields({ one, spec }: CapsuleTenant): void {
  for (const [path, reason] of reasons) one.leave(['spec', ...path], reason);
  for (const [path, idle, reason] of switches) {
    const at = ['spec', ...path];
    if (readField(spec, path) === idle) one.take(at, 'what is so anyway');
    else one.leave(at, reason);
  }
  one.take(['spec', 'preventDeletion'], '`protection.deletion`, which is on by default');
  for (const [i, rule] of (spec.rules ?? []).entries()) recordRule(rule, ['spec', 'rules', i], one);
  for (const key of Object.keys(one.found.object.metadata.annotations ?? {})) {
    if (!key.startsWith(CUSTOM_RESOURCE_QUOTA)) continue;
    one.leave(
      ['metadata', 'annotations', key],
      'it bounds how many of these objects the tenant has: declare `count/<resource>.<group>` in `quota.total`',
    );
  }
}

function readField(spec: TenantSpec, path: Path): unknown {
  let at: unknown = spec;
  for (const part of path) at = (at as Readonly<Record<string, unknown>> | undefined)?.[part];
  return at;
}

const ruleReasons: readonly (readonly [path: Path, reason: string])[] = [
  [['enforce', 'ingress'], NO_ADMISSION],
  [['enforce', 'metadata'], NO_ADMISSION],
  [
    ['enforce', 'services'],
    '`selfService.services` of the class bounds types, names and addresses; Tenantry bounds no single node ports',
  ],
  [['enforce', 'workloads', 'registries'], NO_ADMISSION],
  [['enforce', 'workloads', 'schedulers'], NO_ADMISSION],
  [['enforce', 'workloads', 'qosClasses'], NO_ADMISSION],
  [
    ['enforce', 'workloads', 'resources'],
    '`limits` of the namespaces has defaults and bounds for containers; Tenantry changes no pods',
  ],
];

function recordRule({ enforce }: Rule, path: Path, one: CapsuleTenant['one']): void {
  for (const [field, reason] of ruleReasons) one.leave([...path, ...field], reason);
  const isLeft = enforce?.ingress ?? enforce?.metadata ?? enforce?.services ?? enforce?.workloads;
  for (const field of [['audience'], ['enforce', 'action'], ['enforce', 'workloads', 'targets']]) {
    if (isLeft) one.leave([...path, ...field], 'it narrows what the rule enforces, which is left');
    else one.take([...path, ...field], 'nothing: the rule enforces nothing');
  }
  one.take([...path, 'namespaceSelector'], 'the namespaces that it selects today');
}

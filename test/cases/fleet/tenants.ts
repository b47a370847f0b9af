import type { TenantClassDeclaration, TenantDeclaration } from '../../../model/declaration.ts';
import type { KubeObject } from '@tenantry/kube/object';
import type { PlatformSpec } from '../../../crds/platform.ts';
import type { TenantSpec } from '../../../crds/tenant.ts';
import type { ServiceAccountSettings } from '../../../crds/workload.ts';
import { accessOf } from './access.ts';
import { limitsOf, policiesOf, presetLike, quotasOf } from './classes.ts';
import { entriesBeyond, unlessEmpty } from './counting.ts';
import { networkOf } from './network.ts';
import { objectsOf, type Original } from './originals.ts';
import { factsOf, isForeign } from './platform.ts';
import { entryFor } from './presets.ts';

/** Declares a namespace as a Tenant of a class: its values beyond the class, in fields where possible. */
export function tenantOf(
  original: Original,
  klass: TenantClassDeclaration,
  platform: PlatformSpec,
): TenantDeclaration {
  const { namespace: name } = original;
  const { environment, labels, podSecurity, contact, annotations } = factsOf(original, platform);
  const { defaults = {}, environments = [] } = klass.spec;
  const inherited = {
    ...defaults.labels,
    ...environments.find((one) => one.name === environment)?.labels,
  };
  return {
    name,
    spec: {
      ...(klass.name !== platform.defaultClass && { className: klass.name }),
      namespaces: [{ name, environment }],
      ...unlessEmpty('labels', entriesBeyond(labels, inherited)),
      ...unlessEmpty('annotations', annotations),
      ...unlessEmpty('contact', entriesBeyond(contact, defaults.contact ?? {})),
      ...unlessEmpty('podSecurity', beyond(podSecurity, { ...defaults.podSecurity })),
      ...unlessEmpty('quota', quotaOf(original, klass)),
      ...unlessEmpty('limits', limitRangeOf(original, klass)),
      ...unlessEmpty('access', accessOf(original, klass.spec)),
      ...unlessEmpty('network', networkBeyond(original, klass, platform)),
      ...unlessEmpty('serviceAccounts', serviceAccountsOf(original)),
      ...unlessEmpty('resources', resourcesOf(original, klass)),
    },
  };
}

type Field<K extends keyof TenantSpec> = NonNullable<TenantSpec[K]>;

function beyond<T extends object>(own: T, below: T): Partial<T> {
  return entriesBeyond(
    own as Record<string, string>,
    below as Record<string, string>,
  ) as Partial<T>;
}

function quotaOf(original: Original, { spec }: TenantClassDeclaration): Field<'quota'> {
  const quota = single(original, quotasOf(original));
  if (!quota) return { preset: 'none' };
  const { hard } = quota.spec;
  const preset = presetLike(spec.presets?.quotas, { hard });
  const own = preset === undefined ? { preset: 'none', hard } : { preset };
  return beyond<Field<'quota'>>({ ...own, name: quota.metadata.name }, { ...spec.defaults?.quota });
}

function limitRangeOf(original: Original, { spec }: TenantClassDeclaration): Field<'limits'> {
  const range = single(original, limitsOf(original));
  if (!range) return { preset: 'none' };
  const items = range.spec.limits;
  const preset = presetLike(spec.presets?.limits, { items });
  const own = preset === undefined ? { preset: 'none', items } : { preset };
  return beyond({ ...own, name: range.metadata.name }, { ...spec.defaults?.limits });
}

/** The fields declare one; a second would need a scope, which no namespace of the fleet has. */
function single<T extends KubeObject>(original: Original, objects: readonly T[]): T | undefined {
  const [first, second] = objects;
  if (second) throw new Error(`${original.namespace} must have one ${second.kind}, got more`);
  return first;
}

function networkBeyond(
  original: Original,
  { spec }: TenantClassDeclaration,
  platform: PlatformSpec,
): Field<'network'> {
  const { base, further } = networkOf(policiesOf(original), platform);
  const preset = presetLike(spec.presets?.networks, base);
  if (preset === undefined) return { ...base, ...further };
  return { ...(preset !== spec.defaults?.network?.preset && { preset }), ...further };
}

interface ServiceAccountObject extends KubeObject {
  readonly imagePullSecrets?: readonly { readonly name: string }[];
  readonly automountServiceAccountToken?: boolean;
}

function serviceAccountsOf(original: Original): ServiceAccountSettings[] {
  return objectsOf<ServiceAccountObject>(original, 'v1', 'ServiceAccount').map(
    ({
      metadata: { name, labels, annotations },
      imagePullSecrets,
      automountServiceAccountToken,
    }) => ({
      name,
      ...(labels && { labels }),
      ...(annotations && { annotations }),
      ...(imagePullSecrets && { imagePullSecrets: imagePullSecrets.map((secret) => secret.name) }),
      ...(automountServiceAccountToken !== undefined && { automountServiceAccountToken }),
    }),
  );
}

/** Objects without a field: by a preset if possible, and without their namespace. */
function resourcesOf({ objects }: Original, { spec }: TenantClassDeclaration): Field<'resources'> {
  const presets = spec.presets?.resources ?? [];
  return objects.filter(isForeign).map((object) => entryFor(object, presets));
}

import type { Finding } from '@tenantry/kube/finding';
import type { KubeObject } from '@tenantry/kube/object';
import { platform as platformKind, type PlatformSpec } from '../../crds/platform.ts';
import type { TenantSpec } from '../../crds/tenant.ts';
import type { TenantClassSpec } from '../../crds/tenant-class.ts';
import type {
  ClassException,
  Hook,
  LimitItem,
  PeerRule,
  PolicyRule,
  QuotaAmounts,
  ResourcePreset,
} from '../../crds/types.ts';
import { validateComparedKinds } from '../../model/compared-kinds.ts';
import { Fleet } from '../../model/fleet.ts';
import { resolveTenant } from '../../model/layers/resolve.ts';
import { applyPlatformDefaults, resolvePlatform } from '../../model/platform.ts';
import { validatePlatform } from '../../model/rules/platform.ts';
import { checkTenant } from '../../model/rules/rules.ts';
import { validateServerSideDiff } from '../../model/stored-form.ts';
import { withFleet } from '../apps/fleet.ts';
import type { Texts } from '../synth/output/folders.ts';
import { desiredOf, fits, type Given } from './given.ts';

/** Returns the findings about an input. */
export type Example = () => readonly {
  readonly rule?: string | undefined;
  readonly severity: Finding['severity'];
}[];

export const ofGiven =
  (given: Given): Example =>
  () =>
    desiredOf(given).findings;

export const ofTenant = (tenant: TenantSpec): Example => ofGiven({ tenant });

export const ofResources = (...resources: NonNullable<TenantSpec['resources']>): Example =>
  ofTenant({ resources });

/** A tenant that its schema would refuse. */
export const ofUncheckedTenant =
  (spec: TenantSpec): Example =>
  () =>
    checkTenant(
      resolveTenant({ name: 'acme', spec }, { name: 'standard', spec: {} }, resolvePlatform()),
    );

export const ofQuota = (hard: QuotaAmounts): Example => ofTenant({ quota: { hard } });
export const ofLimits = (...items: LimitItem[]): Example =>
  ofTenant({ limits: { preset: 'none', items } });
export const ofAllowFrom = (rule: Omit<PeerRule, 'name'>): Example =>
  ofTenant({ network: { allowFrom: [{ name: 'in', ...rule }] } });
export const ofRole = (rule: PolicyRule, klass: TenantClassSpec = {}): Example =>
  ofGiven({ klass, tenant: { access: { roles: [role(rule)] } } });

/** A preset of a class, and a tenant that uses it without values. */
export const ofPreset = (data: object, required?: readonly string[]): Example =>
  ofGiven({
    klass: { presets: { resources: [preset(data, required)] } },
    tenant: { resources: [{ preset: 'a' }] },
  });

export const ofClass = (klass: TenantClassSpec): Example =>
  ofFleet({ classes: { standard: klass } });

/** Two namespaces of the tenant `acme`, and a class with a ceiling for one of them that has exceptions. */
export const ofExceptions = (...exceptions: Omit<ClassException, 'reason'>[]): Example =>
  ofFleet({
    classes: {
      standard: {
        ceilings: { namespaces: 1, limits: { cpu: 1 } },
        exceptions: exceptions.map((one) => ({ reason: 'agreed', ...one })),
      },
    },
    tenants: [{ className: 'standard' }],
  });

interface FleetExample {
  readonly classes?: Readonly<Record<string, TenantClassSpec>>;
  /** The name of a class that is added twice. */
  readonly again?: string;
  /** Tenants with the name `acme`, or another one. */
  readonly tenants?: readonly (TenantSpec & { readonly name?: string })[];
}

export const ofFleet =
  ({ classes = {}, again, tenants = [] }: FleetExample): Example =>
  () => {
    const fleet = new Fleet();
    const declared = Object.entries(classes).map(([name, spec]) => ({ name, spec }));
    const repeated = declared.filter(({ name }) => name === again);
    return [
      ...[...declared, ...repeated].flatMap((klass) => fleet.classes.add(klass)),
      ...declared.flatMap(({ name }) => fleet.classes.check(name).findings),
      ...declared.flatMap(({ name }) => fleet.classes.checkExtension(name).findings),
      ...tenants.flatMap(({ name = 'acme', ...spec }) => fleet.add({ name, spec }, name).findings),
      ...declared.flatMap((klass) => fleet.exceptionWarnings(klass)),
    ];
  };

export const ofPlatform =
  (spec: PlatformSpec): Example =>
  () => {
    fits(platformKind.spec, spec);
    return [
      ...validatePlatform(spec),
      ...validateComparedKinds(spec),
      ...validateServerSideDiff(applyPlatformDefaults(spec)),
    ];
  };

export const ofFiles =
  (texts: Texts): Example =>
  () =>
    withFleet(texts, (fleet) => {
      const { rules, summary } = fleet.render();
      return [
        ...rules.map((rule) => ({ rule, severity: 'error' as const })),
        ...(summary?.warnings ?? []).map(({ rule }) => ({ rule, severity: 'warning' as const })),
      ];
    });

export const hookTo = (url: string): Hook => ({
  name: 'a',
  events: ['Onboarded'],
  webhook: { url },
  secret: 'a',
});

export const inEnvironment = (environment: string): TenantSpec => ({
  namespaces: [{ name: 'a', environment }],
});

export const accessUntil = (until: string): TenantSpec => ({
  access: { viewers: { temporary: [{ users: ['a'], until }] } },
});

export const letsIn = (namespace: string): TenantSpec => ({
  network: { allowFrom: [{ name: 'in', namespaces: [namespace] }] },
});

export function role(rule: PolicyRule) {
  return { name: 'a', users: ['a'], rules: [rule] };
}

/** Affinity terms about pods of a namespace. */
export const awayFrom = (namespace: string): object => ({
  requiredDuringSchedulingIgnoredDuringExecution: [
    {
      labelSelector: { matchLabels: { app: 'a' } },
      topologyKey: 'kubernetes.io/hostname',
      namespaces: [namespace],
    },
  ],
});

/** Returns a ConfigMap with other fields. */
export function manifest(fields: object): { readonly manifest: KubeObject } {
  const common = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } };
  return { manifest: { ...common, ...fields } };
}

export const configMap = (metadata: object): { readonly manifest: KubeObject } =>
  manifest({ metadata: { name: 'a', ...metadata } });

interface DeploymentExample {
  readonly name?: string;
  readonly pod?: object;
  readonly container?: object;
}

/** Returns a Deployment of three pods. */
export function deployment({ name = 'a', pod = {}, container = {} }: DeploymentExample) {
  const labels = { app: name };
  const containers = [{ name: 'a', image: 'registry.example.com/a:1', ...container }];
  return manifest({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: {
      replicas: 3,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers, ...pod } },
    },
  });
}

/** Returns a preset of a ConfigMap, with required parameters. */
export function preset(data: object, required: readonly string[] = []): ResourcePreset {
  const properties = Object.fromEntries(
    required.map((name) => [name, { type: 'string' as const, maxLength: 63 }]),
  );
  return {
    name: 'a',
    parameters: { type: 'object', properties, required },
    manifests: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data }],
  };
}

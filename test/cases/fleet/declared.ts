import { desired, type DesiredNamespace } from '../../../model/desired.ts';
import type { TenantDeclaration } from '../../../model/declaration.ts';
import type { ClassException } from '../../../crds/types.ts';
import { formatFinding, type Finding } from '@tenantry/kube/finding';
import { Fleet } from '../../../model/fleet.ts';
import { resolvePlatform } from '../../../model/platform.ts';
import { toTenantClassObject, toTenantObject } from '../../../model/declared-objects.ts';
import type { KubeObject } from '@tenantry/kube/object';
import { formatPath } from '@tenantry/kube/problem';
import { validate } from '@tenantry/crd/schema/validate';
import { platform as platformKind, type PlatformSpec } from '../../../crds/platform.ts';
import { tenantClass as classKind, type TenantClassSpec } from '../../../crds/tenant-class.ts';
import { tenant as tenantKind } from '../../../crds/tenant.ts';
import { classOf } from './classes.ts';
import type { Placed } from './compare.ts';
import { exceptionFor } from './exceptions.ts';
import { tenantFor } from './grouped.ts';
import { groupsOf } from './groups.ts';
import type { Original } from './originals.ts';
import { platformOf } from './platform.ts';
import { tenantOf } from './tenants.ts';

/** A rule and the namespaces with findings of it. */
export type NamespacesByRule = ReadonlyMap<string, readonly string[]>;

/** A fleet as Tenantry declares it, and the result. */
export interface DeclaredFleet {
  readonly platform: KubeObject;
  readonly classes: readonly KubeObject[];
  readonly tenants: readonly KubeObject[];
  readonly rendered: readonly Placed[];
  /** Values that do not fit the schemas. */
  readonly misfits: readonly string[];
  /** Tenants, classes and namespaces with a name that is not unique. */
  readonly taken: readonly string[];
  /** Findings of the class without its exceptions. */
  readonly beyondStandard: NamespacesByRule;
  readonly exceptions: readonly ClassException[];
  /** Exceptions without an effect. */
  readonly idle: readonly string[];
  /** The remaining findings. */
  readonly refused: NamespacesByRule;
  readonly warned: NamespacesByRule;
}

/**
 * Declares the namespaces of every application as a Tenant of one class, with exceptions for namespaces that it would
 * refuse.
 */
export function declare(originals: readonly Original[]): DeclaredFleet {
  const spec = platformOf(originals);
  const fleet = new Fleet(resolvePlatform(spec));
  const standard = classOf('standard', originals, spec);
  const groups = groupsOf(originals);
  const first = groups.flatMap((group) =>
    group.map((one) => {
      const tenant = tenantOf(one, standard, spec);
      const { findings } = desired(tenant, standard, fleet.platform);
      return { group, one, tenant, findings: findings.filter(isError) };
    }),
  );
  const exceptions = first
    .filter(({ findings }) => findings.length > 0)
    .map(({ group, one, tenant, findings }) => {
      const refused = {
        one,
        spec: tenant.spec,
        tenant: tenantFor(group, standard, spec).name,
        isOneOfSeveral: group.length > 1,
        rules: new Set(findings.map(({ rule }) => rule)),
      };
      return exceptionFor(refused, standard);
    });
  const klass = { ...standard, spec: { ...standard.spec, exceptions } };
  const taken = [...fleet.classes.add(klass)];
  const results = groups.map((group) => {
    const tenant = tenantFor(group, klass, spec);
    const { namespaces, findings } = fleet.add(tenant, tenant.name);
    taken.push(...findings.filter(isTaken));
    return { tenant, namespaces, findings: findings.filter((found) => !isTaken(found)) };
  });
  const classes = [klass];
  const platform = {
    apiVersion: platformKind.apiVersion,
    kind: platformKind.kind,
    metadata: { name: 'platform' },
    spec,
  };
  const tenants = results.map(({ tenant }) => toTenantObject(tenant));
  const kinds = [platformKind, classKind, tenantKind];
  const objects = [platform, ...classes.map(toTenantClassObject), ...tenants];
  return {
    platform,
    classes: classes.map(toTenantClassObject),
    tenants,
    rendered: results.flatMap(({ namespaces }) => placedIn(namespaces)),
    misfits: objects.flatMap((object) =>
      validate(kinds.find(({ kind }) => kind === object.kind)!.file, object).map(
        ({ path, message }) => `${object.metadata.name} ${formatPath(path)} ${message}`,
      ),
    ),
    taken: taken.map(({ message }) => message),
    beyondStandard: collectNamespacesByRule(first, isError),
    exceptions,
    idle: [...fleet.exceptionWarnings(klass), ...fleet.classes.check(klass.name).findings].map(
      formatFinding,
    ),
    refused: collectNamespacesByRule(results, isError),
    warned: collectNamespacesByRule(results, (finding) => !isError(finding)),
  };
}

/** Renders the same platform and classes for Tenants that are declared differently. */
export function renderedBy(
  { platform, classes }: DeclaredFleet,
  tenants: readonly TenantDeclaration[],
): Placed[] {
  const fleet = new Fleet(resolvePlatform(platform['spec'] as PlatformSpec));
  for (const { metadata, ...rest } of classes) {
    fleet.classes.add({ name: metadata.name, spec: rest['spec'] as TenantClassSpec });
  }
  return tenants.flatMap((tenant) => placedIn(fleet.add(tenant, tenant.name).namespaces));
}

const placedIn = (namespaces: readonly DesiredNamespace[]): Placed[] =>
  namespaces.flatMap(({ cluster, objects }) => objects.map((object) => ({ cluster, object })));

const isError = ({ severity }: Finding): boolean => severity === 'error';

const isTaken = ({ rule }: Finding): boolean =>
  ['duplicate-tenant', 'duplicate-namespace'].includes(rule);

interface Judged {
  readonly tenant: TenantDeclaration;
  readonly findings: readonly Finding[];
}

function collectNamespacesByRule(
  tenants: readonly Judged[],
  which: (finding: Finding) => boolean,
): NamespacesByRule {
  const byRule = new Map<string, string[]>();
  for (const { tenant, findings } of tenants) {
    for (const rule of new Set(findings.filter(which).map((finding) => finding.rule))) {
      byRule.set(rule, [...(byRule.get(rule) ?? []), tenant.name]);
    }
  }
  return byRule;
}

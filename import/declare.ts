import { omitUndefined } from '@tenantry/kube/mapping';
import type { PlatformSpec } from '../crds/platform.ts';
import type { ClassException, TenantSpec } from '../crds/types.ts';
import type { TenantClassDeclaration } from '../model/declaration.ts';
import { derivePlatform, findEnvironmentKey } from './facts.ts';
import { distributeExceptions, withExceptions } from './class-exceptions.ts';
import { REASON } from './exceptions.ts';
import { mergeNamespaces } from './merge-namespaces.ts';
import { declareTenant, type DeclaredNamespace } from './declare-namespace.ts';
import type { FoundNamespace, LeftOut } from './namespaces.ts';
import { deriveClass } from './tenant-class.ts';
import { TenantTrials } from './tenant-trials.ts';
import { findFreeName, groupNamespaces, type Grouping } from './tenant-names.ts';
import { placeSettings, type PlacedSettings } from './tenant-settings.ts';
import type { TenantSetting } from './systems/translated-parts.ts';
import { removeRefusedParts, resolveDerivedPlatform } from './usable-specs.ts';

/** What a user decides about an import. */
export interface ImportChoices {
  readonly className: string;
  readonly cluster: string;
  /** Names of tenants by namespace. */
  readonly pinned: ReadonlyMap<string, string>;
  /** Default: the best that is found. */
  readonly grouping?: Grouping;
  /** Whether documents with an error are left out, instead of ending the import. Default: false */
  readonly keepGoing?: boolean;
  /** The platform of the repository, which the import adds to. Default: none. */
  readonly platform?: PlatformSpec;
}

/** A Tenant, and the namespaces that it declares. */
export interface ImportedTenant {
  readonly name: string;
  readonly spec: TenantSpec;
  readonly namespaces: readonly DeclaredNamespace[];
}

/** The declarations that render the objects of a source. */
export interface ImportedFleet {
  readonly platform: PlatformSpec;
  /** The derived class, and classes that extend it where it has no room for all exceptions. */
  readonly classes: readonly TenantClassDeclaration[];
  readonly tenants: readonly ImportedTenant[];
  /** Objects that no declaration can hold. */
  readonly leftOut: readonly LeftOut[];
  /** Why the namespaces belong to these tenants. */
  readonly grouping: readonly string[];
  /** What other tenancy systems state about a tenant as a whole. */
  readonly settings: PlacedSettings;
  /** What was rendered of the tenants when they were declared. */
  readonly trials: TenantTrials;
}

/**
 * Declares namespaces as Tenants of one class that is derived from all of them. What the class refuses is allowed by an
 * exception for the one tenant, or else left out. The result passes all rules.
 */
export function declareFleet(
  found: readonly FoundNamespace[],
  choices: ImportChoices,
  settings: readonly TenantSetting[] = [],
): ImportedFleet {
  const { className, cluster, pinned, grouping } = choices;
  const environmentKey = findEnvironmentKey(found);
  const derived = derivePlatform(found, environmentKey, { cluster, className });
  const { spec, platform } = resolveDerivedPlatform(
    choices.platform ? addToPlatform(choices.platform, derived) : derived,
  );
  const proposed = groupNamespaces(found, pinned, grouping);
  const most = Math.max(1, ...proposed.groups.map(({ namespaces }) => namespaces.length));
  const derivedClass = deriveClass(found, spec, environmentKey, most);
  const klass = removeRefusedParts({ name: className, spec: derivedClass }, platform);
  const classInUse = className === spec.defaultClass ? undefined : className;
  const trials = new TenantTrials(spec, platform);
  const context = { klass, platform: spec, environmentKey, className: classInUse, trials };
  const leftOut: LeftOut[] = [];
  const drafts = proposed.groups.flatMap(({ name, namespaces }): TenantDraft[] => {
    const { namespaces: all, isAccepted } = declareTenant(name, namespaces, context);
    leftOut.push(...all.flatMap((one) => one.leftOut));
    const members = all.filter(({ entry }) => entry !== undefined);
    return members.length === 0 ? [] : [{ name, members, isAccepted }];
  });
  return settle({
    klass,
    spec,
    trials,
    leftOut,
    drafts,
    className: classInUse,
    reason: proposed.reason,
    settings,
  });
}

interface Draft {
  readonly klass: TenantClassDeclaration;
  readonly spec: PlatformSpec;
  readonly trials: TenantTrials;
  readonly leftOut: readonly LeftOut[];
  readonly drafts: readonly TenantDraft[];
  readonly className: string | undefined;
  readonly reason: string;
  readonly settings: readonly TenantSetting[];
}

interface TenantDraft {
  readonly name: string;
  /** Whether all rules accept it as a whole. */
  readonly isAccepted: boolean;
  readonly members: readonly DeclaredNamespace[];
}

/**
 * Completes the classes with the exceptions. Each namespace passes the rules by itself; a tenant that does not pass them
 * as a whole becomes a tenant for each of its namespaces.
 */
function settle({
  klass,
  spec,
  trials,
  leftOut,
  drafts,
  className,
  reason,
  settings,
}: Draft): ImportedFleet {
  const names = new Set(drafts.map(({ name }) => name));
  const notes: string[] = [];
  const final = drafts.flatMap((draft) => {
    if (draft.isAccepted || draft.members.length === 1) return [draft];
    const own = withExceptions(klass, buildExceptions(draft));
    const tenant = { name: draft.name, spec: buildSpec(draft, className) };
    const [error] = trials.findErrors(tenant, own);
    if (!error) return [draft];
    notes.push(`tenant ${draft.name} is divided: ${error.message} (${error.rule})`);
    names.delete(draft.name);
    return draft.members.map((member): TenantDraft => {
      const name = findFreeName(member.found.name, names);
      names.add(name);
      return { name, members: [member], isAccepted: true };
    });
  });
  const before = final.map((draft) => ({
    name: draft.name,
    spec: buildSpec(draft, className),
    namespaces: draft.members.map(({ found }) => found.name),
    exceptions: buildExceptions(draft),
  }));
  const placed = placeSettings(before, settings, { klass, trials });
  const { classes, classNames } = distributeExceptions(
    klass,
    before.map(({ name, exceptions }) => {
      const allowed = placed.exceptions.get(name);
      return [name, allowed ? [...exceptions, allowed] : exceptions];
    }),
  );
  return {
    platform: spec,
    classes,
    tenants: final.map((draft) => ({
      name: draft.name,
      spec: buildSpec(draft, classNames.get(draft.name) ?? className),
      namespaces: draft.members,
    })),
    leftOut,
    grouping: [reason, ...notes],
    settings: placed,
    trials,
  };
}

function buildSpec({ name, members }: TenantDraft, className: string | undefined): TenantSpec {
  const entries = members.map(({ entry }) => entry!);
  return mergeNamespaces(name, entries, className);
}

/** The exceptions that a tenant needs, one for each of its namespaces that needs any. */
function buildExceptions({ name, members }: TenantDraft): ClassException[] {
  return members.flatMap(({ found, exception }) => {
    if (!exception) return [];
    const namespaces = members.length > 1 ? [found.name] : undefined;
    return [
      omitUndefined<ClassException>({ tenants: [name], namespaces, reason: REASON, ...exception }),
    ];
  });
}

/** Returns the platform with what the import needs besides. Its own values win. */
function addToPlatform(own: PlatformSpec, derived: PlatformSpec): PlatformSpec {
  const kinds = own.kinds ?? [];
  const more = (derived.kinds ?? []).filter(
    (kind) => !kinds.some((one) => one.group === kind.group && one.kind === kind.kind),
  );
  const environments = own.environments && [
    ...own.environments,
    ...(derived.environments ?? []).filter((one) => !own.environments!.includes(one)),
  ];
  return omitUndefined<PlatformSpec>({
    ...own,
    environments,
    ingressControllers: own.ingressControllers ?? derived.ingressControllers,
    monitoring: own.monitoring ?? derived.monitoring,
    metadataKeys: own.metadataKeys ?? derived.metadataKeys,
    kinds: more.length > 0 ? [...kinds, ...more] : own.kinds,
  });
}

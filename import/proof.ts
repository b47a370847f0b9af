import { readDeclarations } from '../crds/declarations.ts';
import { platform as platformKind, type PlatformSpec } from '../crds/platform.ts';
import { tenant as tenantKind } from '../crds/tenant.ts';
import { tenantClass as classKind } from '../crds/tenant-class.ts';
import { errorAt, type Finding } from '@tenantry/kube/finding';
import { identityOf, type KubeObject } from '@tenantry/kube/object';
import type { Problem } from '@tenantry/kube/problem';
import { Fleet } from '../model/fleet.ts';
import { resolvePlatform } from '../model/platform.ts';
import type { FieldDiff } from '../operator/drift/difference.ts';
import { diffObjects } from './diff-objects.ts';
import type { OutputFile } from './declaration-texts.ts';
import type { FoundNamespace, LeftOut } from './namespaces.ts';
import type { MadeReason } from './made-objects.ts';
import type { FoundObject } from './manifests.ts';
import { isIdentical } from './counting.ts';
import type { TenantTrials } from './tenant-trials.ts';

/** What became of an object of the source. */
export type ObjectProof =
  | { readonly verdict: 'equal'; readonly found: FoundObject }
  | {
      readonly verdict: 'different';
      readonly found: FoundObject;
      readonly fields: readonly FieldDiff[];
    }
  | { readonly verdict: 'left-out'; readonly found: FoundObject; readonly reason: string }
  | { readonly verdict: 'made'; readonly found: FoundObject; readonly made: MadeReason };

/** The comparison of what declarations render with the objects of the source. */
export interface Proof {
  readonly objects: readonly ObjectProof[];
  /** Rendered objects that the source does not have. */
  readonly added: readonly KubeObject[];
  /** Errors of the declarations. The import has a defect if there are any. */
  readonly problems: readonly Problem[];
  /** Warnings of rules about the declarations. */
  readonly warnings: readonly Problem[];
}

/** The files of an import as they will be read. */
export interface WrittenFleet {
  readonly platform: string;
  /** Files of Tenants and classes. */
  readonly declarations: readonly OutputFile[];
  /** Files that the declarations include. */
  readonly manifests: readonly OutputFile[];
}

/**
 * Reads the texts of an import back, renders them, and compares each object with the source by what an API server would
 * store. Every object of the source is in the result once.
 * @param trials what is not rendered again where the texts have exactly its data
 */
export function prove(
  written: WrittenFleet,
  namespaces: readonly FoundNamespace[],
  leftOut: readonly LeftOut[],
  trials: TenantTrials,
): Proof {
  const { rendered, problems, warnings } = render(written, trials);
  const reasons = new Map(leftOut.map((one) => [one.found, one]));
  const within = namespaces.flatMap((one) => [one.namespace, ...one.objects]);
  const objects = within.map((found): ObjectProof => {
    const own = rendered.get(identityOf(found.object));
    rendered.delete(identityOf(found.object));
    const reason = reasons.get(found)?.reason;
    reasons.delete(found);
    if (!own) {
      return { verdict: 'left-out', found, reason: reason ?? 'no declaration renders it' };
    }
    const fields = diffObjects(found.object, own);
    return fields.length === 0
      ? { verdict: 'equal', found }
      : { verdict: 'different', found, fields };
  });
  for (const { found, reason, made } of reasons.values()) {
    objects.push(made ? { verdict: 'made', found, made } : { verdict: 'left-out', found, reason });
  }
  return { objects, added: [...rendered.values()], problems, warnings };
}

interface Rendered {
  readonly rendered: Map<string, KubeObject>;
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
}

function render(
  { platform, declarations, manifests }: WrittenFleet,
  trials: TenantTrials,
): Rendered {
  const problems: Problem[] = [];
  const warnings: Problem[] = [];
  const add = (findings: readonly Finding[], place: (finding: Finding) => Problem): void => {
    for (const finding of findings) {
      (finding.severity === 'error' ? problems : warnings).push(place(finding));
    }
  };
  const included = new Map(manifests.map(({ path, text }) => [path, text]));
  const read = readDeclarations('tenantry.yaml', platform, [platformKind], () => {
    throw new Error('a Platform includes no files');
  });
  problems.push(...read.problems);
  const spec = read.declared[0]?.spec as PlatformSpec | undefined;
  const fleet = new Fleet(resolvePlatform(spec));
  const known = isIdentical(spec, trials.platformSpec) ? trials : undefined;
  const rendered = new Map<string, KubeObject>();
  const parts = declarations.flatMap(({ path, text }) => {
    const found = readDeclarations(path, text, [tenantKind, classKind], (file) => {
      const content = included.get(file);
      if (content === undefined) throw new Error('there is no such file');
      return { file, text: content };
    });
    problems.push(...found.problems);
    return found.declared;
  });
  for (const one of parts) {
    if (one.kind === 'TenantClass') add(fleet.classes.add(one), one.problem);
  }
  for (const one of parts) {
    if (one.kind !== 'Tenant') continue;
    const tried = known?.findRendered(one, fleet.classes.resolve(one));
    const { namespaces, findings } = tried ?? fleet.desired(one);
    add(findings, one.problem);
    for (const object of namespaces.flatMap(({ objects }) => objects)) {
      const id = identityOf(object);
      if (rendered.has(id))
        add([errorAt([], `must not render ${id} again`, 'duplicate')], one.problem);
      rendered.set(id, object);
    }
  }
  return { rendered, problems, warnings };
}

import type { TenantDeclaration } from '../../../model/declaration.ts';
import { readDeclarations } from '../../../crds/declarations.ts';
import type { ResourceEntry } from '../../../crds/resources.ts';
import { tenant as tenantKind, type TenantSpec } from '../../../crds/tenant.ts';
import type { KubeObject } from '@tenantry/kube/object';
import { formatProblem } from '@tenantry/kube/problem';
import { kindOf } from './compare.ts';
import type { Original } from './originals.ts';

/** Tenants whose `resources` include files, and the content of the files. */
export interface WithFiles {
  readonly tenants: readonly TenantDeclaration[];
  readonly files: ReadonlyMap<string, string>;
}

/**
 * Returns the same Tenants with the literal manifests of `resources` left in their original files. Documents that a
 * field or a preset declares are removed from the files; nothing else is changed.
 */
export function withFiles(
  tenants: readonly KubeObject[],
  originals: readonly Original[],
): WithFiles {
  const files = new Map<string, string>();
  const include = (entries: readonly ResourceEntry[], namespace: string): object[] => {
    const original = originals.find((one) => one.namespace === namespace);
    const names = new Set(entries.flatMap(({ manifest }) => (manifest ? [nameOf(manifest)] : [])));
    const left = (original?.objects ?? []).filter((object) => names.has(nameOf(object)));
    for (const { file, text } of left.map((object) => original!.sources.get(object)!)) {
      files.set(file, `${files.get(file) ?? ''}${text}`);
    }
    const own = [...files.keys()].filter((file) => file.startsWith(`${namespace}/`));
    return [...entries.filter(({ manifest }) => !manifest), ...own.map((file) => ({ file }))];
  };
  const texts = tenants.map((tenant) => {
    const { resources, namespaces, ...spec } = tenant['spec'] as TenantSpec;
    const [only, ...others] = namespaces ?? [{ name: tenant.metadata.name }];
    if (resources?.some(({ manifest }) => manifest) && others.length > 0) {
      throw new Error(`${tenant.metadata.name} must say of which namespace its resources are`);
    }
    const entries = namespaces?.map((one) =>
      one.resources ? { ...one, resources: include(one.resources, one.name) } : one,
    );
    const declared = {
      ...spec,
      ...(entries && { namespaces: entries }),
      ...(resources && { resources: include(resources, only!.name) }),
    };
    return JSON.stringify({ ...tenant, spec: declared });
  });
  return { tenants: texts.map((text) => read(text, files)), files };
}

const nameOf = (object: KubeObject): string => `${kindOf(object)} ${object.metadata.name}`;

function read(text: string, files: ReadonlyMap<string, string>): TenantDeclaration {
  const { declared, problems } = readDeclarations('tenant.yaml', text, [tenantKind], (file) => ({
    file,
    text: files.get(file)!,
  }));
  if (problems.length > 0) throw new Error(problems.map(formatProblem).join('\n'));
  return declared[0]!;
}

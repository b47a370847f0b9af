import type { DeclaredKind } from '../../crds/tenantry/declaredkind.ts';
import { tenant as tenantKind } from '../../crds/tenantry/tenant.ts';
import { tenantClass as classKind } from '../../crds/tenantry/tenantclass.ts';
import { specFaults } from '../../crds/tenantry/valid.ts';
import type { Finding } from '../../kube/finding.ts';
import type { KubeObject } from '../../kube/object.ts';
import type { TenantClassDeclaration, TenantDeclaration } from './declaration.ts';

/** The Tenant as the operator reads it: what was declared, nothing filled in. */
export function tenantObject(declaration: TenantDeclaration): KubeObject {
  return objectOf(tenantKind, declaration);
}

/** The TenantClass as the cluster has it. */
export function tenantClassObject(declaration: TenantClassDeclaration): KubeObject {
  return objectOf(classKind, declaration);
}

function objectOf(
  { apiVersion, kind }: DeclaredKind,
  { name, labels, annotations, spec }: TenantDeclaration | TenantClassDeclaration,
): KubeObject {
  return {
    apiVersion,
    kind,
    metadata: { name, ...(labels && { labels }), ...(annotations && { annotations }) },
    spec,
  };
}

/** What the schema says against the spec of a Tenant that need not have come from a file. */
export function tenantFaults({ spec }: TenantDeclaration): readonly Finding[] {
  return specFaults(tenantKind, spec);
}

/** The same of a class. */
export function classFaults({ spec }: TenantClassDeclaration): readonly Finding[] {
  return specFaults(classKind, spec);
}

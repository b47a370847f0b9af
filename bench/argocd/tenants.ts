import { Fleet } from '../../model/fleet.ts';
import { choosePart, PARTS, type Part } from '../../model/layout.ts';
import { resolvePlatform } from '../../model/platform.ts';
import type { KubeObject } from '@tenantry/kube/object';
import { emitYaml } from '@tenantry/kube/yaml/write';
import type { Files } from '../../test/argocd/git-repository.ts';
import type { ObjectReference } from '@tenantry/testing/controlplane/objects';
import { members, platform, productClass, specOf, type Member } from '../fleet.ts';

/** The folder of the repository that contains the folders of tenants. */
export const TENANTS = 'clusters/eu1/tenants';

/** A tenant of the benchmark, and its folder. */
export interface TenantFolder {
  readonly name: string;
  readonly member: Member;
  readonly files: Files;
}

const fleet = new Fleet(resolvePlatform(platform));
const findings = fleet.classes.add({ name: 'product', spec: productClass });
if (findings.length > 0) throw new Error('the class of the benchmark must be without a mistake');

/** Renders the folders, without the Tenants themselves: no operator runs that would read them. */
export function tenantFolders(size: number): readonly TenantFolder[] {
  return members(size).map((member) => ({
    name: member.name,
    member,
    files: filesOf(member.name, objectsOf(member)),
  }));
}

/** Returns the folder without the binding of its viewers. */
export function revoked({ name, member }: TenantFolder): {
  readonly files: Files;
  readonly binding: ObjectReference;
} {
  const objects = objectsOf(member);
  const binding = objects.find(
    ({ kind, metadata }) => kind === 'RoleBinding' && metadata.name.endsWith('-view'),
  )!;
  return {
    files: filesOf(
      name,
      objects.filter((one) => one !== binding),
    ),
    binding: {
      apiVersion: binding.apiVersion,
      kind: binding.kind,
      namespace: binding.metadata.namespace!,
      name: binding.metadata.name,
    },
  };
}

function objectsOf(member: Member): readonly KubeObject[] {
  const { namespaces } = fleet.desired({ name: member.name, spec: specOf(member) });
  return namespaces.flatMap(({ objects }) => objects);
}

const filesOf = (name: string, objects: readonly KubeObject[]): Files =>
  Object.fromEntries(
    PARTS.map((part) => [
      fileOf(name, part),
      emitYaml(objects.filter((object) => choosePart(object) === part)),
    ]),
  );

const fileOf = (tenant: string, part: Part): string =>
  `${TENANTS}/${tenant}/${part === 'namespaces' ? '' : `${part}/`}namespace-${tenant}.yaml`;

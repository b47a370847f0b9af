import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Fleet } from '../../model/fleet.ts';
import { resolvePlatform } from '../../model/platform.ts';
import type { KubeObject } from '@tenantry/kube/object';
import { members, platform, productClass, specOf, type Member } from '../fleet.ts';

const fleet = new Fleet(resolvePlatform(platform));
const findings = fleet.classes.add({ name: 'product', spec: productClass });
if (findings.length > 0) throw new Error('the class of the benchmark must be without a mistake');

/** A tenant of the benchmark, with its declared objects. */
export interface BenchTenant {
  readonly member: Member;
  readonly objects: readonly KubeObject[];
}

/** Returns the tenants of a fleet of that size; a smaller fleet is a prefix of a larger one. */
export function tenantsOf(size: number): readonly BenchTenant[] {
  return members(size).map((member) => ({
    member,
    objects: fleet
      .desired({ name: member.name, spec: specOf(member) })
      .namespaces.flatMap(({ objects }) => objects),
  }));
}

/** Writes the declared objects for the dry-run controller: `<tenant>.json`, objects by kind and name. */
export function writeDesired(folder: string, tenants: readonly BenchTenant[]): void {
  mkdirSync(folder, { recursive: true });
  for (const { member, objects } of tenants) {
    const byName = objects.map((one) => [`${one.kind}/${one.metadata.name}`, one]);
    writeFileSync(
      join(folder, `${member.name}.json`),
      JSON.stringify(Object.fromEntries(byName) as object),
    );
  }
}

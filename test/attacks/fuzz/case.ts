import fc from 'fast-check';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FleetFolder } from '../../apps/fleet.ts';
import type { Texts } from '../../synth/output/folders.ts';
import { attacked, type Attack } from './attack.ts';
import { attack } from './attacks.ts';
import { extra, included } from './documents.ts';
import { honest } from './honest.ts';
import { scratches, Tape, yamlOf } from './text.ts';
import { folderOf, worldNames, worldOf } from './worlds.ts';

/** The files of an author of one tenant, and the world in which they are rendered. */
export interface Case {
  readonly world: string;
  readonly written: Texts;
}

/** The Tenant file, and the file that it may include. */
const attackersFiles = (world: string): readonly [string, string] => [
  `tenants/${folderOf(world)}mallory.yaml`,
  `tenants/${folderOf(world)}resources/mallory.yaml`,
];

const tape = fc.array(fc.nat(60), { maxLength: 60 });

/** An honest Tenant with a few attacks, written as YAML in some style. */
export const anyCase: fc.Arbitrary<Case> = fc
  .record({
    world: fc.constantFrom(...worldNames),
    tenant: honest,
    attacks: fc.oneof(
      { weight: 4, arbitrary: fc.array(attack, { minLength: 1, maxLength: 1 }) },
      { weight: 1, arbitrary: fc.array(attack, { minLength: 2, maxLength: 2 }) },
      { weight: 2, arbitrary: fc.constant<Attack[]>([]) },
    ),
    more: fc.oneof({ weight: 14, arbitrary: fc.constant([]) }, fc.array(extra, { maxLength: 1 })),
    included,
    tape,
    scratch: fc.oneof({ weight: 12, arbitrary: fc.constant(0) }, fc.nat(scratches.length - 1)),
  })
  .map(({ world, tenant, attacks, more, included, tape, scratch }) => {
    const choices = new Tape(tape);
    const first = attacks.reduce(attacked, tenant);
    const documents = [first, ...more].map((one) => yamlOf(one, choices));
    const text = scratches[scratch]!(documents.join('\n---\n'));
    const [tenantFile, resources] = attackersFiles(world);
    const include = text.includes('resources/mallory.yaml');
    return {
      world,
      written: {
        [tenantFile]: text,
        ...(include && { [resources]: included }),
      },
    };
  });

/**
 * The folders in which cases are rendered: one for each world. Only the attacker's files change, as in a repository.
 * Dispose of it at the end.
 */
export class Fleets {
  readonly #folders = new Map<string, FleetFolder>();

  /** Renders a case; returns undefined if it is refused. */
  rendered({ world, written }: Case): Record<string, string> | undefined {
    const fleet = this.#of(world);
    for (const path of attackersFiles(world)) fleet.remove(path);
    fleet.write(written);
    return fleet.render().problems.length > 0 ? undefined : fleet.files();
  }

  #of(world: string): FleetFolder {
    const known = this.#folders.get(world);
    if (known) return known;
    const { platform, others } = worldOf(world);
    const folder = mkdtempSync(join(tmpdir(), 'fuzz-'));
    const fleet = new FleetFolder(folder, { 'tenantry.yaml': platform, ...others });
    this.#folders.set(world, fleet);
    return fleet;
  }

  remove(): void {
    for (const { folder } of this.#folders.values()) rmSync(folder, { recursive: true });
  }
}

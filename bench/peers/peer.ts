import type { KubeObject } from '../../kube/object.ts';
import type { Member } from '../fleet.ts';
import type { Command } from '../measure.ts';
import type { Output } from '../outputs.ts';
import type { Workspace } from '../workspace.ts';
import type { Needs } from './needs.ts';

/** One way to get the fleet's objects. */
export interface Peer {
  /** As `--only` has it. */
  readonly name: string;
  /** As the report has it. */
  readonly title: string;
  /** The program that has to be on the PATH. @default - none */
  readonly needs?: Needs;
  /** The largest fleet, and why. @default - any */
  readonly limit?: { readonly size: number; readonly reason: string };
  /** Writes the input of a fleet; not measured. */
  prepare(workspace: Workspace, fleet: readonly Member[]): Prepared;
  /**
   * Writes finished objects as data, which the peer is to read and write again; not measured.
   * @default - it is not there for that
   */
  prepareData?(workspace: Workspace, fleet: readonly Finished[]): Prepared;
}

/** Of programs that hold the whole fleet and all that comes of it in memory. */
export const IN_MEMORY: NonNullable<Peer['limit']> = {
  size: 10_000,
  reason: 'all of them are in memory at once',
};

/** All objects of one tenant. */
export interface Finished {
  readonly name: string;
  readonly objects: readonly KubeObject[];
}

/** A peer with a fleet to render. */
export interface Prepared {
  /** @param out a path that does not exist, for those that write files */
  command(out: string): Command;
  /** Where a run left the objects of tenants. */
  output(run: Written): Output;
}

/** Where a run left what it rendered. */
export interface Written {
  readonly out: string;
  readonly stdout: string;
}

import type { KubeObject } from '@tenantry/kube/object';
import type { Member } from '../fleet.ts';
import type { Command } from '../measure.ts';
import type { Output } from '../outputs.ts';
import type { Workspace } from '../workspace.ts';
import type { RequiredProgram } from './required-program.ts';

/** A way to render the fleet's objects. */
export interface Peer {
  /** Its name for `--only`. */
  readonly name: string;
  /** Its title in the report. */
  readonly title: string;
  /** The required program on the PATH. @default - none */
  readonly needs?: RequiredProgram;
  /** The largest fleet, and why. @default - any */
  readonly limit?: { readonly size: number; readonly reason: string };
  /** Writes the input of a fleet; not measured. */
  prepare(workspace: Workspace, fleet: readonly Member[]): Prepared;
  /**
   * Writes finished objects as data, which the peer is to read and write again; not measured.
   * @default - the peer does not run on a real fleet
   */
  prepareData?(workspace: Workspace, fleet: readonly Finished[]): Prepared;
}

/** The limit of programs that keep the whole fleet and its output in memory. */
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
  /** Returns the objects of tenants that a run wrote. */
  output(run: Written): Output;
}

/** The output of a run. */
export interface Written {
  readonly out: string;
  readonly stdout: string;
}

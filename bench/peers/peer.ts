import type { KubeObject } from '../../kube/object.ts';
import type { Member } from '../fleet.ts';
import type { Command } from '../measure.ts';
import type { Workspace } from '../workspace.ts';

/** One way to get the fleet's objects. */
export interface Peer {
  /** As `--only` has it. */
  readonly name: string;
  /** As the report has it. */
  readonly title: string;
  /** The program that has to be on the PATH, and how it gets there. @default - none */
  readonly needs?: { readonly program: string; readonly install: string };
  /** The largest fleet, and why. @default - any */
  readonly limit?: { readonly size: number; readonly reason: string };
  /** Writes the input of a fleet; not measured. */
  prepare(workspace: Workspace, fleet: readonly Member[]): Prepared;
}

/** A peer with a fleet to render. */
export interface Prepared {
  /** @param out a path that does not exist, for those that write files */
  command(out: string): Command;
  /** How many objects of tenants a run gave. */
  count(run: Written): number;
  /** The objects of tenants that a run gave. */
  objects(run: Written): KubeObject[];
}

/** Where a run left what it rendered. */
export interface Written {
  readonly out: string;
  readonly stdout: string;
}

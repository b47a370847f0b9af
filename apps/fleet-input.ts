import type { Environment } from '../synth/run.ts';

/** Where a fleet is declared; relative paths are relative to the working directory. */
export interface FleetInput {
  /** The folder of tenants and classes. */
  readonly tenants: string;
  /** The file of the platform; the default one need not exist. */
  readonly platform: string;
  /**
   * The day for which is rendered, as `2027-01-31` in UTC.
   * @default - the committer date of HEAD, or the current day without a commit
   */
  readonly date?: string;
}

/** The environment variable in which `tenantry` passes a FleetInput, as JSON, to the app that it starts. */
export const INPUT = 'TENANTRY_INPUT';

export const defaultInput: FleetInput = { tenants: 'tenants', platform: 'tenantry.yaml' };

/** Returns the input that `tenantry` passes, or the default for `cdk8s synth` and `node main.ts`. */
export function readFleetInput(environment: Environment = process.env): FleetInput {
  const serialized = environment[INPUT];
  return serialized === undefined ? defaultInput : (JSON.parse(serialized) as FleetInput);
}

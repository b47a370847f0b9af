import { statSync } from 'node:fs';
import { Fleet } from '../constructs/tenant/fleet.ts';
import type { Problem } from '../kube/problem.ts';
import type { Source } from '../synth/files.ts';
import type { Inputs } from '../synth/memory/inputs.ts';
import { tenantClassFiles } from './class-files.ts';
import { createExemptionSource } from './exceptions.ts';
import { defaultInput, type FleetInput } from './fleet-input.ts';
import { readPlatform } from './platform-file.ts';
import { readme } from './readme.ts';
import { TenantFiles } from './tenants.ts';

/** The declarations of a folder of tenants and a platform file, without the platform's own objects. */
export interface DeclaredFleet {
  readonly fleet: Fleet;
  readonly sources: readonly Source[];
}

/**
 * Reads the platform and the classes of a fleet. Tenants are read when the sources run.
 * @param inputs what earlier runs found out about the files
 */
export function readFleet(input: FleetInput, inputs?: Inputs): DeclaredFleet {
  const { platform, problems, warnings, place } = readPlatform(
    input.platform,
    input.platform !== defaultInput.platform,
  );
  const fleet = new Fleet(platform);
  const sources: Source[] = [createProblemSource({ problems, warnings })];
  let files: TenantFiles | undefined;
  const folder = statSync(input.tenants, { throwIfNoEntry: false });
  if (folder?.isDirectory()) {
    const schemaOnly = problems.length > 0;
    files = new TenantFiles(fleet, input.tenants, {
      schemaOnly,
      input,
      ...(inputs && { inputs }),
      ...(place && { place }),
    });
    sources.push(files, createExemptionSource(fleet, files));
  } else {
    const got = folder ? 'a file' : 'nothing';
    const message = `must be a folder of tenants, got ${got}: create it, or name another with --tenants`;
    sources.push(
      createProblemSource({ problems: [{ file: input.tenants, path: '', message, rule: 'file' }] }),
    );
  }
  return {
    fleet,
    sources: [...sources, tenantClassFiles(fleet, (name) => files?.originOf(name)), readme],
  };
}

interface SourceProblems {
  readonly problems: readonly Problem[];
  readonly warnings?: readonly Problem[];
}

function createProblemSource({ problems, warnings = [] }: SourceProblems): Source {
  return {
    synthesize(sink): void {
      for (const problem of problems) sink.problem(problem);
      for (const warning of warnings) sink.warning(warning);
    },
  };
}

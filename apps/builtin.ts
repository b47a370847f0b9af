import { resolve } from 'node:path';
import { openRenderCache, render } from '../synth/app/rendering.ts';
import type { Summary } from '../synth/report.ts';
import type { Run } from '../synth/run.ts';
import { readFleet } from './declared.ts';
import type { FleetInput } from './fleet-input.ts';
import { platformFiles } from './platform-files.ts';

/**
 * Renders a folder of tenants and a platform file, like an app that calls `declareFleet` and adds
 * nothing. It loads no cdk8s.
 * @throws {InvalidInput} with every problem; the folder is unchanged
 */
export function renderFleet(input: FleetInput, run: Run & { readonly out: string }): Summary {
  const directory = resolve(run.out);
  const memory = openRenderCache(run, directory);
  const { fleet, sources } = readFleet(input, memory?.inputs);
  return render({
    run,
    directory,
    memory,
    sources: [platformFiles(fleet), ...sources],
  });
}

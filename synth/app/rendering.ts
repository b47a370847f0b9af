import { CLUSTERS } from '../../kube/output.ts';
import type { Source } from '../files.ts';
import { RenderCache, codeIdentity } from '../render-cache.ts';
import { CONSTRUCT_METADATA } from '../manifests/file-name.ts';
import { Output } from '../output/output.ts';
import type { Summary } from '../report.ts';
import { cacheFile, type Run } from '../run.ts';
import { Progress } from './progress.ts';
import { Synthesis, type ConstructPass } from './synthesis.ts';

/** Opens the render cache for a run and a folder; undefined if it is disabled. */
export function openRenderCache(run: Run, directory: string): RenderCache | undefined {
  if (run.memory === undefined) return undefined;
  return new RenderCache(cacheFile(run.memory, directory), codeIdentity());
}

export interface Rendering {
  readonly run: Run;
  /** The output folder. */
  readonly directory: string;
  /** The render cache of that folder. Default: nothing is remembered */
  readonly memory: RenderCache | undefined;
  readonly constructs?: ConstructPass;
  readonly sources: readonly Source[];
}

/**
 * Renders according to a run and returns a summary.
 * @throws {InvalidInput} with every problem; the folder is unchanged
 */
export function render({ run, directory, memory, ...given }: Rendering): Summary {
  const synthesis = new Synthesis({
    output: Output.open(directory, {
      mode: run.mode,
      sealed: [CLUSTERS],
      shared: [CONSTRUCT_METADATA],
      ...(memory && { index: memory.outputs }),
    }),
    warningsAsErrors: run.warningsAsErrors ?? false,
    workers: run.workers,
    progress: new Progress(run.progress),
    ...(memory && { memory }),
    ...given,
  });
  return synthesis.run();
}

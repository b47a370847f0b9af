import { CLUSTERS } from '../../kube/output.ts';
import type { Source } from '../files.ts';
import { Memory } from '../memory.ts';
import { codeIdentity } from '../memory/code-identity.ts';
import { CONSTRUCT_METADATA } from '../manifests/file-name.ts';
import { Output } from '../output/output.ts';
import type { Summary } from '../report.ts';
import { memoryFile, type Run } from '../run.ts';
import { Progress } from './progress.ts';
import { Synthesis, type ConstructPass } from './synthesis.ts';

/** What is remembered of earlier runs to a folder; undefined where nothing is to be. */
export function memoryOf(run: Run, directory: string): Memory | undefined {
  if (run.memory === undefined) return undefined;
  return new Memory(memoryFile(run.memory, directory), codeIdentity());
}

export interface Rendering {
  readonly run: Run;
  /** The output folder. */
  readonly directory: string;
  /** Of that folder. Default: nothing is remembered */
  readonly memory: Memory | undefined;
  readonly constructs?: ConstructPass;
  readonly sources: readonly Source[];
}

/**
 * Renders as a run says, and tells what was done.
 * @throws {InvalidInput} with every problem; the folder is then as it was
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

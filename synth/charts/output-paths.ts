import type { Chart } from 'cdk8s';
import { OUTPUT_PATH, type OutputPath } from '@tenantry/kube/construct-metadata';
import { InvalidOutput } from '../output/errors.ts';

/**
 * Has a chart written to one file of this path, whatever the app's YamlOutputType. Charts nested in it
 * keep theirs.
 *
 * @example
 * ```ts
 * import { Chart } from 'cdk8s';
 * import { App, setOutputPath } from 'tenantry';
 *
 * const app = new App();
 * setOutputPath(new Chart(app, 'caches'), 'clusters/eu1/caches.yaml');
 * app.synth();
 * ```
 *
 * @param path relative to the output folder, with `/`; an Error is thrown when it is absolute, has an
 * empty segment, `.` or `..`
 */
export function setOutputPath(chart: Chart, path: string): void {
  if (path.includes('\\') || path.split('/').some((part) => ['', '.', '..'].includes(part))) {
    throw new Error(
      `the output path of [${chart.node.path}] must be relative, such as 'clusters/a/acme.yaml', got '${path}'`,
    );
  }
  chart.node.addMetadata(OUTPUT_PATH, path);
}

/**
 * What `setOutputPath` was given (construct metadata of that type); undefined when the type of the
 * app's output decides. Of a chart whose objects go into several files, as those of a TenantNamespace do, it is the
 * first of these.
 *
 * @example
 * ```ts
 * import { Chart } from 'cdk8s';
 * import { App, findOutputPath, setOutputPath } from 'tenantry';
 *
 * const chart = new Chart(new App(), 'caches');
 * setOutputPath(chart, 'clusters/eu1/caches.yaml');
 * console.log(findOutputPath(chart)); // clusters/eu1/caches.yaml
 * ```
 */
export function findOutputPath(chart: Chart): string | undefined {
  const found = findOutputPaths(chart);
  return typeof found === 'object' ? found.all[0] : found;
}

/**
 * Returns the file of a chart, or the files of its objects; undefined if the output type of the app
 * decides.
 */
export function findOutputPaths(chart: Chart): OutputPath | undefined {
  return chart.node.metadata.findLast(({ type }) => type === OUTPUT_PATH)?.data as
    OutputPath | undefined;
}

/**
 * Records which construct writes which file of an output. In cdk8s a file overwrites an earlier one
 * with the same path. Here a second owner is a problem that names both. Everything that is rendered
 * to an output must share one instance.
 */
export class OutputPaths {
  readonly #owners = new Map<string, string>();
  readonly #problems: string[] = [];

  /** Claims a path for a construct path. Returns false and records a problem if it has another owner. */
  claim(path: string, owner: string): boolean {
    const known = this.#owners.get(path);
    if (known === undefined) {
      this.#owners.set(path, owner);
      return true;
    }
    this.#problems.push(
      `[${known}] and [${owner}] must not be written to the same file, got '${path}' for both`,
    );
    return false;
  }

  get problems(): string[] {
    return [...this.#problems];
  }

  /** Throws InvalidOutput when there is a problem. */
  check(): void {
    if (this.#problems.length > 0) throw new InvalidOutput(this.#problems);
  }
}

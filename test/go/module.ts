import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';

/** The folder of a Go module, or the reason why there is none. */
export type Found =
  | { readonly folder: string; readonly reason?: undefined }
  | { readonly reason: string; readonly folder?: undefined };

/**
 * Finds a Go module in the module cache (`GOMODCACHE`). It is downloaded only if `download` is set.
 * @param module such as `github.com/argoproj/argo-cd/v3@v3.5.7`
 */
export function goModule(module: string, { download = false } = {}): Found {
  try {
    const output = execFileSync('go', ['mod', 'download', '-json', module], {
      // A module file there could select another version.
      cwd: tmpdir(),
      env: {
        ...process.env,
        ...(!download && { GOPROXY: 'off' }),
        GOTOOLCHAIN: 'local',
        GOWORK: 'off',
        GOFLAGS: '',
      },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return { folder: (JSON.parse(output) as { readonly Dir: string }).Dir };
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    return { reason: missing ? 'no go in the PATH' : `${module} is not in Go's cache` };
  }
}

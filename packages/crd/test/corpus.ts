import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readDefinitions, type LocatedDefinition } from '../manifests.ts';
import { withProgress } from '@tenantry/testing/controlplane/progress';

/** A module of Go at a version, and the files or folders of it that hold CustomResourceDefinitions. */
type Source = readonly [module: string, ...paths: string[]];

/** 71 MB as Go's proxy packs them; all that is read is 20 MB. */
const sources: readonly Source[] = [
  [
    'istio.io/api@v1.31.1',
    'kubernetes/customresourcedefinitions.gen.yaml',
    'common/scripts/metallb-native.yaml',
  ],
  ['sigs.k8s.io/gateway-api@v1.4.1', 'config/crd/experimental'],
  ['github.com/cert-manager/cert-manager@v1.21.2', 'deploy/crds'],
  ['github.com/prometheus-operator/prometheus-operator@v0.85.0', 'example/prometheus-operator-crd'],
  [
    'sigs.k8s.io/cluster-api@v1.14.2',
    'core/config/crd/bases',
    'bootstrap/kubeadm/config/crd/bases',
    'controlplane/kubeadm/config/crd/bases',
    'cmd/clusterctl/config/crd/bases',
    'util/test/builder/crd',
  ],
  ['sigs.k8s.io/cluster-api-provider-aws/v2@v2.13.0', 'config/crd/bases', 'test/e2e/data/cni'],
  ['github.com/external-secrets/external-secrets@v1.3.2', 'config/crds/bases'],
  ['github.com/fluxcd/source-controller@v1.7.0', 'config/crd/bases'],
  ['github.com/fluxcd/kustomize-controller@v1.7.3', 'config/crd/bases'],
  ['knative.dev/serving@v0.51.0', 'config/core/300-resources', 'third_party/contour-latest'],
  ['github.com/kedacore/keda/v2@v2.21.0', 'config/crd/bases'],
  ['github.com/argoproj/argo-rollouts@v1.8.3', 'manifests/crds', 'test/e2e/crds'],
  ['github.com/kubernetes-csi/external-snapshotter/client/v8@v8.7.0', 'config/crd'],
  ['sigs.k8s.io/karpenter@v1.8.2', 'pkg/apis/crds', 'kwok/apis/crds', 'pkg/test/v1alpha1/crds'],
  ['k8s.io/autoscaler/vertical-pod-autoscaler@v1.8.1', 'deploy'],
  ['go.universe.tf/metallb@v0.16.2', 'config/crd/bases'],
];

/** Milliseconds. */
const PATIENCE = 5 * 60_000;

export interface Corpus {
  /** Distinct by name, in the order of the sources; `file` begins with module and version. */
  readonly crds: readonly LocatedDefinition[];
}

let asked: Promise<Corpus | { readonly reason: string }> | undefined;

/**
 * Real CustomResourceDefinitions of well-known projects, read where Go keeps its modules; fetched
 * there the first time. The reason why not, where there is no Go, or no network the first time.
 * @throws {Error} when a file of a module cannot be read: the list above is wrong, or our reader
 */
export function corpus(): Promise<Corpus | { readonly reason: string }> {
  asked ??= read();
  return asked;
}

async function read(): Promise<Corpus | { readonly reason: string }> {
  const folders = await withProgress(
    (line) => console.error(line),
    (elapsed) => `Go fetches modules that hold CRDs (71 MB the first time), ${elapsed}`,
    () => foldersOf(sources.map(([module]) => module)),
  );
  if (typeof folders === 'string') return { reason: folders };
  const crds = new Map<string, LocatedDefinition>();
  for (const [module, ...paths] of sources) {
    const folder = folders.get(module);
    if (folder === undefined) return { reason: `go mod download gave no folder of ${module}` };
    for (const file of paths.flatMap((path) => filesOf(folder, path))) {
      const text = readFileSync(join(folder, file), 'utf8');
      const { definitions, problems } = readDefinitions(`${module}/${file}`, text);
      const problem = problems.find(({ rule }) => rule !== 'no-definition');
      if (problem) throw new Error(`${problem.file} ${problem.path} ${problem.message}`);
      for (const one of definitions) {
        if (!crds.has(one.manifest.metadata.name)) crds.set(one.manifest.metadata.name, one);
      }
    }
  }
  return { crds: [...crds.values()] };
}

function filesOf(folder: string, path: string): string[] {
  if (path.endsWith('.yaml')) return [path];
  return readdirSync(join(folder, path))
    .filter((name) => name.endsWith('.yaml') && !name.startsWith('kustomiz'))
    .toSorted()
    .map((name) => `${path}/${name}`);
}

/** The folder of every module by `path@version`; or why not. */
function foldersOf(modules: readonly string[]): Promise<Map<string, string> | string> {
  const env = { ...process.env, GOTOOLCHAIN: 'local', GOWORK: 'off', GOFLAGS: '-mod=mod' };
  const options = { cwd: tmpdir(), env, timeout: PATIENCE, maxBuffer: 2 ** 24 };
  return new Promise((resolve) => {
    execFile('go', ['mod', 'download', '-json', ...modules], options, (error, out, err) => {
      if (error && 'code' in error && error.code === 'ENOENT') {
        return resolve('there is no `go` in the PATH');
      }
      const found = new Map<string, string>();
      const failures: string[] = [];
      for (const text of out.split(/^(?=\{$)/m).filter((text) => text.trim() !== '')) {
        const { Path, Version, Dir, Error: failure } = JSON.parse(text) as Record<string, string>;
        if (Dir === undefined) failures.push(failure ?? `${Path}: no folder`);
        else found.set(`${Path}@${Version}`, Dir);
      }
      if (error && failures.length === 0) failures.push(err.trim() || error.message);
      const [why] = failures;
      resolve(why === undefined ? found : why.replaceAll(/\s+/g, ' ').slice(0, 200));
    });
  });
}

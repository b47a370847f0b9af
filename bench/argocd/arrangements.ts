import { folderOnly, syncPolicy } from '../../constructs/argocd/platform/syncing.ts';
import type { Body } from '../../testing/controlplane/objects.ts';

/** A way to give the folders of tenants to Argo CD. */
export interface Arrangement {
  readonly name: string;
  readonly title: string;
  /** Whether it is one Application, called `tenants`; else they are called as the tenants. */
  readonly isOne: boolean;
  /** Whether an Application says which paths it is made of: a webhook then asks no other. */
  readonly saysPaths: boolean;
  /** What a person applies; `folder` holds a folder a tenant. */
  objects(repoURL: string, folder: string, tenants: readonly string[]): readonly Body[];
}

const apiVersion = 'argoproj.io/v1alpha1';
const server = 'https://kubernetes.default.svc';

const application = (repoURL: string, path: string, directory: object) => ({
  project: 'default',
  source: { repoURL, targetRevision: 'main', path, directory },
  destination: { server },
  syncPolicy,
});

const oneForAll: Arrangement = {
  name: 'one-for-all',
  title: 'one Application for all',
  isOne: true,
  saysPaths: false,
  objects: (repoURL, folder) => [
    {
      apiVersion,
      kind: 'Application',
      metadata: { name: 'tenants' },
      spec: application(repoURL, folder, { recurse: true, include: '*.yaml' }),
    },
  ],
};

const each: Arrangement = {
  name: 'each',
  title: 'an Application a tenant',
  isOne: false,
  saysPaths: false,
  objects: (repoURL, folder, tenants) =>
    tenants.map((name) => ({
      apiVersion,
      kind: 'Application',
      metadata: { name },
      spec: application(repoURL, `${folder}/${name}`, { include: '*.yaml' }),
    })),
};

const set = (
  name: string,
  title: string,
  annotations?: Readonly<Record<string, string>>,
): Arrangement => ({
  name,
  title,
  isOne: false,
  saysPaths: annotations !== undefined,
  objects: (repoURL, folder) => [
    {
      apiVersion,
      kind: 'ApplicationSet',
      metadata: { name: 'tenants' },
      spec: {
        goTemplate: true,
        goTemplateOptions: ['missingkey=error'],
        generators: [
          { git: { repoURL, revision: 'main', directories: [{ path: `${folder}/*` }] } },
        ],
        template: {
          metadata: { name: '{{ .path.basename }}', ...(annotations && { annotations }) },
          spec: application(repoURL, '{{ .path.path }}', { include: '*.yaml' }),
        },
      },
    },
  ],
});

export const arrangements: readonly Arrangement[] = [
  oneForAll,
  each,
  set('set', 'an ApplicationSet'),
  set('set-paths', 'an ApplicationSet that says which paths', folderOnly),
];

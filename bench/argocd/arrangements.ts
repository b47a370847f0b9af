import {
  folderOnly,
  buildPartSyncPolicy,
  buildSource,
  syncPolicy,
} from '../../model/argocd/platform/syncing.ts';
import { PARTS, type Part } from '../../model/layout.ts';
import type { Body } from '@tenantry/testing/controlplane/objects';

/** A way to deploy the folders of tenants with Argo CD. */
export interface Arrangement {
  readonly name: string;
  readonly title: string;
  /** Whether it is a single Application, named `tenants`. */
  readonly isOne: boolean;
  /** The names of the Applications of a tenant. */
  applicationsOf(tenant: string): readonly string[];
  /** Whether Applications declare their paths, so that a webhook refreshes no others. */
  readonly declaresPaths: boolean;
  /** The objects to apply; `folder` contains a folder for each tenant. */
  objects(repoURL: string, folder: string, tenants: readonly string[]): readonly Body[];
}

const apiVersion = 'argoproj.io/v1alpha1';
const server = 'https://kubernetes.default.svc';

const everyFile = { recurse: true, include: '*.yaml' };

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
  applicationsOf: () => ['tenants'],
  declaresPaths: false,
  objects: (repoURL, folder) => [
    {
      apiVersion,
      kind: 'Application',
      metadata: { name: 'tenants' },
      spec: application(repoURL, folder, everyFile),
    },
  ],
};

const each: Arrangement = {
  name: 'each',
  title: 'an Application a tenant',
  isOne: false,
  applicationsOf: (tenant) => [tenant],
  declaresPaths: false,
  objects: (repoURL, folder, tenants) =>
    tenants.map((name) => ({
      apiVersion,
      kind: 'Application',
      metadata: { name },
      spec: application(repoURL, `${folder}/${name}`, everyFile),
    })),
};

/** Builds an ApplicationSet for the folders of tenants. */
const applicationSet = (
  name: string,
  { repoURL, folder }: { readonly repoURL: string; readonly folder: string },
  template: object,
): Body => ({
  apiVersion,
  kind: 'ApplicationSet',
  metadata: { name },
  spec: {
    goTemplate: true,
    goTemplateOptions: ['missingkey=error'],
    generators: [{ git: { repoURL, revision: 'main', directories: [{ path: `${folder}/*` }] } }],
    template,
  },
});

const set = (
  name: string,
  title: string,
  annotations?: Readonly<Record<string, string>>,
): Arrangement => ({
  name,
  title,
  isOne: false,
  applicationsOf: (tenant) => [tenant],
  declaresPaths: annotations !== undefined,
  objects: (repoURL, folder) => [
    applicationSet(
      'tenants',
      { repoURL, folder },
      {
        metadata: { name: '{{ .path.basename }}', ...(annotations && { annotations }) },
        spec: application(repoURL, '{{ .path.path }}', everyFile),
      },
    ),
  ],
});

const suffixOf = (part: Part): string => (part === 'namespaces' ? '' : `.${part}`);

/** As in `dist/argocd/`: an ApplicationSet for each part of tenants. */
const parts: Arrangement = {
  name: 'parts',
  title: '`dist/argocd/`: three a tenant',
  isOne: false,
  applicationsOf: (tenant) => PARTS.map((part) => `${tenant}${suffixOf(part)}`),
  declaresPaths: true,
  objects: (repoURL, folder) =>
    PARTS.map((part) => {
      const source = buildSource(
        { repoURL, targetRevision: 'main', path: '.' },
        '{{ .path.path }}',
        part === 'namespaces' ? undefined : part,
      );
      return applicationSet(
        `tenants-${part}`,
        { repoURL, folder },
        {
          metadata: { name: `{{ .path.basename }}${suffixOf(part)}`, annotations: folderOnly },
          spec: {
            project: 'default',
            source,
            destination: { server },
            syncPolicy: buildPartSyncPolicy(part),
          },
        },
      );
    }),
};

export const arrangements: readonly Arrangement[] = [
  oneForAll,
  each,
  set('set', 'an ApplicationSet'),
  set('set-paths', 'an ApplicationSet with declared paths', folderOnly),
  parts,
];

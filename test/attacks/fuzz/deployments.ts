import fc from 'fast-check';
import { anyNamespace, at, either, someOf } from './attack.ts';

const own = 'https://git.example.com/mallory/deploy.git';
const repository = either({
  harmless: [own, 'https://git.example.com/mallory/web'],
  hostile: [
    'https://git.example.com/victim/deploy.git',
    'https://git.example.com/mallory-2/x',
    'https://git.example.com/mallory/../victim/x',
    'https://git.example.com/*',
    '*',
    '!https://git.example.com/x',
    'file:///etc',
  ],
});
const path = either({
  harmless: ['.', 'deploy/{environment}', '{tenant}'],
  hostile: ['..', '../x', '/etc', '{{.path.path}}', '{{ "x" }}'],
});
const kind = either({
  harmless: [
    { group: '', kind: 'ConfigMap' },
    { group: 'cert-manager.io', kind: 'Certificate' },
  ],
  hostile: [
    { group: '*', kind: '*' },
    { group: '', kind: 'Namespace' },
    { group: 'rbac.authorization.k8s.io', kind: 'RoleBinding' },
    { group: 'argoproj.io', kind: 'Application' },
  ],
});
const name = either({ harmless: ['web', 'jobs'], hostile: ['victim.web', '{{x}}', '..'] });
const revision = either({ harmless: ['main', '1.2.*'], hostile: ['--upload-pack=x', '{{x}}'] });
const source = fc.record(
  { repoURL: repository, path, targetRevision: revision },
  { requiredKeys: ['repoURL', 'path'] },
);

/** Deployments by Argo CD: their sources and destinations. */
export const deployments = fc.oneof(
  at('spec.argocd', fc.record({ sourceRepos: someOf(repository) })),
  at(
    'spec.argocd',
    fc.record({
      sourceRepos: fc.constant([own]),
      applications: fc
        .record(
          { name, namespaces: someOf(anyNamespace), source },
          { requiredKeys: ['name', 'source'] },
        )
        .map((one) => [one]),
    }),
  ),
  at(
    'spec.argocd',
    fc.record({
      sourceRepos: fc.constant([own]),
      applicationSets: fc
        .record(
          {
            name,
            repoURL: repository,
            directories: someOf(either({ harmless: ['apps/*'], hostile: ['../*', '{{x}}'] })),
            revision,
          },
          { requiredKeys: ['name', 'repoURL', 'directories'] },
        )
        .map((one) => [one]),
    }),
  ),
  at(
    'spec.argocd',
    fc.record({ sourceRepos: fc.constant([own]), namespaceResourceWhitelist: someOf(kind) }),
  ),
  at(
    'spec.argocd',
    fc.record({ sourceRepos: fc.constant([own]), sourceNamespaces: someOf(anyNamespace) }),
  ),
);

import type { Sink, Source } from '../synth/files.ts';
import { GIT_ATTRIBUTES } from '../synth/manifests/file-name.ts';

const text = `# Rendered by Tenantry

Every file here comes from the declarations of tenants. Do not edit them: change a declaration and
run \`tenantry synth\`. The first line of each file says that Tenantry generated it, and its path. Tenantry replaces and
removes these files and no others. \`clusters/\` is for them alone: \`tenantry check\` fails on any other file there and names
it. Manifests of your own belong in a folder beside this one, with an Application of their own.

| folder | what is in it |
|---|---|
| \`clusters/<cluster>/crds\` | the CustomResourceDefinitions of Tenant and TenantClass |
| \`clusters/<cluster>/operator\` | the operator, its rights, and the Platform that it reads |
| \`clusters/<cluster>/policies\` | the admission policy that guards what the platform put into tenants' namespaces |
| \`clusters/<cluster>/tenantclasses\` | the TenantClasses |
| \`clusters/<cluster>/tenants/<tenant>\` | the Tenant itself, and a file for each of its namespaces with what bounds it |
| \`clusters/<cluster>/tenants/<tenant>/rbac\` | who has access to them |
| \`clusters/<cluster>/tenants/<tenant>/resources\` | what else is in them |
| \`argocd\` | where the platform file has an \`argocd.source\`: what Argo CD is told of all these; \`argocd/settings\` a person applies |

The folders of a cluster are applied in the order of their names, the CRDs first. Argo CD does that by
\`argocd/bootstrap/tenantry.yaml\`, which is applied once. By hand, with kubectl:

    for folder in clusters/<cluster>/*/; do
      kubectl apply --server-side -R -f "$folder"
    done
`;

/** GitHub and GitLab fold these files in a review. */
const attributes = '* linguist-generated gitlab-generated\n';

/** Renders the README and the Git attributes of the output folder. */
export const readme: Source = {
  synthesize(sink: Sink): void {
    sink.add({
      id: 'README.md',
      files: [
        { path: 'README.md', content: text },
        { path: GIT_ATTRIBUTES, content: attributes },
      ],
      namespaces: [],
    });
  },
};

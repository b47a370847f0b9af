import type { NewFile } from '../new-files/write-new-files.ts';
import type { RepositoryAnswers } from './answers.ts';

/** Renders the README of a repository: what its folders contain, and the commands for each task. */
export function renderReadme(answers: RepositoryAnswers): NewFile {
  const isTypeScript = answers.language === 'typescript';
  const text = `# ${answers.name}

The tenants of a Kubernetes platform. Tenantry renders them to \`dist/\`, which Argo CD syncs.

${isTypeScript ? typeScriptFiles : yamlFiles}

## Change a tenant

\`\`\`sh
npm install        # once
npx tenantry synth # renders dist/
npm test           # ${isTypeScript ? 'compiles and runs the tests' : 'checks that dist/ is as declared'}
\`\`\`

Commit the declarations, \`dist/\` and \`package-lock.json\` together, so that one merge request shows all of it.
\`npx tenantry plan\` lists what a change does to the clusters.

## Connect Argo CD

${answers.repository === undefined ? 'Set `argocd.source` in `tenantry.yaml` to the address of this repository, and render again. ' : ''}Add the repository (\`argocd repo add\`) and, unless Argo CD runs on it, the cluster (\`argocd cluster add\`) to Argo CD. Push
\`dist/\`. Then run these commands once, on Argo CD's cluster:

\`\`\`sh
kubectl apply --server-side --field-manager=tenantry -f dist/argocd/settings/argocd-cm.yaml
kubectl apply --server-side -f dist/argocd/bootstrap/tenantry.yaml
\`\`\`

Argo CD reads everything else from Git. The documentation of Tenantry is in \`node_modules/tenantry/docs/\`.
`;
  return { path: 'README.md', text };
}

const yamlFiles = `| place              | what it contains                                            |
| ------------------ | ----------------------------------------------------------- |
| \`tenantry.yaml\`    | the platform: clusters, and what applies to all tenants     |
| \`tenants/classes/\` | classes: what tenants share, and limits for them            |
| \`tenants/\`         | tenants, one file each, in any folders                      |
| \`dist/\`            | the Kubernetes objects of all tenants; never edited by hand |`;

const typeScriptFiles = `| place             | what it contains                                            |
| ----------------- | ----------------------------------------------------------- |
| \`tenantry.yaml\`   | the platform: clusters, and what applies to all tenants     |
| \`tenants.ts\`      | the class of the tenants, and the tenants                   |
| \`tenants.test.ts\` | tests of them                                               |
| \`main.ts\`         | the app, which \`tenantry synth\` runs                        |
| \`tenants/\`        | more tenants and classes in YAML, if you like               |
| \`dist/\`           | the Kubernetes objects of all tenants; never edited by hand |`;

import type { NewFile } from '../new-files/write-new-files.ts';
import { listForges, listOwners, type RepositoryAnswers } from './answers.ts';

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

## Who must agree

${renderAgreement(answers)}
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

/** Renders what a person must set on the forge, or what is missing before that makes sense. */
function renderAgreement(answers: RepositoryAnswers): string {
  const owners = listOwners(answers);
  const forges = listForges(answers);
  if (owners.length === 0) {
    return `Every change needs the platform team, because \`tenantry.yaml\` names no owners. To let teams merge their own changes, name
them in \`spec.delegation\`, and add the review to the pipeline: \`node_modules/tenantry/docs/review.md\`.
`;
  }
  if (forges.length === 0) {
    return `\`tenantry.yaml\` names the owners of the platform (${owners.join(' ')}). To let teams merge their own changes, add the review to the
pipeline: \`node_modules/tenantry/docs/review.md\`.
`;
  }
  const head = `${owners.join(' ')} owns the platform. The job \`review\` comments what each change does to the clusters and who must agree, and it
succeeds once they have approved. Set this once.
`;
  return [head, ...forges.map((forge) => settings[forge])].join('\n');
}

const settings = {
  github: `On GitHub, as \`node_modules/tenantry/docs/action.md\` explains:

1. In a ruleset of the main branch, require pull requests, reviews from code owners, and the checks \`check\` and
   \`tenantry/review\` from GitHub Actions.
2. Store a token that reads the members of the organization as the secret \`TENANTRY_TEAMS_TOKEN\`. Without it, an approval
   counts for an account, but not for its team.
`,
  gitlab: `On GitLab, as \`node_modules/tenantry/docs/action.md\` explains:

1. Protect the main branch, require approvals of code owners, and let the project require that pipelines succeed.
2. Store a project access token (role Reporter, scope \`api\`) in the masked variable \`GITLAB_TOKEN\`.
3. After an update of Tenantry, copy \`node_modules/tenantry/action/templates/review.yml\` to \`.gitlab/review.yml\` again.
`,
};

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

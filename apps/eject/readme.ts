import type { Ejection } from './ejection.ts';
import { quoteForShell } from '../shell-word.ts';
import type { LeavingSteps } from './steps.ts';

/** The folders as they are named on the command line. */
export interface LeavingFolders {
  /** The rendered output, which the ejected files replace. */
  readonly out: string;
  /** The ejected files. */
  readonly to: string;
}

/** The README of ejected files: what stays, and the steps that are left, with the names of this fleet. */
export function formatReadme(
  ejection: Ejection,
  steps: LeavingSteps,
  folders: LeavingFolders,
): string {
  const chapters = [
    formatIntroduction(ejection),
    formatPolicies(ejection, steps),
    ...formatSteps(steps, folders).map(
      ({ title, text }, i) => `## Step ${i + 1}: ${title}\n\n${text}`,
    ),
    formatAfterwards(steps, ejection),
  ];
  return `${chapters.join('\n\n')}\n`;
}

const shell = (...lines: readonly string[]): string => `\`\`\`sh\n${lines.join('\n')}\n\`\`\``;

function formatIntroduction({ marks, objects, clusters }: Ejection): string {
  const removed = marks.filter(({ readers }) => readers.length === 0);
  const stay = marks.filter(({ readers }) => readers.length > 0);
  return `# Plain YAML, ejected from Tenantry

These files are ${objects} objects for ${clusters.length === 1 ? 'cluster' : 'clusters'} ${clusters.join(', ')}. Nothing generates them: edit them by hand, and review each change.
Nobody validates them any more. Anyone who may merge a change here can give every right on these clusters.

Removed from the objects: ${formatKeys(removed)}.
Kept, because objects select by them or read them: ${formatKeys(stay)}.`;
}

function formatKeys(decisions: Ejection['marks']): string {
  if (decisions.length === 0) return 'nothing';
  return decisions.map(({ mark }) => `${mark.part.slice(0, -1)} \`${mark.key}\``).join(', ');
}

function formatPolicies({ policies }: Ejection, { clusters }: LeavingSteps): string {
  if (policies.length === 0) return '## Admission policies\n\nThere are none.';
  const isKept = clusters.every(({ removePolicies }) => removePolicies.length === 0);
  const rows = policies.map(({ name, loss }) => `| \`${name}\` | ${loss} |`);
  return `## Admission policies

${isKept ? 'They stay in force as they are; the API server needs no program for them. Without one of them:' : 'They are removed step by step. From then on:'}

| policy | without it |
| --- | --- |
${rows.join('\n')}`;
}

interface Step {
  readonly title: string;
  readonly text: string;
}

function formatSteps(steps: LeavingSteps, folders: LeavingFolders): Step[] {
  const removesPolicies = steps.clusters.some(({ removePolicies }) => removePolicies.length > 0);
  return [
    prepare(steps, folders),
    release(steps, folders),
    removeOperator(steps),
    ...(removesPolicies ? [removePolicies(steps)] : []),
    replaceFiles(steps, folders),
    removeDefinitions(steps),
    ...(steps.argocd ? [applySettings(folders)] : []),
  ];
}

function prepare({ argocd }: LeavingSteps, { out }: LeavingFolders): Step {
  return {
    title: 'stop using Tenantry',
    text: `- Remove the pipelines that run \`tenantry\`, and merge no declaration any more.
- Wait until ${argocd ? 'every Application is Synced and Healthy' : `everything in \`${out}\` is applied`}.
- Finish what is being off-boarded. This must list no Tenant, on each cluster:

${shell("kubectl get tenants.tenantry.dev -o jsonpath='{.items[?(@.metadata.deletionTimestamp)].metadata.name}'")}`,
  };
}

function release({ argocd, clusters }: LeavingSteps, { out }: LeavingFolders): Step {
  const title = 'release what is removed by hand';
  if (!argocd) {
    return {
      title,
      text: `If an Application or a Kustomization of your own syncs \`operator\`, \`crds\`${clusters.some((one) => one.removePolicies.length > 0) ? ', `policies`' : ''} or
\`tenantclasses\`, delete it so that its objects stay (\`argocd app delete NAME --cascade=false\`). If it syncs other folders
too, disable its automated sync until the last step. If you apply the files by hand, there is nothing to do.`,
    };
  }
  const files = argocd.releasedFiles.map((path) => quoteForShell(`${out}/${path}`)).join(' \\\n  ');
  const names = argocd.releasedApplications
    .map((name) => quoteForShell(`application/${name}`))
    .join(' \\\n  ');
  return {
    title,
    text: `These Applications have no finalizer: what they applied stays.

${shell(`git rm -q \\\n  ${files}`, 'git commit -q -m "Release the operator of Tenantry"', 'git push -q')}

Wait until they are gone, on Argo CD's cluster:

${shell(`kubectl -n ${quoteForShell(argocd.namespace)} wait --for delete --timeout 10m \\\n  ${names}`)}${otherBranches(argocd.revisions)}`,
  };
}

function otherBranches(revisions: readonly string[]): string {
  if (revisions.length === 0) return '';
  return `\n\nSome clusters sync another revision: ${revisions.map((one) => `\`${one}\``).join(', ')}. Make the commits of this page there too.`;
}

function forEachCluster(
  { clusters }: LeavingSteps,
  commands: (cluster: LeavingSteps['clusters'][number]) => readonly string[],
): string {
  const groups = Map.groupBy(clusters, (cluster) => commands(cluster).join('\n'));
  const parts = Array.from(groups, ([lines, some]) => {
    const names = some.map(({ name }) => name).join(', ');
    return `On ${some.length === 1 ? 'cluster' : 'each of the clusters'} ${names}:\n\n${lines === '' ? 'nothing to do.' : shell(lines)}`;
  });
  return parts.join('\n\n');
}

const removeFinalizers = `for tenant in $(kubectl get tenants.tenantry.dev -o name); do
  kubectl patch "$tenant" --type merge -p '{"metadata":{"finalizers":null}}'
done`;

function removeOperator(steps: LeavingSteps): Step {
  return {
    title: 'remove the operator',
    text: `The operator is removed before the Tenants. Otherwise it would call the hooks of off-boarding, and revoke access, as for tenants
that are deleted. From here on nobody reports or heals drift, and no hook is called. Nothing is opened.

${forEachCluster(steps, ({ removeOperator: commands }) => commands)}

If you installed the operator with OLM, delete its Subscription and its ClusterServiceVersion instead of the Deployment.
Then release the Tenants from it. This removes all of their finalizers, on each cluster:

${shell(removeFinalizers)}${steps.hasRequests ? `\n\n${endRequests()}` : ''}`,
  };
}

/** After the operator, so that nobody grants new requests. */
function endRequests(): string {
  return `Requested access would not end any more. So delete all requests, on each cluster. The garbage collector then deletes the
RoleBindings that the operator made for them:

${shell('kubectl delete accessrequests.tenantry.dev --all --all-namespaces')}`;
}

function removePolicies(steps: LeavingSteps): Step {
  return {
    title: 'remove the admission policies',
    text: `**This opens what the table above lists**, for all tenants at once. The marks are removed after the policies: a policy whose mark is
gone would look as if it were in force.

${forEachCluster(steps, ({ removePolicies: commands }) => commands)}`,
  };
}

function replaceFiles(steps: LeavingSteps, { out, to }: LeavingFolders): Step {
  const { argocd, removesTenantLabel, clusters } = steps;
  const look = removesTenantLabel ? `${lookForReaders()}\n\n` : '';
  const old = quoteForShell(out);
  const commit = [
    `git rm -rq ${old} && rm -rf ${old} && mv ${quoteForShell(to)} ${old} && git add ${old}`,
    'git commit -q -m "Leave Tenantry"',
    'git push -q',
  ];
  const apply = clusters.map(
    ({ name }) =>
      `kubectl apply --server-side --force-conflicts -R -f ${quoteForShell(`${out}/clusters/${name}`)} # on ${name}`,
  );
  return {
    title: 'replace the files',
    text: `${look}Every object keeps its path and its name, so ${argocd ? 'the same Applications sync it, and' : ''} nothing is deleted but the Tenants. Tenants own no object.

${shell(...commit)}${argocd ? '' : `\n\nApply the files, unless Applications of your own do:\n\n${shell(...apply, 'kubectl delete tenants.tenantry.dev --all # on each cluster')}`}`,
  };
}

/** Other systems may select by a label that this output no longer reads. */
function lookForReaders(): string {
  return `Objects outside of this folder may select by the labels that are removed. They would stop selecting. Look for them, on each cluster,
and in the policies, dashboards and alerts of other systems:

${shell(
  'kubectl get networkpolicies,validatingadmissionpolicies,validatingwebhookconfigurations,mutatingwebhookconfigurations -A -o json |',
  `  jq -r '.items[] | select(del(.metadata) | tostring | contains("tenantry.dev/")) | "\\(.kind) \\(.metadata.name)"'`,
)}`;
}

function removeDefinitions(steps: LeavingSteps): Step {
  return {
    title: 'remove the definitions',
    text: `On each cluster, when no Tenant is left. TenantClasses are deleted with their definition:

${shell(
  'kubectl wait tenants.tenantry.dev --all --for delete --timeout 10m',
  `kubectl delete crd tenants.tenantry.dev tenantclasses.tenantry.dev${steps.hasRequests ? ' accessrequests.tenantry.dev' : ''}`,
)}${operatorNamespaces(steps)}`,
  };
}

function operatorNamespaces({ clusters }: LeavingSteps): string {
  const lines = clusters.flatMap(({ name, namespace, accountsNamed }) => {
    if (namespace === undefined) return [];
    return accountsNamed > 0
      ? [
          `- On ${name}, keep the namespace \`${namespace}\`: ${accountsNamed} objects name accounts in it, with which Argo CD syncs for tenants. Anyone who may create accounts there gets their rights. No file here has it: add it to the manifests of your platform.`,
        ]
      : [
          `- On ${name}: \`kubectl delete namespace ${namespace}\`. No object here names accounts in it. Its Secrets, such as those of hooks, are deleted with it.`,
        ];
  });
  return lines.length === 0 ? '' : `\n\nThe namespace of the operator:\n\n${lines.join('\n')}`;
}

function applySettings({ out }: LeavingFolders): Step {
  return {
    title: "update Argo CD's settings",
    text: `This removes the settings for Tenantry's kinds, and keeps the health check that the waves need. On Argo CD's cluster:

${shell(`kubectl apply --server-side --field-manager=tenantry -f ${quoteForShell(`${out}/argocd/settings/argocd-cm.yaml`)}`)}`,
  };
}

function formatAfterwards({ couldHeal, argocd }: LeavingSteps, { unsynced }: Ejection): string {
  const healed = couldHeal
    ? `\n- The operator could heal on these clusters. If you later remove a key from an object that it healed, such as a key of a
  quota, apply the new file once with \`--field-manager=tenantry-operator\`. Otherwise that manager keeps the key.`
    : '';
  const projects = argocd
    ? `\n- AppProjects still allow Tenantry's kinds, so that Argo CD may prune the Tenants. The entries have no effect afterwards.`
    : '';
  const moved =
    unsynced.length === 0
      ? ''
      : `\n- No Application syncs these files any more. Their objects stay. Move the files to a folder that is synced:
  ${unsynced.map((path) => `\`${path}\``).join(', ')}`;
  return `## Afterwards

- To change a tenant by hand, see docs/leaving.md of Tenantry: members, namespaces and network have more than one place.
- The declarations of tenants and the platform file are no longer read. Git keeps them, if you ever want to come back.
- Let only the platform's team approve changes in this folder (CODEOWNERS).${projects}${healed}${moved}`;
}

import { statSync } from 'node:fs';
import { Fleet } from '../model/fleet.ts';
import { type Problem, show, type Exemption } from '@tenantry/kube/problem';
import type { Source, Sink } from '../synth/files.ts';
import type { Inputs } from '../synth/render-cache.ts';
import { defaultInput, type FleetInput } from './fleet-input.ts';
import { readPlatform } from './platform-file.ts';
import { resolveRenderDate, type RenderDate } from './render-date.ts';
import { TenantFiles, type TenantFilesOptions } from './tenants.ts';
import { warningAt } from '@tenantry/kube/finding';
import { omitUndefined, isMapping } from '@tenantry/kube/mapping';
import type { TenantClassDeclaration } from '../model/declaration.ts';
import type { GrantedException } from '../model/granted-exceptions.ts';
import { layout } from '../model/layout.ts';
import { renderTenantClass } from '../model/declared-objects.ts';
import { GIT_ATTRIBUTES } from '../synth/manifests/file-name.ts';

/** The declarations of a folder of tenants and a platform file, without the platform's own objects. */
interface DeclaredFleet {
  readonly fleet: Fleet;
  readonly sources: readonly Source[];
}

/**
 * Reads the platform and the classes of a fleet. Tenants are read when the sources run.
 * @param inputs what earlier runs found out about the files
 */
export function readFleet(input: FleetInput, inputs?: Inputs): DeclaredFleet {
  const { platform, problems, warnings, place } = readPlatform(input.platform, {
    mustExist: input.platform !== defaultInput.platform,
  });
  const rendered = resolveRenderDate(input);
  const { date } = rendered;
  const fleet = new Fleet({ ...platform, date });
  const sources: Source[] = [createProblemSource({ problems, warnings })];
  let files: TenantFiles | undefined;
  const folder = statSync(input.tenants, { throwIfNoEntry: false });
  if (folder?.isDirectory()) {
    const schemaOnly = problems.length > 0;
    const dated = { ...input, date };
    const options: TenantFilesOptions = omitUndefined({ schemaOnly, input: dated, inputs, place });
    files = new TenantFiles(fleet, input.tenants, options);
    sources.push(files, createExemptionSource(fleet, files), createDateSource(rendered, files));
  } else {
    const got = folder ? 'a file' : 'nothing';
    const message = `must be a folder of tenants, got ${got}: create it, or name another with --tenants`;
    sources.push(
      createProblemSource({ problems: [{ file: input.tenants, path: '', message, rule: 'file' }] }),
    );
  }
  return {
    fleet,
    sources: [...sources, tenantClassFiles(fleet, (name) => files?.findOrigin(name)), readme],
  };
}

interface SourceProblems {
  readonly problems: readonly Problem[];
  readonly warnings?: readonly Problem[];
}

function createProblemSource({ problems, warnings = [] }: SourceProblems): Source {
  return {
    synthesize(sink): void {
      for (const problem of problems) sink.problem(problem);
      for (const warning of warnings) sink.warning(warning);
    },
  };
}

/** Warns if the current day decided what is rendered, since the same files give another output on another day. */
function createDateSource({ date, source }: RenderDate, files: TenantFiles): Source {
  return {
    synthesize(sink) {
      if (source !== 'clock' || !files.hasEndings) return;
      const message = `rendered for today, ${date} in UTC, since there is no commit with a date: name a day with --date`;
      sink.warning({ path: '', message, rule: 'render-date' });
    },
  };
}

/**
 * Renders the exceptions of the classes of a fleet and warns about questionable ones. It runs when
 * all tenants are known, including those declared in TypeScript.
 */
function createExemptionSource(fleet: Fleet, files: TenantFiles): Source {
  return {
    synthesize(sink) {
      const granted = Map.groupBy(fleet.exceptions(), ({ className }) => className);
      for (const klass of fleet.classes.all) {
        // While there are problems, tenants are missing and the warnings would be wrong.
        const odd = files.isWhole ? fleet.exceptionWarnings(klass) : [];
        for (const finding of odd) sink.warning(files.locateFinding(klass.name, finding));
        const ofClass = (granted.get(klass.name) ?? []).toSorted(byPlace);
        for (const one of ofClass) sink.exemption(exemption(klass, one, files));
      }
    },
  };
}

function byPlace(one: GrantedException, other: GrantedException): number {
  return Number(one.path[2]) - Number(other.path[2]);
}

function exemption(
  { name, spec }: TenantClassDeclaration,
  { path, tenant, value }: GrantedException,
  files: TenantFiles,
): Exemption {
  const exception = spec.exceptions![Number(path[2])]!;
  const nothing = warningAt(path, '', 'exception-unused');
  const { message: _message, rule: _rule, ...place } = files.locateFinding(name, nothing);
  return {
    ...place,
    whom: tenant,
    what: formatValue(value),
    reason: exception.reason.trim().replaceAll(/\s+/g, ' '),
  };
}

/** Formats a value: `810`, `ConfigMap`, `group argoproj.io, kind Application`. */
function formatValue(value: unknown): string {
  if (!isMapping(value)) return show(value);
  return Object.entries(value)
    .map(
      ([key, inner]) =>
        `${key} ${Array.isArray(inner) ? inner.map(String).join(' ') : show(inner)}`,
    )
    .join(', ');
}

/**
 * Renders the classes of a fleet on every cluster. It runs late, so that it includes classes in TypeScript.
 * @param originOf the file that declares a class, if one does
 */
function tenantClassFiles(
  fleet: Fleet,
  originOf: (className: string) => string | undefined,
): Source {
  return {
    synthesize(sink) {
      for (const klass of fleet.classes.all) {
        const content = [renderTenantClass(klass)];
        const files = fleet.platform.clusters.map(({ name }) => ({
          path: layout.tenantClass(name, klass.name),
          content,
        }));
        const origin = originOf(klass.name);
        const unit = { id: `TenantClass ${klass.name}`, files, namespaces: [] };
        sink.add({ ...unit, ...(origin !== undefined && { origin }) });
      }
    },
  };
}

const readmeText = `# Rendered by Tenantry

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
const gitAttributes = '* linguist-generated gitlab-generated\n';

/** Renders the README and the Git attributes of the output folder. */
const readme: Source = {
  synthesize(sink: Sink): void {
    sink.add({
      id: 'README.md',
      files: [
        { path: 'README.md', content: readmeText },
        { path: GIT_ATTRIBUTES, content: gitAttributes },
      ],
      namespaces: [],
    });
  },
};

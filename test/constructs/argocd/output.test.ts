import { expect, test } from '@jest/globals';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { appProject, application, applicationSet } from '../../../model/argocd/api/definitions.ts';
import type {
  ApplicationSetSpec,
  ApplicationSpec,
  AppProjectSpec,
} from '../../../model/argocd/api/types.ts';
import { validateApplication } from '../../../model/argocd/rules/application.ts';
import { validateApplicationSet } from '../../../model/argocd/rules/application-set.ts';
import { validateAgainstProject } from '../../../constructs/argocd/project-permissions.ts';
import { validateProjectFields } from '../../../model/argocd/rules/project-validity.ts';
import { omitZeros } from '../../../model/argocd/object.ts';
import { listVersions } from '@tenantry/crd/definition';
import { formatFinding } from '@tenantry/kube/finding';
import type { KubeObject } from '@tenantry/kube/object';
import { readDocuments } from '@tenantry/kube/yaml/read';
import { typesTest, type TypesQuestion } from '../../go/argocd-types.ts';
import { root } from '../../structure/tracked.ts';

/** The objects of Argo CD in this repository's own output. */
const objects = globSync('dist/argocd/**/*.yaml', { cwd: root }).flatMap((path) =>
  readDocuments(readFileSync(join(root, path), 'utf8')).documents.map(
    ({ value }) => value as KubeObject & { readonly spec: object },
  ),
);
const definitions = [appProject, application, applicationSet];
const argoCdObjects = objects.filter(({ kind }) => definitions.some((one) => one.kind === kind));
const specsOf = <S>(kind: string): S[] =>
  argoCdObjects.filter((one) => one.kind === kind).map(({ spec }) => spec as S);

test('the output has no field that Argo CD would omit', () => {
  expect(new Set(argoCdObjects.map(({ kind }) => kind)).size).toBe(definitions.length);
  for (const { kind, spec } of argoCdObjects) {
    const definition = definitions.find((one) => one.kind === kind)!;
    const { schema } = listVersions(definition)[0]!;
    expect(omitZeros(schema.properties!['spec']!, spec)).toEqual(spec);
  }
});

test('the Applications of the output pass the validation of user-written Applications', () => {
  const projects = new Map(
    argoCdObjects
      .filter(({ kind }) => kind === 'AppProject')
      .map(({ metadata, spec }) => [metadata.name, spec as AppProjectSpec]),
  );
  const sets = specsOf<ApplicationSetSpec>('ApplicationSet');
  const applications = [
    ...specsOf<ApplicationSpec>('Application'),
    ...sets.map(({ template }) => template.spec),
  ];
  const findings = [
    ...[...projects].flatMap(([name, spec]) => validateProjectFields(name, spec)),
    ...sets.flatMap(validateApplicationSet),
    ...applications.flatMap(validateApplication),
    ...applications.flatMap((spec) =>
      validateAgainstProject(
        spec,
        projects.get(spec.project.replace('{{ .path.basename }}', 'last-mile'))!,
        spec.project,
      ),
    ),
  ];
  // The project of a tenant's folder permits only the namespaces of that tenant.
  const own = findings.filter(
    ({ path, message }) =>
      !(path.at(-1) === 'project' && message.includes('.{{ .path.basename }}')),
  );
  expect(own.map(formatFinding)).toEqual([]);
});

typesTest('Argo CD uses the projects of the output, and writes all of it back as it is', (ask) => {
  const asked = argoCdObjects.filter(({ kind }) => kind !== 'ApplicationSet');
  const answers = ask(
    asked.map((object) => ({ kind: object.kind as TypesQuestion['kind'], object })),
  );
  expect(answers.map(({ error }) => error).filter((error) => error !== '')).toEqual([]);
  expect(answers.map(({ written }) => written)).toEqual(asked.map(({ spec }) => spec));
});

import { errorAt, prefixFinding, type Finding } from '@tenantry/kube/finding';
import { formatList, show, type Path } from '@tenantry/kube/problem';
import type {
  ApplicationSetGenerator,
  ApplicationSetNestedGenerator,
  ApplicationSetSpec,
  ApplicationSpec,
} from '../api/types.ts';
import { validateApplication } from './application.ts';
import {
  hasField,
  resolveParameters,
  parseActions,
  parseFields,
  findLegacyPlaceholder,
  walkTexts,
  type FieldPath,
} from './template-parameters.ts';

/** Fields of a generator that are not generators. */
const ASIDE = new Set(['selector']);

/** Validates what makes Argo CD create no Applications, or other ones than intended. Paths begin at the object. */
export function validateApplicationSet(spec: ApplicationSetSpec): Finding[] {
  const { generators, template } = spec;
  const misshapen = generators.flatMap((one, i) =>
    validateGenerator(one, ['spec', 'generators', i]),
  );
  // The parameters of malformed generators are unknown.
  if (misshapen.length > 0) return misshapen;
  return [
    ...validateApplication(template.spec as ApplicationSpec).map((one) =>
      prefixFinding(['spec', 'template', 'spec'], one),
    ),
    ...validateName(spec),
    ...validateTemplateProject(spec),
    ...validatePlaceholders(spec),
  ];
}

function validateGenerator(generator: ApplicationSetNestedGenerator, path: Path): Finding[] {
  const kinds = Object.keys(generator).filter((key) => !ASIDE.has(key));
  if (kinds.length !== 1) {
    const got = kinds.length === 0 ? 'none' : formatList(kinds);
    const message = `must be one generator, got ${got}`;
    return [errorAt(path, message, 'applicationset-generator')];
  }
  const { git } = generator;
  const { matrix, merge } = generator as ApplicationSetGenerator;
  const findings: Finding[] = [];
  if (git && (git.directories === undefined) === (git.files === undefined)) {
    const message = `must have directories or files, got ${git.files ? 'both' : 'neither'}`;
    findings.push(errorAt([...path, 'git'], message, 'applicationset-generator'));
  }
  if (matrix && matrix.generators.length !== 2) {
    const message = `must be two, got ${matrix.generators.length}`;
    findings.push(errorAt([...path, 'matrix', 'generators'], message, 'applicationset-generator'));
  }
  if (merge && merge.generators.length < 2) {
    const message = `must be two or more, got ${merge.generators.length}`;
    findings.push(errorAt([...path, 'merge', 'generators'], message, 'applicationset-generator'));
  }
  const [kind, inner] = matrix ? ['matrix', matrix.generators] : ['merge', merge?.generators];
  const within = (inner ?? []).flatMap((one, i) =>
    validateGenerator(one, [...path, kind as string, 'generators', i]),
  );
  return [...findings, ...within];
}

/** Validates that the name has a part that distinguishes the Applications: those of one name are one Application. */
function validateName({ generators, template }: ApplicationSetSpec): Finding[] {
  const { name = '' } = template.metadata;
  const path = ['spec', 'template', 'metadata', 'name'];
  if (parseActions(name).length === 0) {
    const message = `must hold a placeholder, so that each Application has a name of its own, got ${show(name)}`;
    return [errorAt(path, message, 'applicationset-name')];
  }
  const fields = parseFields(name);
  if (!fields) return [];
  return generators.flatMap(({ matrix }) =>
    (matrix?.generators ?? []).flatMap((one) => {
      const { names, isOpen } = resolveParameters(one);
      if (isOpen || fields.some(([first]) => names.has(first))) return [];
      const message = `must tell apart what the generator ${show(Object.keys(one)[0])} gives (${formatList([...names.keys()].map((each) => `.${each}`))}), got ${show(name)}: two Applications would have one name`;
      return [errorAt(path, message, 'applicationset-name')];
    }),
  );
}

/**
 * Validates that the project is a literal: otherwise the authors of what generators read could choose what Applications
 * may do.
 */
function validateTemplateProject({ template }: ApplicationSetSpec): Finding[] {
  const { project } = template.spec;
  if (parseActions(project).length === 0) return [];
  const message = `must be written out, got ${show(project)}: otherwise anyone who can write what the generators read chooses what Applications may do`;
  return [errorAt(['spec', 'template', 'spec', 'project'], message, 'applicationset-project')];
}

function validatePlaceholders({
  generators,
  template,
  templatePatch,
}: ApplicationSetSpec): Finding[] {
  const parameters = generators.map(resolveParameters);
  const texts = [
    ...walkTexts(template, ['spec', 'template']),
    ...walkTexts(templatePatch, ['spec', 'templatePatch']),
  ];
  return texts.flatMap(({ path, text }) => {
    const older = findLegacyPlaceholder(text);
    if (older !== undefined) {
      const message = `must be a Go template such as '{{.${older}}}', got '{{${older}}}'`;
      return [errorAt(path, message, 'applicationset-placeholder')];
    }
    const missing = (parseFields(text) ?? []).filter(
      (field) => !parameters.every((one) => hasField(one, field)),
    );
    return [...new Set(missing.map(formatField))].map((field) => {
      const known = [...new Set(parameters.flatMap(({ names }) => [...names.keys()]))];
      const message = `must be what every generator gives (${formatList(known.map((one) => `.${one}`))}), got ${show(`{{${field}}}`)}`;
      return errorAt(path, message, 'applicationset-placeholder');
    });
  });
}

function formatField(field: FieldPath): string {
  return `.${field.slice(0, 2).join('.')}`;
}

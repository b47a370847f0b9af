import { desired } from '../model/desired.ts';
import { resolvePlatform } from '../model/platform.ts';
import type { KubeObject } from '@tenantry/kube/object';
import { emitYaml } from '@tenantry/kube/yaml/write';
import { platform, productClass, specOf, type Member } from './fleet.ts';

/**
 * Placeholder values for each field of a member in the objects below. They are valid in their places
 * and occur nowhere else.
 */
const marks: Member = { name: 'zzzz', pods: 70707, cpu: '80808', memory: '90909' };
const MARK = /zzzz|70707|80808|90909/;
const MARKS = new RegExp(MARK, 'g');

/** A field of a member, in the language of a peer. */
export type Placeholder = (field: keyof Member) => string;

/** Returns the objects of a member, as Tenantry renders them. */
export function objectsOf(member: Member): KubeObject[] {
  const declaration = { name: member.name, spec: specOf(member) };
  const klass = { name: 'product', spec: productClass };
  const { tenant, namespaces, findings } = desired(declaration, klass, resolvePlatform(platform));
  const [finding] = findings;
  if (finding) throw new Error(`the fleet must be valid, got: ${finding.message}`);
  return [tenant, ...namespaces.flatMap(({ objects }) => objects)];
}

/** Returns the objects with placeholder values where members differ. */
export function template(): KubeObject[] {
  return objectsOf(marks);
}

/** Returns the template as YAML with placeholders, for text templates. */
export function yamlTemplate(placeholder: Placeholder): string {
  return emitYaml(template()).replaceAll(MARKS, (mark) => placeholder(fieldOf(mark)));
}

/**
 * Returns the template as an expression that is valid in JavaScript, Jsonnet, CUE and KCL: JSON, with
 * `t.name` and so on where members differ.
 * @param interpolated a field inside of a string. @default - strings are concatenated with `+`
 */
export function expression(interpolated?: Placeholder): string {
  const strings = /"(?:\\.|[^"\\])*"/g;
  return JSON.stringify(template(), undefined, 2)
    .replaceAll(strings, (text) => {
      if (!MARK.test(text)) return text;
      const alone = text.slice(1, -1);
      // A number within quotes is a string, and must be converted.
      if (isMark(alone) && typeof marks[fieldOf(alone)] === 'string') return `t.${fieldOf(alone)}`;
      if (interpolated) return text.replaceAll(MARKS, (mark) => interpolated(fieldOf(mark)));
      const sum = text.replaceAll(MARKS, (mark) => `" + t.${fieldOf(mark)} + "`);
      return `(${sum.replace(/ \+ ""$/, '')})`;
    })
    .replaceAll(MARKS, (mark) => `t.${fieldOf(mark)}`);
}

/** Returns the paths in an object where members differ, with the text there. */
export function markedPaths(value: unknown, path = ''): string[] {
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([key, inner]) =>
      markedPaths(inner, `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`),
    );
  }
  return MARK.test(String(value)) ? [path] : [];
}

function isMark(text: string): boolean {
  return Object.values(marks).some((value) => String(value) === text);
}

function fieldOf(mark: string): keyof Member {
  const fields = Object.keys(marks) as (keyof Member)[];
  return fields.find((field) => String(marks[field]) === mark)!;
}

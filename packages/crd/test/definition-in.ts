import { readFileSync } from 'node:fs';
import { definitionOf, type Definition } from '../definition.ts';
import { readDefinitions } from '../manifests.ts';

/** The first CustomResourceDefinition of a file. */
export function definitionIn(file: string): Definition {
  const [found] = readDefinitions(file, readFileSync(file, 'utf8')).definitions;
  return definitionOf(found!.manifest);
}

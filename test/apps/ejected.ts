import type { KubeObject } from '@tenantry/kube/object';
import { readDocuments } from '@tenantry/kube/yaml/read';
import { ejectOutput, type Ejection } from '../../apps/eject/ejection.ts';
import type { Texts } from '../synth/output/folders.ts';

/** Ejects files, which must have no problem. */
export function eject(files: Texts, withoutPolicies = false): Ejection {
  const ejection = ejectOutput(Object.entries(files), { withoutPolicies });
  if ('problems' in ejection) throw new Error(ejection.problems[0]!.message);
  return ejection;
}

export const ejectedFiles = ({ files }: Ejection) =>
  files.map(({ path, text }) => [path, text] as const);

export const objectsOf = (text: string): KubeObject[] =>
  readDocuments(text).documents.map(({ value }) => value as KubeObject);

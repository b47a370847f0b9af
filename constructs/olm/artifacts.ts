import type { Construct } from 'constructs';
import { errorAt, type Finding } from '../../kube/finding.ts';
import {
  ARTIFACTS,
  WRITES_ARTIFACTS,
  type Artifact,
  type ConstructArtifacts,
} from '../../kube/output.ts';

/** Adds files to the output of the app that contains a construct. */
export function addArtifacts(construct: Construct, artifacts: () => readonly Artifact[]): void {
  const given: ConstructArtifacts = { artifacts };
  construct.node.addMetadata(ARTIFACTS, given);
}

/**
 * Requires the App of Tenantry: the one of cdk8s only writes manifests, and would silently leave
 * out the other files.
 */
export function validateArtifactApp(construct: Construct): readonly Finding[] {
  if (WRITES_ARTIFACTS in construct.node.root) return [];
  const message = "must be in an App of 'tenantry', got another one, which writes manifests alone";
  return [errorAt([], message, 'artifacts')];
}

import type { Construct } from 'constructs';
import { errorAt, type Finding } from '../../kube/finding.ts';
import {
  ARTIFACTS,
  WRITES_ARTIFACTS,
  type Artifact,
  type ConstructArtifacts,
} from '../../kube/output.ts';

/** Has files written with the output of the app that a construct is in. */
export function addArtifacts(construct: Construct, artifacts: () => readonly Artifact[]): void {
  const given: ConstructArtifacts = { artifacts };
  construct.node.addMetadata(ARTIFACTS, given);
}

/** Stock cdk8s writes manifests alone, and would say nothing of the rest. */
export function validateArtifactApp(construct: Construct): readonly Finding[] {
  if (WRITES_ARTIFACTS in construct.node.root) return [];
  const message = "must be in an App of 'tenantry', got another one, which writes manifests alone";
  return [errorAt([], message, 'artifacts')];
}

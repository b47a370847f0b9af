/** What `import ... from '@tenantry/operator-kit'` gives: the objects of an operator, as data. It loads no cdk8s. */
export type { OperatorContainer } from './parts/container.ts';
export type {
  OperatorDeployment,
  OperatorDeploymentSpec,
  OperatorPod,
} from './parts/deployment.ts';
export type {
  Destination,
  NetworkClient,
  OperatorNetwork,
  OperatorKind,
  LeaderElectionKind,
  OperatorMetrics,
  OperatorProbes,
  OperatorSpec,
  WatchScope,
  AdmissionRule,
  IssuerName,
  OperatorAdmission,
  OperatorConversion,
  OperatorMutation,
  OperatorWebhooks,
} from './parts/spec.ts';
export {
  buildObjects,
  operatorParts,
  type AccountParts,
  type OperatorParts,
  type WorkloadParts,
} from './parts/parts.ts';
export type {
  EnvironmentSource,
  EnvironmentValue,
  KeyOfObject,
  AudienceToken,
  ComputeResource,
  ContainerResource,
  MountedFiles,
  OperatorPort,
  OperatorResources,
  OperatorSidecar,
  SidecarProbes,
} from './parts/pod-spec.ts';
export type { OperatorRights } from './parts/rights.ts';
export type { OperatorService, OperatorServiceSpec } from './parts/workload-objects.ts';

// Written by `npm run gen` from the schemas of the ClusterServiceVersion.
import type * as types from './types.ts';

/** The types of ./types.ts by their names. */
export interface TypesByName {
  readonly ClusterServiceVersionSpec: types.ClusterServiceVersionSpec;
  readonly Maintainer: types.Maintainer;
  readonly NamedLink: types.NamedLink;
  readonly Icon: types.Icon;
  readonly InstallMode: types.InstallMode;
  readonly InstallModeType: types.InstallModeType;
  readonly InstallStrategy: types.InstallStrategy;
  readonly DeploymentStrategySpec: types.DeploymentStrategySpec;
  readonly StrategyDeployment: types.StrategyDeployment;
  readonly StrategyDeploymentSpec: types.StrategyDeploymentSpec;
  readonly StrategyPermissions: types.StrategyPermissions;
  readonly StrategyRule: types.StrategyRule;
  readonly CustomResources: types.CustomResources;
  readonly CustomResourceDescription: types.CustomResourceDescription;
  readonly ResourceReference: types.ResourceReference;
  readonly Descriptor: types.Descriptor;
  readonly ApiServices: types.ApiServices;
  readonly ApiServiceDescription: types.ApiServiceDescription;
  readonly WebhookDefinition: types.WebhookDefinition;
  readonly WebhookType: types.WebhookType;
  readonly WebhookRule: types.WebhookRule;
  readonly GroupVersionKind: types.GroupVersionKind;
  readonly Cleanup: types.Cleanup;
  readonly RelatedImage: types.RelatedImage;
}

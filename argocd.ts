/** What `import ... from 'tenantry/argocd'` gives: Argo CD's objects as code. */
export { AppProject, type AppProjectProps } from './constructs/argocd/app-project.ts';
export {
  Application,
  AppOfApps,
  type ApplicationProps,
  type AppOfAppsProps,
} from './constructs/argocd/application.ts';
export {
  ApplicationSet,
  type ApplicationSetProps,
  type TemplatedApplications,
} from './constructs/argocd/application-set.ts';
export type { ApplicationDeletion, ArgoCdMetadata } from './model/argocd/object.ts';
export type { ProjectOpening } from './model/argocd/rules/project.ts';
export { appProject, application, applicationSet } from './model/argocd/api/definitions.ts';
export type * from './model/argocd/api/types.ts';

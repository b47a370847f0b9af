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
export type { ApplicationDeletion, ArgoCdMetadata } from './constructs/argocd/object.ts';
export type { ProjectOpening } from './constructs/argocd/rules/project.ts';
export { appProject, application, applicationSet } from './constructs/argocd/api/definitions.ts';
export type * from './constructs/argocd/api/types.ts';

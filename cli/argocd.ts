import { Command } from 'commander';
import { argocdInclusionsCommand } from './argocd-inclusions.ts';
import { argocdRbacCommand } from './argocd-rbac.ts';
import { withHelp } from './help.ts';

/** `tenantry argocd`: what an Argo CD needs that applies what is rendered. */
export function argocdCommand(): Command {
  const argocd = new Command('argocd')
    .description('What an Argo CD needs that is not cluster-admin: its rights, and what it reads.')
    .showHelpAfterError('(see tenantry argocd --help)')
    .exitOverride()
    .addCommand(argocdRbacCommand())
    .addCommand(argocdInclusionsCommand());
  return withHelp(argocd);
}

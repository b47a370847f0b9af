import { Command } from 'commander';
import { argocdInclusionsCommand } from './argocd-inclusions.ts';
import { argocdRbacCommand } from './argocd-rbac.ts';
import { withHelp } from './help.ts';

/** `tenantry argocd`: prints settings of the Argo CD that applies the output. */
export function argocdCommand(): Command {
  const argocd = new Command('argocd')
    .description('Print the rights and kinds that an Argo CD without cluster-admin needs.')
    .showHelpAfterError('(see tenantry argocd --help)')
    .exitOverride()
    .addCommand(argocdRbacCommand())
    .addCommand(argocdInclusionsCommand());
  return withHelp(argocd);
}

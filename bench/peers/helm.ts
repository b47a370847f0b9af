import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { yamlTemplate } from '../template.ts';
import type { Workspace } from '../workspace.ts';
import { IN_MEMORY, type Peer, type Prepared } from './peer.ts';

/**
 * Returns a chart with one template. Its values are in a separate file, because a chart's own are
 * limited to 5 MiB.
 */
function prepared(workspace: Workspace, template: string, values: string): Prepared {
  const cwd = workspace.fresh('helm');
  mkdirSync(join(cwd, 'templates'));
  writeFileSync(join(cwd, 'Chart.yaml'), 'apiVersion: v2\nname: fleet\nversion: 1.0.0\n');
  writeFileSync(join(cwd, 'templates', 'tenants.yaml'), template);
  const file = workspace.path('values.yaml');
  writeFileSync(file, values);
  return {
    command: () => ({ file: 'helm', args: ['template', 'fleet', '.', '--values', file], cwd }),
    output: ({ stdout }) => ({ format: 'yaml', files: [stdout] }),
  };
}

/** One chart, whose only template is a range over the tenants in its values. */
export const helm: Peer = {
  name: 'helm',
  title: 'helm template',
  needs: {
    program: 'helm',
    versionArgs: ['version', '--short'],
    // A helm that Go installed does not know its patch version.
    version: 'v4.3',
    install: 'go install helm.sh/helm/v4/cmd/helm@v4.3.1',
  },
  limit: IN_MEMORY,
  prepare(workspace, fleet) {
    const body = yamlTemplate((field) => `{{ .${field} }}`);
    const values = fleet.map(
      ({ name, pods, cpu, memory }) =>
        `  - { name: ${name}, pods: ${pods}, cpu: '${cpu}', memory: '${memory}' }\n`,
    );
    return prepared(
      workspace,
      `{{- range .Values.tenants }}\n---\n${body}{{- end }}\n`,
      `tenants:\n${values.join('')}`,
    );
  },
  prepareData(workspace, fleet) {
    const template =
      '{{- range .Values.tenants }}{{- range .objects }}\n---\n{{ toYaml . }}\n{{- end }}{{- end }}\n';
    return prepared(workspace, template, JSON.stringify({ tenants: fleet }));
  },
};

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { countYaml, readYaml } from '../outputs.ts';
import { yamlTemplate } from '../template.ts';
import type { Peer } from './peer.ts';

/** One chart, whose only template is a range over the tenants in its values. */
export const helm: Peer = {
  name: 'helm',
  title: 'helm template',
  needs: { program: 'helm', install: 'go install helm.sh/helm/v4/cmd/helm@v4.3.1' },
  prepare(workspace, fleet) {
    const cwd = workspace.fresh('helm');
    mkdirSync(join(cwd, 'templates'));
    const body = yamlTemplate((field) => `{{ .${field} }}`);
    const chart = 'apiVersion: v2\nname: fleet\nversion: 1.0.0\n';
    writeFileSync(join(cwd, 'Chart.yaml'), chart);
    writeFileSync(
      join(cwd, 'templates', 'tenants.yaml'),
      `{{- range .Values.tenants }}\n---\n${body}{{- end }}\n`,
    );
    const values = fleet.map(
      ({ name, pods, cpu, memory }) =>
        `  - { name: ${name}, pods: ${pods}, cpu: '${cpu}', memory: '${memory}' }\n`,
    );
    writeFileSync(join(cwd, 'values.yaml'), `tenants:\n${values.join('')}`);
    return {
      command: () => ({ file: 'helm', args: ['template', 'fleet', '.'], cwd }),
      count: ({ stdout }) => countYaml([stdout]),
      objects: ({ stdout }) => readYaml([stdout]),
    };
  },
};

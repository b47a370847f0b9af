/**
 * Returns CEL for the pod template of an object of Kubernetes' kinds: a Pod is one itself.
 * @param object CEL for the object, whose type is dynamic
 */
export function celPodTemplate(object: string): string {
  return `${object}.kind == 'PodTemplate' ? ${object}.?template.orValue({}) :
  ${object}.kind == 'Pod' ? {'spec': ${object}.spec} :
  ${object}.kind == 'CronJob' ? ${object}.spec.jobTemplate.?spec.?template.orValue({}) :
  ${object}.?spec.?template.orValue({})`;
}

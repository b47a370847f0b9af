import { serve } from '../synth/workers/pool.ts';
import { beginTask, type TenantTask } from './tenant-task.ts';

// A worker of TenantFiles: renders files ahead of the program.
serve((task) => beginTask(task as TenantTask));

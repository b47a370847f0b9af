import { parentPort, workerData } from 'node:worker_threads';
import { BatchStates, TreeWriter, type Batch, type WriterData } from './batches.ts';

// The writer thread of a staging area, which writes every batch that the other thread did not take
// back. It reports no error: the other thread writes the batch again and gets the error itself.
const { tree, states } = workerData as WriterData;
const batches = new BatchStates(states);
const writer = new TreeWriter(tree);

parentPort?.on('message', (batch: Batch) => {
  if (!batches.claim(batch.id)) return;
  let written = false;
  try {
    writer.writeBatch(batch);
    written = true;
  } finally {
    batches.settle(batch.id, written);
  }
});

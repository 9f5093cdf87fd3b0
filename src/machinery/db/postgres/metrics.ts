import type { Meter } from '../engine.ts'

/** Registers the metrics of the engine. @param queued returns how many writes wait. @returns a function that observes a group */
export function declareMetrics(meter: Meter, queued: () => number): (writes: number) => void {
  meter.gauge('database_write_queue', 'Writes that wait for their transaction.', queued)
  return meter.histogram(
    'database_group_writes',
    'Writes that were committed together.',
    [1, 2, 4, 8, 16, 32, 64, 128, 256],
  )
}

import { SECOND } from '#base/time.ts'
import type { Meter } from '../engine.ts'

/** Receives what the engine does, as it does it. The methods must be quick and must not throw. */
export interface SqliteObserver {
  /** The engine has committed so many writes together. */
  onGroup(writes: number): void
  /** A sync of the log has ended after so many milliseconds. */
  onSync(duration: number): void
  /** A checkpoint has ended after so many milliseconds. An incomplete one is tried again. */
  onCheckpoint(complete: boolean, duration: number): void
}

/** The load of the engine. It is cheap enough to be read at any time. */
export interface SqliteLoad {
  /** The number of writes that wait for their transaction. */
  queuedWrites: number
  /** The size of the write-ahead log, in bytes. */
  logBytes: number
}

export function declareObserver(meter: Meter): SqliteObserver {
  const groups = meter.histogram(
    'database_group_writes',
    'Writes that were committed together.',
    [1, 2, 4, 8, 16, 32, 64, 128, 256],
  )
  const syncs = meter.histogram(
    'database_sync_duration_seconds',
    'How long the disk took to make commits durable.',
    [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
  )
  const checkpoints = meter.counter(
    'database_checkpoints_total',
    'Checkpoints of the write-ahead log; one that is incomplete, as another process reads, is tried again.',
    'outcome',
  )
  const checkpointDurations = meter.histogram(
    'database_checkpoint_duration_seconds',
    'How long checkpoints took.',
    [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  )
  return {
    onGroup: groups,
    onSync: duration => syncs(duration / SECOND),
    onCheckpoint: (complete, duration) => {
      checkpoints(complete ? 'complete' : 'incomplete')
      checkpointDurations(duration / SECOND)
    },
  }
}

export function declareLoad(meter: Meter, load: () => SqliteLoad): void {
  meter.gauge('database_write_queue', 'Writes that wait for their transaction.', () => load().queuedWrites)
  meter.gauge('database_wal_bytes', 'The size of the write-ahead log.', () => load().logBytes)
}

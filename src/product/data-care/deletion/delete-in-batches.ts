import type { WriteTx } from '#machinery/db/port.ts'
import { record } from '#product/administration/access-log/rules.ts'
import type { JobKind } from '#product/administration/jobs/rules.ts'
import * as jobs from '#product/administration/jobs/rules.ts'
import { deleteSomeRows, NOTHING_YET, type Progress } from './delete-rows.ts'

export const DELETE_EVENT = 'event.delete'

interface Input {
  /** The id of the event. The job itself is of none, so that it outlives the event. */
  event: string
  title: string
}

/** Starts the job that deletes an event which is marked already. @param by the `who` of the actor */
export async function startDeletion(
  tx: WriteTx,
  { id, title }: { id: string; title: string },
  by: string,
): Promise<void> {
  const input: Input = { event: id, title }
  await jobs.start(tx, { kind: DELETE_EVENT, eventId: null, input, total: null, by })
}

/**
 * Deletes an event in batches. It needs no permission any more, and nobody can stop it, since half an event is of no use to
 * anybody. A job that is killed goes on after its lease, and the cleaning finishes what no job does any more.
 */
export const deleteInBatches: JobKind = {
  name: DELETE_EVENT,
  async run(tx, job, { who }) {
    const { event, title } = job.input as unknown as Input
    const before: Progress = {
      ...NOTHING_YET,
      passed: Number(job.position ?? 0),
      gone: (job.outcome ?? {}) as Progress['gone'],
    }
    const { passed, gone, isFinished } = await deleteSomeRows(
      tx,
      event,
      before,
      performance.now() + tx.batchTime,
    )
    // The entry of whoever deleted it says what there was about. This one says what went in all.
    if (isFinished) {
      const of = { requestId: null, address: null, targetType: 'event', targetId: event } as const
      await record(tx, { ...of, who, action: 'event.deleted', details: { title, ...gone } })
    }
    const done = Object.values(gone).reduce((sum, count) => sum + count, 0)
    return { position: String(passed), done, finished: isFinished, outcome: gone }
  },
}

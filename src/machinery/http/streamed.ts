import type { ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import { Problem } from '#base/problem.ts'
import type { Reader } from '#machinery/db/batches.ts'
import type { Context } from './face.ts'
import { streamOf } from './sending.ts'

/** The bytes of memory that a report counts for while it is made and sent: rows that were read, and pieces of its text. */
export const REPORT = 2 * 1024 * 1024

/** An answer in pieces, with the name under which it is saved. */
export interface Streamed {
  type: string
  fileName?: string
  chunks: AsyncIterable<string | Buffer>
}

/** Answers with what is read while it is sent. A failure in the middle breaks the connection. */
export function answerStreamed(
  context: Context,
  { type, fileName, chunks }: Streamed,
  log: Pick<Logger, 'error'>,
): void {
  context.status = 200
  context.type = type
  if (fileName !== undefined) context.attachment(fileName)
  context.body = streamOf(context.res, chunks, error => {
    if (context.res.destroyed) return
    log.error({ err: error, request_id: context.state.requestId }, 'a report broke off')
  })
}

/** Returns a reader that reads nothing for a client that has gone, even if it went while it waited its turn. */
export function readerFor(db: Reader, response: ServerResponse): Reader {
  const refuseGone = () => {
    if (response.destroyed) throw new Problem('unavailable')
  }
  return {
    read: async (owner, work) => {
      refuseGone()
      return db.read(owner, async tx => {
        refuseGone()
        return work(tx)
      })
    },
  }
}

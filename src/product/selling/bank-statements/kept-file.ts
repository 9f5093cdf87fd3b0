import type { Database } from '../db/port.ts'
import { Problem } from '../problem.ts'
import type { Source } from '../tables/encoding.ts'
import * as store from './store.ts'

/** Bytes of a part: in base64 it is a third longer, and the writes of everybody else wait for it. */
const PART = 96 * 1024

/** Keeps a file, so that its lines can be read once somebody has said which column is what. */
export async function keepFile(
  db: Pick<Database, 'write'>,
  accountId: string,
  jobId: string,
  { size, read }: Source,
): Promise<void> {
  for (let part = 0; part * PART < size; part++) {
    const bytes = await read(part * PART, Math.min((part + 1) * PART, size))
    const content = Buffer.from(bytes).toString('base64')
    await db.write(accountId, async tx =>
      store.insertPart(tx, accountId, { jobId, part, content }, await tx.now()),
    )
  }
}

/** A file that was kept. Reading it throws a Problem not_found once it is gone. */
export function openKept(db: Pick<Database, 'read'>, accountId: string, jobId: string, size: number): Source {
  let held: { part: number; bytes: Buffer } | undefined
  const partOf = async (part: number) => {
    if (held?.part === part) return held.bytes
    const content = await db.read(tx => store.findPart(tx, accountId, jobId, part))
    if (content === undefined) throw new Problem('not_found')
    held = { part, bytes: Buffer.from(content, 'base64') }
    return held.bytes
  }
  return {
    size,
    read: async (start, end) => {
      const pieces: Buffer[] = []
      for (let at = start; at < Math.min(end, size); ) {
        const part = Math.floor(at / PART)
        const until = Math.min(end, size, (part + 1) * PART)
        pieces.push((await partOf(part)).subarray(at - part * PART, until - part * PART))
        at = until
      }
      return pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces)
    },
  }
}

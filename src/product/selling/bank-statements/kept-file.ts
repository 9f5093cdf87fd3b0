import { Problem } from '#base/problem.ts'
import type { Database } from '#machinery/db/port.ts'
import type { Source } from '#machinery/tables/encoding.ts'
import * as store from './store.ts'

/** The bytes of a part. In base64 a part is a third longer, and all other writes wait for it. */
const PART = 96 * 1024

/** Stores a file, so that its lines can be read once somebody has chosen its columns. */
export async function keepFile(
  db: Pick<Database, 'write'>,
  accountId: string,
  jobId: string,
  { size, read }: Source,
): Promise<void> {
  for (let part = 0; part * PART < size; part++) {
    const bytes = await read(part * PART, Math.min((part + 1) * PART, size))
    const content = Buffer.from(bytes).toString('base64')
    await db.write(accountId, async tx => store.insertPart(tx, { jobId, part, content }, await tx.now()))
  }
}

/** Opens a stored file. Reading it throws a Problem not_found once it is gone. */
export function openKept(db: Pick<Database, 'read'>, accountId: string, jobId: string, size: number): Source {
  let cached: { part: number; bytes: Buffer } | undefined
  const partOf = async (part: number) => {
    if (cached?.part === part) return cached.bytes
    const content = await db.read(accountId, tx => store.findPart(tx, jobId, part))
    if (content === undefined) throw new Problem('not_found')
    cached = { part, bytes: Buffer.from(content, 'base64') }
    return cached.bytes
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

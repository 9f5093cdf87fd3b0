import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { type Database, INSTANCE, type WriteTx } from '#machinery/db/port.ts'
import type { Incoming } from '#product/programme/files/receive.ts'
import { PIECE } from '#product/programme/files/schemas.ts'

export const MIB = 1024 * 1024

/** Makes what passes for a PDF of so many bytes, of which no two are alike. */
export function pdfOf(size: number): Buffer {
  const bytes = randomBytes(size)
  bytes.write('%PDF-1.7\n')
  bytes.write('\n%%EOF\n', size - 7)
  return bytes
}

/** Makes one that is the same each time, with each byte that there is. */
export function plainPdf(size: number): Buffer {
  const bytes = Buffer.alloc(
    size,
    Uint8Array.from({ length: 256 }, (_, at) => at),
  )
  bytes.write('%PDF-1.7\n')
  bytes.write('\n%%EOF\n', size - 7)
  return bytes
}

/** Returns bytes in parts of a size, each in a turn of its own. */
export async function* inParts(bytes: Uint8Array, size = 64 * 1024): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) {
    yield bytes.subarray(at, at + size)
    await new Promise(resolve => setImmediate(resolve))
  }
}

export const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

export const LIMITS: Incoming['limits'] = { file: 5 * MIB, server: 10 * 1024 * MIB, isConfirmed: true }

/** Inserts a whole file with its pieces, in the transaction of a test. @returns its id */
export async function insertFile(
  tx: WriteTx,
  eventId: string,
  { bytes = pdfOf(100), submissionId = randomUUID() as string, replacedAt = null as number | null } = {},
): Promise<string> {
  const id = randomUUID()
  const now = await tx.now()
  await tx.run(
    `INSERT INTO abstract_files (id, account_id, event_id, submission_id, sha256, size, name, replaced_at, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, 'a.pdf', $7, $8, $8)`,
    [id, tx.accountId, eventId, submissionId, sha256Of(bytes), bytes.length, replacedAt, now],
  )
  for (let number = 0; number * PIECE < bytes.length; number++) {
    await tx.run(
      `INSERT INTO file_chunks (account_id, file_id, number, content, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $5)`,
      [tx.accountId, id, number, bytes.subarray(number * PIECE, (number + 1) * PIECE), now],
    )
  }
  return id
}

export interface FileRow {
  id: string
  submission_id: string | null
  size: number
  replaced_at: number | null
}

/** Lists all files of the server, in the order in which they came, and the numbers of all pieces. */
export function readFiles(db: Pick<Database, 'read'>): Promise<{ files: FileRow[]; pieces: number[] }> {
  return db.read(INSTANCE, async tx => {
    const files = await tx.all<FileRow>(
      'SELECT id, submission_id, size, replaced_at FROM abstract_files ORDER BY created_at, id',
    )
    const chunks = await tx.all<{ number: number }>('SELECT number FROM file_chunks ORDER BY file_id, number')
    return { files: files.map(row => ({ ...row })), pieces: chunks.map(({ number }) => number) }
  })
}

import { createHash } from 'node:crypto'
import { Problem } from '#base/problem.ts'
import type { Reader } from '#machinery/db/batches.ts'
import { read } from '#product/programme/files/rules.ts'
import { type FileRow, isWhole, walkFiles } from './file-store.ts'

/** Finds files whose bytes are others than those that came. They are read a piece at a time. */
export async function* findBadFiles(reader: Reader): AsyncGenerator<string> {
  for await (const files of walkFiles(reader)) {
    for (const file of files) {
      if ((await hashOf(reader, file)) === file.sha256) continue
      if (await isWhole(reader, file)) yield `file ${file.id} has other bytes than its SHA-256 is of`
    }
  }
}

/** Returns the SHA-256 of a file, or undefined if it lacks bytes. */
async function hashOf(reader: Reader, file: FileRow): Promise<string | undefined> {
  const hash = createHash('sha256')
  try {
    for await (const piece of read(reader, file.account_id, file)) hash.update(piece)
    return hash.digest('hex')
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}

import { appendFileSync, closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { Refusal } from '#base/refusal.ts'

/** The bytes that are read at a time. */
const CHUNK = 1024 * 1024

/**
 * Copies a file, at the length that it has at the beginning, into an existing empty one. Node's `copyFile` would try forever to
 * read what the file has lost meanwhile.
 *
 * @throws Refusal if the file gets shorter
 * @throws Error of the system
 */
export function copyInto(from: string, to: string): void {
  const source = openSync(from, 'r')
  try {
    const { size } = fstatSync(source)
    const chunk = Buffer.alloc(CHUNK)
    for (let copied = 0; copied < size; ) {
      const read = readSync(source, chunk, 0, Math.min(CHUNK, size - copied), copied)
      if (read === 0) {
        throw new Refusal(`${from} got shorter while it was copied. Name a file that nobody writes to.`)
      }
      append(to, chunk.subarray(0, read))
      copied += read
    }
  } finally {
    closeSync(source)
  }
}

/** Appends bytes. If the disk is full, the system does not say which file was written, so the error gets the path. */
function append(path: string, bytes: Uint8Array): void {
  try {
    appendFileSync(path, bytes)
  } catch (error) {
    throw Object.assign(error as NodeJS.ErrnoException, { path })
  }
}

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'

/** Describes what a process did to the files of its data folder, in order: see recorder.c. A file is named by its inode. */
export type Operation =
  | { kind: 'create'; file: bigint; name: string }
  | { kind: 'write'; file: bigint; offset: number; data: Buffer }
  | { kind: 'truncate'; file: bigint; size: number }
  | { kind: 'sync begins'; file: bigint; thread: number }
  | { kind: 'sync ends'; file: bigint; thread: number }
  | { kind: 'unlink'; name: string }
  | { kind: 'send'; data: Buffer }

/** The operations of the recorder, by their numbers. */
const CREATE = 1
const WRITE = 2
const TRUNCATE = 3
const SYNC_BEGINS = 4
const SYNC_ENDS = 5
const UNLINK = 6
const SEND = 7
const HEADER = 32

export function readRecording(path: string): Operation[] {
  const bytes = readFileSync(path)
  const operations: Operation[] = []
  for (let at = 0; at + HEADER <= bytes.length; ) {
    const thread = bytes.readUInt32LE(at + 4)
    const file = bytes.readBigUInt64LE(at + 8)
    const offset = Number(bytes.readBigUInt64LE(at + 16))
    const end = at + HEADER + bytes.readUInt32LE(at + 24)
    const data = bytes.subarray(at + HEADER, end)
    switch (bytes.readUInt32LE(at)) {
      case CREATE:
        operations.push({ kind: 'create', file, name: basename(data.toString()) })
        break
      case WRITE:
        operations.push({ kind: 'write', file, offset, data })
        break
      case TRUNCATE:
        operations.push({ kind: 'truncate', file, size: offset })
        break
      case SYNC_BEGINS:
        operations.push({ kind: 'sync begins', file, thread })
        break
      case SYNC_ENDS:
        operations.push({ kind: 'sync ends', file, thread })
        break
      case UNLINK:
        operations.push({ kind: 'unlink', name: basename(data.toString()) })
        break
      case SEND:
        operations.push({ kind: 'send', data })
        break
      default:
        throw new Error(`The recording has no operation at byte ${at}.`)
    }
    at = end
  }
  return operations
}

/** The state of the folder before the run, which counts as durable. */
export interface FolderState {
  folder: bigint
  files: { name: string; file: bigint; content: Buffer }[]
}

export function readFolderState(folder: string): FolderState {
  const inode = (path: string) => statSync(path, { bigint: true }).ino
  const files = readdirSync(folder).map(name => {
    const path = join(folder, name)
    return { name, file: inode(path), content: readFileSync(path) }
  })
  return { folder: inode(folder), files }
}

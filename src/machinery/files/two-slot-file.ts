import { createHash } from 'node:crypto'
import { closeSync, constants, fstatSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs'

/** The bytes of a slot, as large as the blocks of most disks. A cut during the write of one slot tears only that one. */
const SLOT = 4096
const SLOTS = [0, 1] as const
export type Slot = (typeof SLOTS)[number]

/** The content of a file that exists. */
export interface TwoSlotFile {
  /** The text of each slot. It is undefined for one that was never written, or that is torn. */
  slots: readonly (string | undefined)[]
  /** The beginning of the file, whatever it is, because another program may have written it. */
  beginning: string
  /** The values that tell the file from a copy of it. */
  identity: FilePlace
}

export interface FilePlace {
  inode: string
  /** When the file was last changed or moved. No copy keeps that. Nanoseconds. */
  changed: string
}

/**
 * Reads a file of two short texts which are overwritten in place, so that it stays the same file. Each has a checksum, and
 * writing one leaves the other. So neither a power cut nor a full disk leaves the file without any text.
 *
 * @returns undefined if there is no file
 * @throws Error of the system
 */
export function readTwoSlots(path: string): TwoSlotFile | undefined {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  try {
    const content = Buffer.alloc(SLOT * SLOTS.length)
    let filled = 0
    for (let read = -1; read !== 0 && filled < content.length; filled += read) {
      read = readSync(file, content, filled, content.length - filled, filled)
    }
    const slots = SLOTS.map(slot => parse(content.toString('latin1', slot * SLOT, (slot + 1) * SLOT)))
    const beginning = content.toString('latin1', 0, Math.min(filled, SLOT))
    return { slots, beginning, identity: placeOf(file) }
  } finally {
    closeSync(file)
  }
}

/**
 * Overwrites one of the two texts, durably. Makes the file if there is none.
 *
 * @param text short, without white space
 * @returns the values that tell the file from a copy of it from then on
 * @throws Error of the system, and then the other text is as it was
 */
export function writeSlot(path: string, slot: Slot, text: string): FilePlace {
  // The file is neither truncated nor opened to append, because then the system would choose the position.
  const file = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600)
  try {
    const bytes = Buffer.from(`${text} ${checksumOf(text)} \n`.padEnd(SLOT), 'latin1')
    for (let written = 0; written < bytes.length; ) {
      written += writeSync(file, bytes, written, bytes.length - written, slot * SLOT + written)
    }
    fsyncSync(file)
    return placeOf(file)
  } finally {
    closeSync(file)
  }
}

function parse(slot: string): string | undefined {
  const [, text = '', checksum] = /^(\S{1,255}) ([0-9a-f]{16}) \n/.exec(slot) ?? []
  return checksum === checksumOf(text) ? text : undefined
}

function checksumOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}

function placeOf(file: number): FilePlace {
  const { ino, ctimeNs } = fstatSync(file, { bigint: true })
  return { inode: String(ino), changed: String(ctimeNs) }
}

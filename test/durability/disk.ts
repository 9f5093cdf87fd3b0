import type { FolderState, Operation } from './recording.ts'

/** A disk may write or lose blocks of this many bytes on their own. */
const BLOCK = 4096

type Change = Extract<Operation, { kind: 'write' | 'truncate' }>
type NameChange = Extract<Operation, { kind: 'unlink' }> | { kind: 'name'; name: string; content: Content }

/** The bytes of a file as far as they are durable, and what was done to it since. */
interface Content {
  durable: Bytes
  pending: Change[]
}

/**
 * How much of what was not synced a power cut leaves: nothing; all of it, as when only the process was killed; of each file
 * what was done up to some moment; or of that only some of the blocks, and some of the truncations.
 */
export const cuts = ['synced', 'everything', 'prefix', 'torn'] as const
export type Cut = (typeof cuts)[number]

/** A disk with a cache that may write in any order, and that keeps only what a sync has covered. */
export class Disk {
  readonly #folder: bigint
  /** The key is the inode, which a new file may get from one that was unlinked. */
  readonly #files = new Map<bigint, Content>()
  readonly #durableNames = new Map<string, Content>()
  #pendingNames: NameChange[] = []
  /** How much was pending when a sync began, by thread. */
  readonly #syncs = new Map<number, { content: Content | undefined; pending: number }>()

  constructor({ folder, files }: FolderState) {
    this.#folder = folder
    for (const { name, file, content } of files) {
      const durable = new Bytes(content)
      this.#files.set(file, { durable, pending: [] })
      this.#durableNames.set(name, this.#contentOf(file))
    }
  }

  do(operation: Operation): void {
    switch (operation.kind) {
      case 'create': {
        const content: Content = { durable: new Bytes(Buffer.alloc(0)), pending: [] }
        this.#files.set(operation.file, content)
        this.#pendingNames.push({ kind: 'name', name: operation.name, content })
        break
      }
      case 'unlink':
        this.#pendingNames.push(operation)
        break
      case 'write':
      case 'truncate':
        this.#contentOf(operation.file).pending.push(operation)
        break
      case 'sync begins': {
        const content = operation.file === this.#folder ? undefined : this.#contentOf(operation.file)
        const { length } = content?.pending ?? this.#pendingNames
        this.#syncs.set(operation.thread, { content, pending: length })
        break
      }
      case 'sync ends':
        this.#endSync(operation.thread)
        break
      case 'send':
        break
    }
  }

  /** Returns the files that a power cut at this moment leaves. */
  afterPowerCut(cut: Cut, random: () => number): Map<string, Buffer> {
    const names = new Map(this.#durableNames)
    for (const change of this.#survivorsOf(this.#pendingNames, cut, random)) rename(names, change)
    const files = new Map<string, Buffer>()
    for (const [name, { durable, pending }] of names) {
      const bytes = new Bytes(durable.toBuffer())
      for (const change of this.#survivorsOf(pending, cut, random)) {
        for (const part of cut === 'torn' ? partsOf(change) : [change]) {
          if (cut !== 'torn' || random() < 0.5) bytes.apply(part)
        }
      }
      files.set(name, bytes.toBuffer())
    }
    return files
  }

  #survivorsOf<Any>(pending: Any[], cut: Cut, random: () => number): Any[] {
    if (cut === 'synced') return []
    if (cut === 'everything') return pending
    return pending.slice(0, Math.floor(random() * (pending.length + 1)))
  }

  #endSync(thread: number): void {
    const sync = this.#syncs.get(thread)
    if (sync === undefined) throw new Error('A sync ended that had not begun.')
    this.#syncs.delete(thread)
    const { content, pending } = sync
    const done = (content?.pending ?? this.#pendingNames).splice(0, pending)
    // Of two syncs at a time, the one that ended first has made the beginning of the other durable.
    for (const other of this.#syncs.values()) {
      if (other.content === content) other.pending = Math.max(0, other.pending - done.length)
    }
    if (content === undefined) {
      for (const change of done) rename(this.#durableNames, change as NameChange)
    } else {
      for (const change of done) content.durable.apply(change as Change)
    }
  }

  #contentOf(file: bigint): Content {
    const content = this.#files.get(file)
    if (content === undefined) throw new Error(`The recording lacks the beginning of file ${file}.`)
    return content
  }
}

function rename(names: Map<string, Content>, change: NameChange): void {
  if (change.kind === 'name') names.set(change.name, change.content)
  else names.delete(change.name)
}

/** A change as the disk may carry it out: a write block by block. */
function* partsOf(change: Change): Generator<Change> {
  if (change.kind === 'truncate') return yield change
  const { file, offset, data } = change
  for (let at = 0; at < data.length; ) {
    const end = Math.min(data.length, at + BLOCK - ((offset + at) % BLOCK))
    yield { kind: 'write', file, offset: offset + at, data: data.subarray(at, end) }
    at = end
  }
}

/** The bytes of a file, which grow; what was never written is zero. */
class Bytes {
  #bytes: Buffer
  #size: number

  constructor(content: Buffer) {
    this.#bytes = Buffer.from(content)
    this.#size = content.length
  }

  apply(change: Change): void {
    if (change.kind === 'truncate') {
      if (change.size > this.#size) this.#grow(change.size)
      else this.#bytes.fill(0, change.size, this.#size)
      this.#size = change.size
      return
    }
    const end = change.offset + change.data.length
    if (end > this.#size) this.#grow(end)
    change.data.copy(this.#bytes, change.offset)
  }

  #grow(size: number): void {
    if (size > this.#bytes.length) {
      const bytes = Buffer.alloc(size * 2)
      this.#bytes.copy(bytes, 0, 0, this.#size)
      this.#bytes = bytes
    }
    this.#size = size
  }

  toBuffer(): Buffer {
    return this.#bytes.subarray(0, this.#size)
  }
}

import { createHash } from 'node:crypto'
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { Refusal } from '#base/refusal.ts'
import { makeFolders } from './make-folders.ts'
import { StagedFile } from './staged-file.ts'

/** Windows has neither of the last two. */
const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants

/** How much is read at once. */
const PIECE = 256 * 1024

/** A folder of files that are named by the SHA-256 of their bytes. It is for commands: it stops the event loop while it works. */
export class HashedFolder {
  readonly path: string

  constructor(path: string) {
    this.path = path
  }

  nameOf(sha256: string): string {
    return `${sha256}.pdf`
  }

  /** Makes the folder, unless it is there. @throws Error of the system */
  make(): void {
    makeFolders(this.path)
  }

  /**
   * Writes a file, which takes its place once it is whole. One that is there and the same is left as it is.
   *
   * @throws Refusal if the bytes have another SHA-256; Error of the system
   */
  async keep(
    { sha256, size }: { sha256: string; size: number },
    bytes: AsyncIterable<Uint8Array>,
  ): Promise<void> {
    if (this.#has(sha256, size)) return
    const staged = new StagedFile(join(this.path, this.nameOf(sha256)))
    try {
      const hash = createHash('sha256')
      const descriptor = openSync(staged.path, 'w')
      try {
        for await (const piece of bytes) {
          hash.update(piece)
          for (let at = 0; at < piece.length; ) at += writeSync(descriptor, piece, at)
        }
      } finally {
        closeSync(descriptor)
      }
      if (hash.digest('hex') !== sha256)
        throw new Refusal(
          `The bytes of ${this.nameOf(sha256)} are not those that were kept. Run "turnout check".`,
        )
      staged.place({ replace: true })
    } finally {
      staged.discard()
    }
  }

  #has(sha256: string, size: number): boolean {
    const path = join(this.path, this.nameOf(sha256))
    const stats = lstatSync(path, { throwIfNoEntry: false })
    if (!stats?.isFile() || stats.size !== size) return false
    const hash = createHash('sha256')
    for (const piece of this.read(sha256)) hash.update(piece)
    return hash.digest('hex') === sha256
  }

  /**
   * Reads a file, a piece at a time. No link is followed, and nothing but a file is read. Each piece is there until the next is asked
   * for.
   *
   * @throws FileAbsent; Error of the system
   */
  *read(sha256: string): Generator<Buffer> {
    const descriptor = this.#open(join(this.path, this.nameOf(sha256)))
    try {
      const piece = Buffer.allocUnsafe(PIECE)
      for (;;) {
        let filled = 0
        // A network's file system may give less than was asked for.
        for (let count = -1; count !== 0 && filled < PIECE; filled += count)
          count = readSync(descriptor, piece, filled, PIECE - filled, null)
        if (filled > 0) yield piece.subarray(0, filled)
        if (filled < PIECE) return
      }
    } finally {
      closeSync(descriptor)
    }
  }

  #open(path: string): number {
    let descriptor: number
    try {
      descriptor = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'ENOENT' || code === 'ENOTDIR') throw new FileAbsent('none', { cause: error })
      if (code === 'ELOOP' || code === 'EMLINK' || code === 'ENXIO')
        throw new FileAbsent('other', { cause: error })
      throw error
    }
    if (fstatSync(descriptor).isFile()) return descriptor
    closeSync(descriptor)
    throw new FileAbsent('other')
  }
}

/** There is nothing of a name, or something else than a file, such as a link. */
export class FileAbsent extends Error {
  override name = 'FileAbsent'
  readonly there: 'none' | 'other'

  constructor(there: 'none' | 'other', options?: ErrorOptions) {
    super(there === 'none' ? 'There is no such file.' : 'This is no file.', options)
    this.there = there
  }
}

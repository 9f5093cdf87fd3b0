import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import type { TestContext } from 'node:test'

/** Returns what arrives of a write that is cut off, from what was there and what is written. */
type Torn = (was: Buffer, written: Buffer) => Buffer

const SECTOR = 512

/** Each entry says how a call is cut off. */
export const cuts: Readonly<Record<string, 'before' | 'after' | Torn>> = {
  'before it': 'before',
  'after it': 'after',
  'in its first bytes': (was, written) => Buffer.concat([written.subarray(0, 7), was.subarray(7)]),
  'in its checksum': (was, written) => Buffer.concat([written.subarray(0, 40), was.subarray(40)]),
  'with a sector of zeros': (was, written) =>
    Buffer.concat([Buffer.alloc(SECTOR), was.subarray(SECTOR, written.length)]),
  'with a sector of anything': (_, written) =>
    Buffer.concat([Buffer.alloc(SECTOR, 0xa5), written.subarray(SECTOR)]),
}

const CALLS = ['openSync', 'readSync', 'writeSync', 'ftruncateSync', 'fsyncSync', 'fstatSync'] as const

/** Counts the calls of the system that are about a file, or the folder that it is in, and cuts one of them off. */
export class CutFile {
  readonly #path: string
  readonly #folder: string
  readonly #real = { ...fs }
  readonly #open = new Set<number>()
  #at = Number.POSITIVE_INFINITY
  #cut: (typeof cuts)[string] = 'before'
  #calls = 0
  #isCut = false

  constructor(t: TestContext, folder: string, path: string) {
    this.#folder = folder
    this.#path = path
    for (const name of CALLS) Object.assign(fs, { [name]: this.#watched(name) })
    syncBuiltinESMExports()
    t.after(() => {
      for (const name of CALLS) Object.assign(fs, { [name]: this.#real[name] })
      syncBuiltinESMExports()
    })
  }

  /** @param call which from now on, from 0 */
  arm(call: number, cut: (typeof cuts)[string]): void {
    this.#at = call
    this.#cut = cut
    this.#calls = 0
    this.#isCut = false
  }

  disarm(): void {
    this.arm(Number.POSITIVE_INFINITY, 'before')
  }

  get isCut(): boolean {
    return this.#isCut
  }

  #watched(name: (typeof CALLS)[number]) {
    const call = this.#real[name] as (...args: never[]) => unknown
    return (...args: never[]) => {
      const [file] = args as unknown[]
      const isOpening = name === 'openSync' && (file === this.#path || file === this.#folder)
      // A number that was closed meanwhile may be that of another file.
      if (!isOpening && !(name !== 'openSync' && this.#open.has(file as number))) return call(...args)
      // A process that was killed does nothing more.
      if (this.#isCut) throw new Error('cut')
      const isNow = this.#calls++ === this.#at
      if (isNow && this.#cut === 'before') this.#die()
      if (isNow && typeof this.#cut === 'function') this.#tear(name, args, this.#cut)
      try {
        const result = call(...args)
        if (isOpening) this.#open.add(result as number)
        return result
      } finally {
        if (isNow) this.#die()
      }
    }
  }

  #die(): never {
    this.#isCut = true
    throw new Error('cut')
  }

  /** Only a write is torn: every other call is cut off as a whole. */
  #tear(name: string, args: readonly unknown[], torn: Torn): void {
    if (name !== 'writeSync') return
    const [file, data, , , at = 0] = args as [number, Buffer | string, number?, number?, number?]
    const written = Buffer.from(data)
    const was = Buffer.alloc(written.length)
    this.#real.readSync(file, was, 0, was.length, at)
    const left = torn(was, written)
    this.#real.writeSync(file, left, 0, left.length, at)
    this.#die()
  }
}

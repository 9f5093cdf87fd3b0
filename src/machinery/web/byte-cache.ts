/**
 * Keeps contents that are expensive to make, up to so many bytes. The content that nobody has requested for longest leaves first.
 */
export class ByteCache {
  readonly #maxBytes: number
  readonly #kept = new Map<string, Buffer>()
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** The bytes of everything that is kept, with the names. */
  get bytes(): number {
    return this.#bytes
  }

  get(name: string): Buffer | undefined {
    const found = this.#kept.get(name)
    if (found !== undefined) {
      this.#kept.delete(name)
      this.#kept.set(name, found)
    }
    return found
  }

  set(name: string, content: Buffer): void {
    this.delete(name)
    this.#kept.set(name, content)
    this.#bytes += sizeOf(name, content)
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= this.#maxBytes) break
      this.delete(oldest)
    }
  }

  delete(name: string): void {
    const content = this.#kept.get(name)
    if (content === undefined) return
    this.#kept.delete(name)
    this.#bytes -= sizeOf(name, content)
  }
}

function sizeOf(name: string, content: Buffer): number {
  return name.length + content.length
}

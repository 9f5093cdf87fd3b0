import type { DecoderAnswer, DecoderRequest } from './decoder-worker.ts'

/** The address of the thread that reads codes. Its own answer allows WebAssembly, which the page does not. */
declare const DECODER_ADDRESS: string

/** Reads codes of pictures, one after the other, off the page's thread. */
export class Decoder {
  #worker: Worker | undefined
  #next = 1
  readonly #asked = new Map<number, (answer: DecoderAnswer) => void>()

  /** Begins to load what it takes. Rejects where there is no WebAssembly, or it did not arrive. */
  async start(): Promise<void> {
    if (this.#worker !== undefined) return
    const worker = new Worker(DECODER_ADDRESS)
    this.#worker = worker
    worker.onmessage = ({ data }: MessageEvent<DecoderAnswer>) => {
      this.#asked.get(data.id)?.(data)
      this.#asked.delete(data.id)
    }
    worker.onerror = () => this.#fail('the worker did not load')
    try {
      await this.read(new ImageData(1, 1))
    } catch (error) {
      // It stays as it is: only another one asks for its files again.
      this.#fail(String(error))
      throw error
    }
  }

  /** The texts of all codes in a picture, whose bytes go to the worker. */
  async read(image: ImageData): Promise<string[]> {
    const worker = this.#worker
    if (worker === undefined) return []
    const id = this.#next++
    const request: DecoderRequest = { id, image }
    const answered = new Promise<DecoderAnswer>(resolve => this.#asked.set(id, resolve))
    worker.postMessage(request, [image.data.buffer])
    const { texts, failure } = await answered
    if (failure !== undefined) throw new Error(failure)
    return texts
  }

  #fail(failure: string): void {
    this.#worker?.terminate()
    this.#worker = undefined
    for (const [id, resolve] of this.#asked) resolve({ id, texts: [], failure })
    this.#asked.clear()
  }
}

import type { DecoderAnswer, DecoderRequest } from './decoder-worker.ts'

/** The worker at this address reads codes. Its own answer allows WebAssembly, which the page does not. */
declare const DECODER_ADDRESS: string

/** Reads the codes of pictures, one picture after the other, off the page's thread. */
export class Decoder {
  #worker: Worker | undefined
  #next = 1
  readonly #waiting = new Map<number, (answer: DecoderAnswer) => void>()

  /** Starts to load the reader. Rejects if there is no WebAssembly, or if the reader did not arrive. */
  async start(): Promise<void> {
    if (this.#worker !== undefined) return
    const worker = new Worker(DECODER_ADDRESS)
    this.#worker = worker
    worker.onmessage = ({ data }: MessageEvent<DecoderAnswer>) => {
      this.#waiting.get(data.id)?.(data)
      this.#waiting.delete(data.id)
    }
    worker.onerror = () => this.#fail('the worker did not load')
    try {
      await this.read(new ImageData(1, 1))
    } catch (error) {
      // A failed worker stays broken. Only a new worker asks for the files again.
      this.#fail(String(error))
      throw error
    }
  }

  /** Returns the texts of all codes in a picture. The picture's bytes move to the worker. */
  async read(image: ImageData): Promise<string[]> {
    const worker = this.#worker
    if (worker === undefined) return []
    const id = this.#next++
    const request: DecoderRequest = { id, image }
    const answered = new Promise<DecoderAnswer>(resolve => this.#waiting.set(id, resolve))
    worker.postMessage(request, [image.data.buffer])
    const { texts, failure } = await answered
    if (failure !== undefined) throw new Error(failure)
    return texts
  }

  #fail(failure: string): void {
    this.#worker?.terminate()
    this.#worker = undefined
    for (const [id, resolve] of this.#waiting) resolve({ id, texts: [], failure })
    this.#waiting.clear()
  }
}

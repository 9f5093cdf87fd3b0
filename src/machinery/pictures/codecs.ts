import { brotliDecompressSync } from 'node:zlib'
import jpegDecoder from '@jsquash/jpeg/codec/dec/mozjpeg_dec.js'
import jpegEncoder from '@jsquash/jpeg/codec/enc/mozjpeg_enc.js'
import { defaultOptions as jpegOptions } from '@jsquash/jpeg/meta.js'
import { decode as decodePng, initSync as startPngDecoder } from '@jsquash/png/codec/pkg/squoosh_png.js'
import webpDecoder from '@jsquash/webp/codec/dec/webp_dec.js'
import webpEncoder from '@jsquash/webp/codec/enc/webp_enc.js'
import { defaultOptions as webpOptions } from '@jsquash/webp/meta.js'
import type { Carried } from '#machinery/threads/carried-thread.ts'
import { withMemoryLimit } from './memory-limit.ts'
import type { Pixels } from './pixels.ts'
import type { PictureFormatName } from './sizing-task.ts'

/** The most bytes that a decoder or encoder may take for itself: a JPEG of 12 million pixels in many passes takes 120 MB. */
const MAX_CODEC_BYTES = 128 * 1024 * 1024

/** From 0 to 100. Above these, files grow faster than anybody sees. */
const WEBP_QUALITY = 80
const JPEG_QUALITY = 80

interface Overrides {
  noInitialRun: true
  print: () => void
  printErr: () => void
  instantiateWasm: (
    imports: WebAssembly.Imports,
    start: (instance: WebAssembly.Instance) => void,
  ) => WebAssembly.Exports
}

/** Makes a module of Emscripten. */
type Factory<Module> = (overrides: Overrides) => Promise<Module>

interface Decoder {
  /** Returns null or throws anything at all if it fails. JPEG: `mayTurn` applies the orientation of EXIF. */
  decode(file: Uint8Array, mayTurn?: boolean): Pixels | null
}

interface Encoder {
  /** Returns null or throws anything at all if it fails. */
  encode(pixels: Uint8ClampedArray, width: number, height: number, options: object): Uint8Array | null
}

class DecodedPixels implements Pixels {
  readonly data: Uint8ClampedArray
  readonly width: number
  readonly height: number

  constructor(data: Uint8ClampedArray, width: number, height: number) {
    this.data = data
    this.width = width
    this.height = height
  }
}
// The decoders make their result with the class that browsers have for pixels.
Object.assign(globalThis, { ImageData: DecodedPixels })

/**
 * Decodes and encodes pictures by WebAssembly, each with a memory of its own that cannot grow over its limit. Nothing that a
 * picture makes of it leads out of this memory.
 */
export class Codecs {
  readonly #carried: Carried

  /** Makes the codecs. Each starts when it is first used. @param carried as `carried.json` names them */
  constructor(carried: Carried) {
    this.#carried = carried
  }

  /** Decodes a picture without applying its orientation. @throws anything at all if it cannot */
  async decode(file: Uint8Array, type: PictureFormatName): Promise<Pixels> {
    const pixels = await this.#decode(file, type)
    if (pixels === null) throw new Error('It is malformed.')
    return pixels
  }

  async #decode(file: Uint8Array, type: PictureFormatName): Promise<Pixels | null> {
    if (type === 'image/png') {
      startPngDecoder(this.#compile('png-decoder'))
      return decodePng(file) as Pixels
    }
    if (type === 'image/jpeg')
      return (await this.#start<Decoder>('jpeg-decoder', jpegDecoder)).decode(file, false)
    return (await this.#start<Decoder>('webp-decoder', webpDecoder)).decode(file)
  }

  /** Returns a function that encodes pictures as WebP. */
  async webpEncoder(): Promise<(pixels: Pixels) => Uint8Array> {
    const encoder = await this.#start<Encoder>('webp-encoder', webpEncoder)
    // Letters in posters keep their edges by the exact conversion of colours, which takes a little longer.
    const options = { ...webpOptions, quality: WEBP_QUALITY, use_sharp_yuv: 1 }
    return pixels => encode(encoder, pixels, options)
  }

  /** Returns a function that encodes pictures as JPEG, without what is transparent. */
  async jpegEncoder(): Promise<(pixels: Pixels) => Uint8Array> {
    const encoder = await this.#start<Encoder>('jpeg-encoder', jpegEncoder)
    return pixels => encode(encoder, pixels, { ...jpegOptions, quality: JPEG_QUALITY })
  }

  #start<Module>(name: string, factory: unknown): Promise<Module> {
    const module = this.#compile(name)
    return (factory as Factory<Module>)({
      noInitialRun: true,
      print: () => undefined,
      printErr: () => undefined,
      instantiateWasm: (imports, start) => {
        const instance = new WebAssembly.Instance(module, imports)
        start(instance)
        return instance.exports
      },
    })
  }

  #compile(name: string): WebAssembly.Module {
    const wasm = brotliDecompressSync(this.#carried.get(name) as Uint8Array)
    return new WebAssembly.Module(withMemoryLimit(wasm, MAX_CODEC_BYTES))
  }
}

function encode(encoder: Encoder, { data, width, height }: Pixels, options: object): Uint8Array {
  const file = encoder.encode(data, width, height, options)
  if (file === null) throw new Error('A size could not be encoded.')
  return file
}

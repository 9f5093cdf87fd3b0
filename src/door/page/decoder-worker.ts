import { prepareZXingModule, type ReaderOptions, readBarcodes } from 'zxing-wasm/reader'

/** Where our copy of zxing-wasm is: nothing comes from anywhere else. */
declare const WASM_ADDRESS: string
declare const self: {
  onmessage: ((event: { data: DecoderRequest }) => void) | null
  postMessage(message: DecoderAnswer): void
}

export interface DecoderRequest {
  id: number
  image: ImageData
}

export interface DecoderAnswer {
  id: number
  texts: string[]
  /** Set when the decoder cannot work at all. */
  failure?: string
}

const options: ReaderOptions = {
  formats: ['QRCode'],
  tryHarder: true,
  tryRotate: true,
  tryInvert: true,
  tryDownscale: true,
  maxNumberOfSymbols: 3,
  textMode: 'Plain',
}

const ready = prepareZXingModule({ overrides: { locateFile: () => WASM_ADDRESS }, fireImmediately: true })

self.onmessage = async ({ data: { id, image } }) => {
  try {
    await ready
    const found = await readBarcodes(image, options)
    self.postMessage({ id, texts: found.filter(({ isValid }) => isValid).map(({ text }) => text) })
  } catch (error) {
    self.postMessage({ id, texts: [], failure: String(error) })
  }
}

import { prepareZXingModule, type ReaderOptions, readBarcodes } from 'zxing-wasm/reader'

/** This address has the server's own copy of zxing-wasm. The worker loads nothing from anywhere else. */
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
  /** It is set if the decoder cannot work at all. */
  failure?: string
}

const options: ReaderOptions = {
  formats: ['QRCode'],
  tryHarder: true,
  tryRotate: true,
  tryInvert: true,
  tryDownscale: true,
  textMode: 'Plain',
}

const ready = prepareZXingModule({ overrides: { locateFile: () => WASM_ADDRESS }, fireImmediately: true })

self.onmessage = async ({ data: { id, image } }) => {
  try {
    await ready
    self.postMessage({ id, texts: await read(image) })
  } catch (error) {
    self.postMessage({ id, texts: [], failure: String(error) })
  }
}

/** At first sight, these texts belong to Turnout: a ticket, or a pairing. */
const OURS = /^SVC1\.|pair=/i

/** Finding one code is three times as fast as finding all. The others only matter if a poster is in view beside the ticket. */
async function read(image: ImageData): Promise<string[]> {
  const [first] = await readBarcodes(image, { ...options, maxNumberOfSymbols: 1 })
  if (first === undefined || OURS.test(first.text)) return first === undefined ? [] : [first.text]
  const all = await readBarcodes(image, { ...options, maxNumberOfSymbols: 4 })
  return all.map(({ text }) => text)
}

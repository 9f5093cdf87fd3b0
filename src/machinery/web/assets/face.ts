import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { AddressLimit } from '#machinery/http/address-limit.ts'
import type { Face, FaceRoute, State } from '#machinery/http/face.ts'
import { ASSETS_PATH, type Asset, assets } from './assets.ts'

const compress = promisify(gzip)

/**
 * Returns the face of the assets. A page needs a few of them, and a browser requests each once. No reader of pages comes near the
 * limit.
 */
export function assetsFace(addresses: AddressLimit): Face<State> {
  return { path: ASSETS_PATH, routes: assets.map(asset => toRoute(asset, addresses)) }
}

function toRoute({ path, type, text }: Asset, addresses: AddressLimit): FaceRoute<State> {
  let compressed: Promise<Buffer> | undefined
  return {
    method: 'GET',
    path,
    logLevel: 'debug',
    stages: [
      addresses.stage,
      async context => {
        const isCompressed = context.acceptsEncodings('gzip', 'identity') === 'gzip'
        compressed ??= compress(text, { level: 9 })
        context.body = isCompressed ? await compressed : text
        context.type = type
        if (isCompressed) context.set('Content-Encoding', 'gzip')
        context.vary('Accept-Encoding')
        context.set('Cache-Control', 'public, max-age=31536000, immutable')
      },
    ],
  }
}

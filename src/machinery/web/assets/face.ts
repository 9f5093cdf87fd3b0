import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { Problem } from '#base/problem.ts'
import type { AddressLimit } from '#machinery/http/address-limit.ts'
import type { Context, Face, FaceRoute, State } from '#machinery/http/face.ts'
import { ACCENTS_PATH, findAccentSheet } from '../accent.ts'
import { ASSETS_PATH, type Asset, assets, favicon } from './assets.ts'

const compress = promisify(gzip)

/**
 * Returns the face of the assets. A page needs a few of them, and a browser requests each once. No reader of pages comes near the
 * limit.
 */
export function assetsFace(addresses: AddressLimit): Face<State> {
  const routes = [...assets.map(asset => toRoute(asset, addresses)), accentRoute(addresses)]
  return { path: ASSETS_PATH, isForPeople: true, routes }
}

const FOREVER = 'public, max-age=31536000, immutable'
/** A new release may have another one. */
const FOR_AN_HOUR = 'public, max-age=3600'

/** Answers with the style sheet of an organizer's colour, which is made of its name alone. */
function accentRoute(addresses: AddressLimit): FaceRoute<State> {
  return {
    method: 'GET',
    path: `${ACCENTS_PATH}/{file}`,
    logLevel: 'debug',
    stages: [
      addresses.stage,
      async context => {
        const sheet = findAccentSheet(context.captures[0] ?? '')
        if (sheet === undefined) throw new Problem('route_not_found')
        context.body = sheet
        context.type = 'text/css; charset=utf-8'
        context.set('Cache-Control', FOREVER)
      },
    ],
  }
}

function toRoute({ path, type, text, isFixed }: Asset, addresses: AddressLimit): FaceRoute<State> {
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
        context.set('Cache-Control', isFixed ? FOR_AN_HOUR : FOREVER)
        // Other sites load it, also those that ask for a permission of each file.
        if (isFixed) context.set('Cross-Origin-Resource-Policy', 'cross-origin')
      },
    ],
  }
}

/** The address at which a browser looks for an icon by itself. */
export const FAVICON_PATH = '/favicon.ico'
const FAVICON_TAG = `"${createHash('sha256').update(favicon).digest('base64url').slice(0, 22)}"`

/** Answers with Turnout's mark. A browser keeps it for a week, because a new release may have a new one. */
export async function answerFavicon(context: Context): Promise<void> {
  context.status = 200
  context.set('Cache-Control', 'public, max-age=604800')
  context.set('ETag', FAVICON_TAG)
  if (context.fresh) {
    context.status = 304
    return
  }
  context.body = favicon
  context.set('Content-Type', 'image/x-icon')
}

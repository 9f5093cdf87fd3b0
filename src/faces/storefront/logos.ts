import { Problem } from '#base/problem.ts'
import { type Database, INSTANCE } from '#machinery/db/port.ts'
import type { Context } from '#machinery/http/face.ts'
import { bodyOf } from '#machinery/http/sending.ts'
import { ByteCache } from '#machinery/web/byte-cache.ts'
import { findLogo } from '#product/catalog/event-pages/organizers.ts'
import type { Logo } from '#product/catalog/looks/schemas.ts'
import type { StorefrontServices } from './storefront-services.ts'
import { SLUG } from './view-page.tsx'

/** The server keeps this many bytes of logos in memory. */
const KEPT_BYTES = 4 * 1024 * 1024
const HASH = /^[0-9a-f]{64}$/
const FOREVER = 'public, max-age=31536000, immutable'
/** A logo may do nothing but be shown, whatever a visitor opens it as. The square has the logo in itself. */
const POLICY = "default-src 'none'; img-src data:; sandbox"
/** A logo's own file, or that for pages in its place. */
type Kind = Logo['page']
/** The room around a logo in its square, whose sides have 64. */
const [SIDE, EDGE] = [64, 4]

/** Answers with the logos of organizers. A file with a hash never changes, so that browsers keep it for good. */
export class Logos {
  readonly #services: Pick<StorefrontServices, 'addresses'> & { db: Database }
  readonly #kept = new ByteCache(KEPT_BYTES)

  constructor(services: StorefrontServices) {
    this.#services = services
  }

  /** Answers with the file of a logo, or with that for pages. @throws Problem route_not_found */
  async sendLogo(context: Context, kind: Kind): Promise<void> {
    send(context, (await this.#find(context, kind)) ?? this.#refuse(context), `image/${kind}`)
  }

  /** Answers with the logo in a square on white, as a browser shows it in its tabs. @throws Problem route_not_found */
  async sendIcon(context: Context): Promise<void> {
    const light = await this.#find(context, 'webp')
    const logo = light ?? (await this.#find(context, 'png')) ?? this.#refuse(context)
    const inner = `x="${EDGE}" y="${EDGE}" width="${SIDE - 2 * EDGE}" height="${SIDE - 2 * EDGE}"`
    const svg =
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIDE} ${SIDE}">` +
      `<rect width="${SIDE}" height="${SIDE}" rx="8" fill="#fff"/>` +
      `<image ${inner} href="data:image/${light ? 'webp' : 'png'};base64,${logo.toString('base64')}"/></svg>\n`
    send(context, Buffer.from(svg), 'image/svg+xml')
  }

  async #find(context: Context, kind: Kind): Promise<Buffer | undefined> {
    const [account = '', hash = ''] = context.captures
    const name = `${account}/${kind}/${hash}`
    const kept = this.#kept.get(name)
    if (kept !== undefined) return kept
    const isName = SLUG.test(account) && HASH.test(hash)
    const file = isName
      ? await this.#services.db.read(INSTANCE, tx => findLogo(tx, account, { hash, kind }))
      : undefined
    if (file !== undefined) this.#kept.set(name, file)
    return file
  }

  /** An address that leads to nothing counts as any other. */
  #refuse(context: Context): never {
    this.#services.addresses.apply(context)
    throw new Problem('route_not_found')
  }
}

function send(context: Context, file: Buffer, type: string): void {
  context.set('Cache-Control', FOREVER)
  context.set('Content-Security-Policy', POLICY)
  context.body = bodyOf(context.res, file)
  context.type = type
  context.length = file.length
}

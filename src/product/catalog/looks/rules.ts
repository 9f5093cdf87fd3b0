import type { ReadTx, WriteTx } from '#machinery/db/port.ts'
import type { CarriedLook, Logo, Look, NewLogo } from './schemas.ts'
import * as store from './store.ts'

/** Whose look it is: that of an event, or null for that of the account. */
export type Owner = string | null

/** Returns how pages look. What an event has no colour or logo of its own for, it has from its account. */
export async function find(tx: ReadTx, eventId: Owner = null): Promise<Look> {
  const rows = await store.list(tx, eventId)
  const own = rows.find(({ event_id }) => event_id !== null)
  const ofAccount = rows.find(({ event_id }) => event_id === null)
  return { colour: own?.colour ?? ofAccount?.colour ?? null, logo: logoOf(own) ?? logoOf(ofAccount) }
}

/** Returns the same with the file of the logo. */
export async function carry(tx: ReadTx, eventId: Owner): Promise<CarriedLook> {
  const { colour, logo } = await find(tx, eventId)
  const file = logo === null ? undefined : await readLogo(tx, logo.hash)
  return { colour, logo: logo === null || file === undefined ? null : { ...logo, file } }
}

/** Returns what an event or the account has of its own. */
export async function findOwn(tx: ReadTx, owner: Owner): Promise<Look> {
  const row = (await store.list(tx, owner)).find(({ event_id }) => event_id === owner)
  return { colour: row?.colour ?? null, logo: logoOf(row) }
}

function logoOf(row: store.LookRow | undefined): Logo | null {
  if (row === undefined || row.logo_hash === null) return null
  const { logo_hash: hash, logo_width, logo_height, has_page_logo } = row
  const page = has_page_logo === 1 ? 'webp' : 'png'
  return { hash, width: logo_width as number, height: logo_height as number, page }
}

/** Returns the file of a logo, a PNG, if the account still has it. */
export async function readLogo(tx: ReadTx, hash: string): Promise<Buffer | undefined> {
  const content = await store.findContent(tx, hash)
  return content === undefined ? undefined : Buffer.from(content, 'base64')
}

/** Returns the WebP that pages show in the place of a logo's own file, if that is too heavy for them. */
export async function readPageLogo(tx: ReadTx, hash: string): Promise<Buffer | undefined> {
  const content = await store.findPageContent(tx, hash)
  return content == null ? undefined : Buffer.from(content, 'base64')
}

/** @param colour null for none of its own */
export function setColour(tx: WriteTx, owner: Owner, colour: string | null): Promise<void> {
  return change(tx, owner, { colour })
}

/** @param logo null for none of its own */
export function setLogo(tx: WriteTx, owner: Owner, logo: NewLogo | null): Promise<void> {
  return change(tx, owner, {
    logo_hash: logo?.hash ?? null,
    logo_width: logo?.width ?? null,
    logo_height: logo?.height ?? null,
    logo_content: logo?.content ?? null,
    logo_page_content: logo?.pageContent ?? null,
  })
}

/** Gives an event that has no look yet that of another one. */
export async function copy(tx: WriteTx, fromId: string, toId: string): Promise<void> {
  const own = await store.find(tx, fromId)
  if (own !== undefined) await store.put(tx, { ...own, event_id: toId }, await tx.now())
}

const NOTHING = {
  ...{ colour: null, logo_hash: null, logo_width: null, logo_height: null },
  ...{ logo_content: null, logo_page_content: null },
}

/** What has neither a colour nor a logo of its own has no row. */
async function change(tx: WriteTx, owner: Owner, changes: Partial<store.StoredLook>): Promise<void> {
  const was = await store.find(tx, owner)
  const look = { ...NOTHING, ...was, ...changes, event_id: owner }
  if (look.colour === null && look.logo_hash === null) await store.remove(tx, owner)
  else await store.put(tx, look, await tx.now())
}

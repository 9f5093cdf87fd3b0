import pino from 'pino'
import type { Database } from '#machinery/db/port.ts'
import * as pictures from '#product/catalog/events/pictures.ts'
import { pictureSizing } from '#product/catalog/events/size-pictures.ts'
import { makeLogo } from '#product/catalog/looks/make-logo.ts'
import * as looks from '#product/catalog/looks/rules.ts'
import { photo, plainJpeg, pngOf } from '../picture-files.ts'

/** Makes the sizes of a picture, after those of another were stopped in their middle. */
export async function sizePictures(db: Database, accountId: string, eventId: string): Promise<void> {
  const sweep = () => pictureSizing({ db, log: pino({ level: 'silent' }) })
  const put = (file: Buffer) => db.write(accountId, tx => pictures.put(tx, eventId, pictures.examine(file)))
  const hasBegun = () =>
    db.read(accountId, tx =>
      tx.one('SELECT 1 FROM event_pictures p WHERE p.event_id = $1 AND p.size_attempts = 1', [eventId]),
    )
  await put(plainJpeg({ width: 4096, height: 4096, components: 1, isProgressive: true, passes: 19_000 }))
  const stopped = sweep()
  const looking = stopped.look()
  while ((await hasBegun()) === undefined) await new Promise(resolve => setTimeout(resolve, 10))
  await stopped.stop()
  await looking
  await put(pngOf(photo(64, 48)))
  await sweep().look()
  await db.read(accountId, async tx => {
    for (const { hash } of (await pictures.find(tx, eventId))?.sizes ?? [])
      await pictures.readContent(tx, eventId, hash)
  })
}

/** Gives an account and an event a look, and takes that of the event away. */
export async function giveLooks(db: Database, accountId: string, eventId: string): Promise<void> {
  const logo = await makeLogo(pngOf(photo(64, 48)))
  await db.write(accountId, async tx => {
    await looks.setLogo(tx, null, logo)
    await looks.setColour(tx, eventId, '#c0392b')
    await looks.setColour(tx, eventId, null)
  })
  await db.read(accountId, tx => looks.carry(tx, eventId))
  await db.read(accountId, tx => looks.readPageLogo(tx, logo.hash))
}

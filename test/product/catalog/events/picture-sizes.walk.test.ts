import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import pino from 'pino'
import {
  candidatesOf,
  type Picture,
  type PictureSize,
  planSizes,
  sharedOf,
} from '#product/catalog/events/picture-sizes.ts'
import * as pictures from '#product/catalog/events/pictures.ts'
import * as events from '#product/catalog/events/rules.ts'
import { pictureSizing } from '#product/catalog/events/size-pictures.ts'
import { duplicateEvent } from '#product/data-care/duplication/rules.ts'
import { findDamage } from '#product/data-care/integrity/damage.ts'
import { ofSqlite } from '#test/support/engine.ts'
import { newEvent, startWithOrganizer } from '#test/support/people/organizer.ts'
import { decode, encode, held, photo, plainJpeg, pngChunk, pngOf } from '#test/support/picture-files.ts'

const sidesOf = (sizes: readonly Omit<PictureSize, 'hash'>[]) =>
  sizes.map(({ use, type, width, height }) => `${use} ${type} ${width}x${height}`)

test('the sizes of a picture have its proportions, and none is larger than it is', () => {
  const planned = (width: number, height: number) => sidesOf(planSizes({ width, height }))
  assert.deepEqual(planned(4000, 3000), [
    'page image/webp 480x360',
    'page image/webp 960x720',
    'page image/webp 1600x1200',
    'share image/jpeg 1200x900',
  ])
  assert.deepEqual(planned(1000, 1500), [
    'page image/webp 480x720',
    'page image/webp 960x1440',
    'page image/webp 1000x1500',
    'share image/jpeg 1000x1500',
  ])
  assert.deepEqual(planned(1600, 1), [
    'page image/webp 480x1',
    'page image/webp 960x1',
    'page image/webp 1600x1',
    'share image/jpeg 1200x1',
  ])
  // A column would take the memory of many photos.
  assert.deepEqual(planned(2000, 8000), ['page image/webp 480x1920', 'page image/webp 960x3840'])
  assert.deepEqual(planned(300, 200), ['page image/webp 300x200', 'share image/jpeg 300x200'])
})

test('a browser chooses among sizes, and gets the picture itself only where no size is as wide', () => {
  const file = (width: number): Picture => ({ hash: `${width}`, type: 'image/webp', width, height: 10 })
  const size = (width: number, use: PictureSize['use'] = 'page') => ({ ...file(width), use })
  const chosen = (width: number, ...sizes: PictureSize[]) =>
    candidatesOf({ ...file(width), sizes }).map(({ hash }) => hash)
  assert.deepEqual(chosen(4000), ['4000'], 'before they are made')
  assert.deepEqual(chosen(4000, size(480), size(960), size(1600)), ['480', '960', '1600'])
  assert.deepEqual(chosen(700, size(480), size(700)), ['480', '700'])
  assert.deepEqual(chosen(700, size(480), size(700, 'share')), ['480', '700'], 'its own width was heavier')
  assert.deepEqual(chosen(2000, size(480), size(960)), ['480', '960', '2000'], 'a column')
  assert.equal(sharedOf({ ...file(4000), sizes: [size(480), size(1200, 'share')] }).hash, '1200')
  assert.equal(sharedOf({ ...file(900), sizes: [size(480)] }).hash, '900')
})

/** An organizer's events with pictures, and what makes their sizes. */
async function start(t: TestContext) {
  const organizer = await startWithOrganizer(t)
  const { db, write, read, eventId } = organizer
  const told: Record<string, unknown>[] = []
  const log = pino({}, { write: (line: string) => told.push(JSON.parse(line)) })
  const sweep = (mostTime?: number) => pictureSizing({ db, log, ...(mostTime && { mostTime }) })
  const setPicture = (file: Buffer, id = eventId) => write(tx => pictures.put(tx, id, pictures.examine(file)))
  const find = (id = eventId) => read(tx => pictures.find(tx, id))
  const sizesOf = async (id = eventId) => (await find(id))?.sizes ?? []
  const state = (id = eventId) =>
    read(tx =>
      tx.one<{ sized: number; size_attempts: number }>(
        'SELECT p.sized, p.size_attempts FROM event_pictures p WHERE p.account_id = $1 AND p.event_id = $2',
        [tx.accountId, id],
      ),
    )
  const addEvent = (title: string) => write(tx => events.create(tx, newEvent({ title })))
  const change = (sql: string) => write(tx => tx.run(sql))
  return { ...organizer, told, sweep, setPicture, find, sizesOf, state, addEvent, change }
}

test('an uploaded picture gets its sizes: lighter, as it is shown, and without what the file told', async t => {
  const { db, read, eventId, sweep, setPicture, find, sizesOf, state } = await start(t)
  await setPicture(held(pngOf(photo(800, 600)), 6))
  assert.deepEqual(await sizesOf(), [])
  await sweep().look()
  const picture = await find()
  assert.deepEqual([picture?.width, picture?.height], [600, 800])
  assert.deepEqual(sidesOf(picture?.sizes ?? []), [
    'page image/webp 480x640',
    'page image/webp 600x800',
    'share image/jpeg 600x800',
  ])
  const original = await read(tx => pictures.readContent(tx, eventId, picture?.hash as string))
  for (const { hash, type, width, height } of picture?.sizes ?? []) {
    const content = await read(tx => pictures.readContent(tx, eventId, hash))
    assert.ok(content && original && content.length < original.length)
    assert.ok(pictures.isPicture(content.toString('base64'), hash))
    assert.ok(!/Exif|EXIF|GPS/.test(content.toString('latin1')))
    const pixels = await decode(content, type)
    assert.deepEqual([pixels.width, pixels.height], [width, height])
  }
  assert.deepEqual(await state(), { sized: 1, size_attempts: 1 })
  assert.deepEqual(await findDamage(db), [])
  const before = await sizesOf()
  await sweep().look()
  assert.deepEqual(await sizesOf(), before)
  assert.deepEqual(await state(), { sized: 1, size_attempts: 1 }, 'they are not made again')
})

test('a size that is heavier than the picture is not kept', async t => {
  const { sweep, setPicture, find, sizesOf } = await start(t)
  // Every block of it is two bits, which no encoder does better.
  await setPicture(plainJpeg({ width: 500, height: 400, components: 1 }))
  await sweep().look()
  const picture = await find()
  assert.ok(picture && (await sizesOf()).every(({ use }) => use === 'page'), 'a JPEG of it is heavier')
  assert.equal(sharedOf(picture).hash, picture.hash)
})

test('a picture that is replaced or removed takes its sizes with it', async t => {
  const { sweep, setPicture, sizesOf, state, write, eventId } = await start(t)
  const [one, other] = [pngOf(photo(200, 100)), pngOf(photo(100, 200))]
  await setPicture(one)
  await sweep().look()
  assert.deepEqual(sidesOf(await sizesOf())[0], 'page image/webp 200x100')
  await setPicture(other)
  assert.deepEqual(await sizesOf(), [])
  assert.deepEqual(await state(), { sized: 0, size_attempts: 0 })
  await sweep().look()
  assert.deepEqual(sidesOf(await sizesOf())[0], 'page image/webp 100x200')
  await write(tx => pictures.remove(tx, eventId))
  assert.deepEqual(await sizesOf(), [])
})

test('sizes of a picture that was replaced while they were made are not kept', async t => {
  const { db, setPicture, sizesOf, state } = await start(t)
  await setPicture(pngOf(photo(200, 100)))
  let isReplaced = false
  const meanwhile: typeof db = new Proxy(db, {
    get(target, name: keyof typeof db) {
      const own = Reflect.get(target, name)
      if (name !== 'write') return typeof own === 'function' ? own.bind(target) : own
      return async (owner: string, work: Parameters<typeof db.write>[1]) => {
        const result = await db.write(owner, work as never)
        if (!isReplaced) {
          isReplaced = true
          await setPicture(plainJpeg({ width: 64, height: 48, components: 4 }))
        }
        return result
      }
    },
  })
  await pictureSizing({ db: meanwhile, log: pino({ level: 'silent' }) }).look()
  assert.deepEqual(await sizesOf(), [])
  assert.deepEqual(await state(), { sized: 1, size_attempts: 1 }, 'those of the new one were looked for')
})

test('a copy of an event has the sizes, or gets its own', async t => {
  const { sweep, setPicture, sizesOf, write, eventId, find } = await start(t)
  await setPicture(pngOf(photo(200, 100)))
  const copy = (title: string) => write(tx => duplicateEvent(tx, eventId, { title, starts_at: null }))
  const early = await copy('Early')
  await sweep().look()
  const late = await copy('Late')
  for (const { id } of [early, late]) assert.deepEqual(await find(id), await find())
  assert.equal((await sizesOf(late.id)).length, 2)
  await write(tx => pictures.remove(tx, eventId))
  assert.equal((await sizesOf(late.id)).length, 2)
})

/** A PNG whose first frame stands still in an old browser. */
const animated = () =>
  pngOf(photo(64, 48), { extra: [pngChunk('acTL', Buffer.from([0, 0, 0, 2, 0, 0, 0, 0]))] })

test('what cannot be decoded, moves, or is too large keeps to the picture itself, for good', async t => {
  const { told, sweep, setPicture, sizesOf, state, find } = await start(t)
  const turned = held(await encode(photo(64, 48), 'image/webp'), 6)
  for (const [file, reason] of [
    [plainJpeg({ width: 64, height: 48, components: 4 }), /given up/],
    [animated(), /animated/],
    [turned, /which way is up/],
    [plainJpeg({ width: 5000, height: 4000, components: 1 }), /too many pixels/],
  ] as const) {
    await setPicture(file)
    await sweep().look()
    assert.deepEqual(await sizesOf(), [])
    assert.deepEqual(await state(), { sized: 1, size_attempts: 1 })
    assert.match(String(told.at(-1)?.reason), reason)
    const picture = await find()
    assert.ok(picture)
    assert.deepEqual(candidatesOf(picture), [pictureOf(picture)])
  }
})

const pictureOf = ({ hash, type, width, height }: Picture) => ({ hash, type, width, height })

test('one that takes too long is tried three times, after others, and then no more', async t => {
  const { told, sweep, setPicture, sizesOf, state, addEvent } = await start(t)
  const slow = plainJpeg({ width: 4096, height: 4096, components: 1, isProgressive: true, passes: 19_000 })
  await setPicture(slow)
  const other = await addEvent('Other')
  await setPicture(pngOf(photo(64, 48)), other.id)
  await sweep(3_000).look()
  assert.deepEqual(await state(), { sized: 1, size_attempts: 3 })
  assert.deepEqual(await sizesOf(), [])
  assert.equal((await sizesOf(other.id)).length, 2)
  assert.equal(told.filter(({ reason }) => /too long/.test(String(reason))).length, 3)
})

test('what was begun and stopped the program is begun again, three times at most', async t => {
  const { sweep, setPicture, sizesOf, state, change } = await start(t)
  await setPicture(pngOf(photo(64, 48)))
  await change('UPDATE event_pictures SET size_attempts = 3')
  await sweep().look()
  assert.deepEqual(await sizesOf(), [])
  assert.deepEqual(await state(), { sized: 1, size_attempts: 3 })
  await change('UPDATE event_pictures SET sized = 0, size_attempts = 2')
  await sweep().look()
  assert.equal((await sizesOf()).length, 2)
})

test('a program that ends makes no more, does not count that, and makes them after its next start', async t => {
  const { sweep, setPicture, sizesOf, state } = await start(t)
  await setPicture(
    plainJpeg({ width: 4096, height: 4096, components: 1, isProgressive: true, passes: 19_000 }),
  )
  const ending = sweep()
  const looking = ending.look()
  while ((await state())?.size_attempts !== 1) await new Promise(resolve => setTimeout(resolve, 10))
  await ending.stop()
  await looking
  assert.deepEqual(await state(), { sized: 0, size_attempts: 0 })
  await setPicture(pngOf(photo(64, 48)))
  await sweep().look()
  assert.equal((await sizesOf()).length, 2)
})

test('while no picture has changed, nothing is even looked for', ofSqlite, async t => {
  const { db, log, setPicture, change, sizesOf } = { ...(await start(t)), log: pino({ level: 'silent' }) }
  let reads = 0
  const counted: Pick<typeof db, 'read' | 'write' | 'versionOf'> = {
    read: (...args: never[]) => {
      reads++
      return (db.read as (...args: never[]) => Promise<never>)(...args)
    },
    write: db.write.bind(db) as typeof db.write,
    versionOf: table => db.versionOf(table),
  }
  const sweep = pictureSizing({ db: counted, log })
  await sweep.look()
  assert.equal(reads, 1)
  await change("UPDATE events SET venue = 'Hall'")
  await sweep.look()
  assert.equal(reads, 1, 'other tables do not matter')
  await setPicture(pngOf(photo(64, 48)))
  await sweep.look()
  assert.equal((await sizesOf()).length, 2)
  assert.equal(reads, 3)
})

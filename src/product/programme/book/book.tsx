import { setImmediate } from 'node:timers/promises'
import { renderToString } from 'preact-render-to-string'
import type { Reader } from '#machinery/db/batches.ts'
import type { Voice } from '#machinery/web/voice.ts'
import { placesOf } from '#product/catalog/event-pages/calendar-file.ts'
import type { EventDetails } from '#product/catalog/events/schemas.ts'
import type { PublicProgramme } from '#product/programme/published/reading.ts'
import type { PublicSession } from '#product/programme/published/schemas.ts'
import { type IndexedAuthor, indexAuthors, type Numbered } from './author-index.ts'
import { AbstractOfBook, Contents, IndexLine, SessionHead } from './book-parts.tsx'
import { bookStyle } from './style.ts'

/** What a book is made of. */
export interface BookOf {
  programme: PublicProgramme
  accountId: string
  event: Pick<
    EventDetails,
    'id' | 'title' | 'starts_at' | 'ends_at' | 'venue' | 'address' | 'city' | 'timezone'
  >
  organizer: string
  voice: Voice
}

/** A read gets this many abstracts, and others get their turn after each. */
const SLICE = 5

/**
 * Makes the book of abstracts of a programme as one HTML file, for the screen and for print, while it is sent. It needs nothing from
 * anywhere: its style stands in it.
 */
export async function* makeBook(reader: Reader, of: BookOf): AsyncGenerator<string> {
  const { programme, accountId, voice, event } = of
  const sessions = await reader.read(accountId, tx => programme.readAll(tx))
  yield* head(of)
  await setImmediate()
  yield* contents(sessions, voice)
  yield '<main>'
  const printed: Numbered[] = []
  const ids = new Map(programme.listIds().map(id => [programme.numberOf(id), id]))
  const seen = new Set<string>()
  for (const session of sessions) {
    const numbers = session.slots.flatMap(({ abstract }) => abstract?.number ?? [])
    yield `<section class="session">${renderToString(<SessionHead session={session} voice={voice} />)}`
    for (let at = 0; at < numbers.length; at += SLICE) {
      const some = numbers.slice(at, at + SLICE).filter(number => !seen.has(number))
      for (const number of some) seen.add(number)
      yield await abstractsOf(reader, of, some, ids, printed)
      await setImmediate()
    }
    yield '</section>'
  }
  const authors = await indexAuthors(reader, { accountId, eventId: event.id }, printed, voice.format.language)
  yield* index(authors, voice)
  yield '</main></body></html>'
}

/** @param printed gets those that stand, whose authors the index names */
async function abstractsOf(
  reader: Reader,
  { programme, accountId, voice }: BookOf,
  numbers: readonly string[],
  ids: ReadonlyMap<string, string>,
  printed: Numbered[],
): Promise<string> {
  const wanted = numbers.flatMap(number => ids.get(number) ?? [])
  const read = await reader.read(accountId, tx => programme.readAbstracts(tx, wanted))
  return wanted
    .flatMap(id => {
      const abstract = read.get(id)
      if (abstract === undefined) return []
      if (!abstract.isWithdrawn) printed.push({ id, number: abstract.number })
      const places = programme.placesOf(id)
      return renderToString(<AbstractOfBook abstract={abstract} places={places} voice={voice} />)
    })
    .join('')
}

function* head({ event, organizer, voice, programme }: BookOf): Generator<string> {
  const { texts, format } = voice
  const { agenda } = texts
  const { textsFrom } = programme.frame
  const place = placesOf(event).join(', ')
  const when = event.starts_at === null ? '' : format.dates(event.starts_at, event.ends_at ?? event.starts_at)
  yield `<!doctype html><html lang="${format.language}"><head><meta charset="utf-8"/>`
  yield '<meta name="viewport" content="width=device-width, initial-scale=1"/>'
  yield renderToString(<title>{`${agenda.book} · ${event.title}`}</title>)
  yield `<style>${bookStyle}</style></head><body>`
  yield renderToString(
    <header class="cover">
      <p>{agenda.book}</p>
      <h1 dir="auto">{event.title}</h1>
      {when !== '' && <p>{when}</p>}
      {place !== '' && (
        <p>
          <bdi>{place}</bdi>
        </p>
      )}
      <p class="quiet">
        <bdi>{agenda.bookBy(organizer)}</bdi>
      </p>
      {textsFrom !== null && <p>{agenda.textsFrom(format.dateTime(textsFrom))}</p>}
    </header>,
  )
}

async function* contents(sessions: readonly PublicSession[], voice: Voice): AsyncGenerator<string> {
  const { agenda } = voice.texts
  yield '<nav class="contents" aria-labelledby="contents">'
  yield `${renderToString(<h2 id="contents">{agenda.contents}</h2>)}<ol>`
  for (const session of sessions) {
    yield renderToString(<Contents session={session} voice={voice} />)
    await setImmediate()
  }
  yield '</ol></nav>'
}

/** So many lines of the index are made at a time. */
const LINES = 50

async function* index(authors: readonly IndexedAuthor[], voice: Voice): AsyncGenerator<string> {
  const { agenda } = voice.texts
  yield '<section class="index" aria-labelledby="index">'
  yield renderToString(<h2 id="index">{agenda.index}</h2>)
  yield `${renderToString(<p class="quiet">{agenda.indexAbout}</p>)}<ul>`
  for (let at = 0; at < authors.length; at += LINES) {
    const some = authors.slice(at, at + LINES)
    yield some.map(author => renderToString(<IndexLine author={author} />)).join('')
    await setImmediate()
  }
  yield '</ul></section>'
}

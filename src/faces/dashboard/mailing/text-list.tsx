import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { showPage } from '#faces/dashboard/frame/show.tsx'
import type { ReadTx } from '#machinery/db/port.ts'
import type { KindName, OwnText } from '#machinery/mail/kind.ts'
import * as ownTexts from '#machinery/mail/own-texts.ts'
import { Head, Pill } from '#machinery/web/components/parts.tsx'
import { type List, type Place, Table } from '#machinery/web/lists/list.tsx'
import type { EventDetails } from '#product/catalog/events/schemas.ts'
import { listOfEvent } from '#product/programme/abstracts/of-event.ts'
import { type Language, languages } from '#texts/languages.ts'
import type { Texts } from '#texts/texts.ts'
import { idOfText, MessageSections, nameOfKind, nameOfText, OF_MESSAGES } from './message-parts.tsx'
import { kindsOf, type TextGroup, textGroups } from './text-groups.ts'

interface Row {
  kind: KindName
  /** The languages in which the organizer has changed the text. */
  changed: readonly Language[]
  hrefs: Readonly<Record<Language, string>>
}

interface Group {
  name: TextGroup
  rows: readonly Row[]
}

/** Each language has a column of its own. */
const PLACES: Readonly<Record<Language, Place>> = { en: 'line', es: 'amount' }

function listOf(group: TextGroup): List<Row> {
  return {
    caption: ({ messages }) => messages.textsCaption(messages.textGroups[group]),
    hasEvenColumns: true,
    columns: [
      {
        label: texts => texts.messages.kind,
        place: 'name',
        cell: ({ kind }, { texts }) => nameOfKind(kind, texts),
      },
      ...languages.map(language => ({
        label: (texts: Texts) => texts.messages.textLanguages[language],
        place: PLACES[language],
        cell: (row: Row, { texts }: { texts: Texts }) => (
          <TextLink row={row} language={language} texts={texts} />
        ),
      })),
    ],
  }
}

/** Leads to a text. Its visible name is the language alone, since the row says of which mail it is. */
function TextLink({ row, language, texts }: { row: Row; language: Language; texts: Texts }) {
  const { kind, changed, hrefs } = row
  const { messages } = texts
  const isChanged = changed.includes(language)
  return (
    <span class="row">
      <a href={hrefs[language]} aria-label={nameOfText({ kind, language }, texts)}>
        {messages.textLanguages[language]}
      </a>
      <Pill tone={isChanged ? 'good' : 'off'}>{isChanged ? messages.own : messages.ours}</Pill>
    </span>
  )
}

/** Lists the texts of the mails about an event: a row a kind, with a link for each language. */
export const messageTexts = showPage('event', {
  ...OF_MESSAGES,
  path: '/e/{event}/messages/texts',
  load: async (tx, { event }): Promise<Group[]> => {
    const own = await ownTexts.listOwn(tx, event.id)
    const groups = textGroups.map(name => ({
      name,
      rows: kindsOf(name).map(kind => rowOf(event, kind, own)),
    }))
    const hasAbstracts = await mailsAboutAbstracts(tx, event, own)
    return groups.filter(({ name, rows }) => rows.length > 0 && (name !== 'abstracts' || hasAbstracts))
  },
  view: (groups, request) => {
    const { texts } = request.voice
    return {
      title: texts.messages.texts,
      body: (
        <>
          <Head title={texts.messages.texts} about={texts.messages.textsAbout} />
          <MessageSections request={request} at="texts" />
          <div class="stack">
            {groups.map(group => (
              <TextsOfGroup key={group.name} group={group} request={request} />
            ))}
          </div>
        </>
      ),
    }
  },
})

function rowOf(event: EventDetails, kind: KindName, own: readonly OwnText[]): Row {
  const hrefs = languages.map(language => [
    language,
    paths.messageText(event.id, idOfText({ kind, language })),
  ])
  return {
    kind,
    changed: own.filter(each => each.kind === kind).map(({ language }) => language),
    hrefs: Object.fromEntries(hrefs) as Row['hrefs'],
  }
}

/**
 * Returns whether mails about abstracts may go out, or their text was changed. An event that takes none any more may still have
 * some to decide.
 */
async function mailsAboutAbstracts(
  tx: ReadTx,
  event: EventDetails,
  own: readonly OwnText[],
): Promise<boolean> {
  if (event.takes_abstracts) return true
  if (own.some(({ kind }) => kindsOf('abstracts').includes(kind))) return true
  const { rows } = await listOfEvent(tx, { event_id: event.id }, { limit: 1 })
  return rows.length > 0
}

function TextsOfGroup({ group: { name, rows }, request }: { group: Group; request: EventRequest }) {
  const { voice } = request
  return (
    <section class="stack" aria-labelledby={name}>
      <h2 id={name}>{voice.texts.messages.textGroups[name]}</h2>
      <Table list={listOf(name)} rows={rows} voice={voice} />
    </section>
  )
}

import { Problem } from '#base/problem.ts'
import type { PageAt } from '#faces/dashboard/frame/page.ts'
import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { showPage } from '#faces/dashboard/frame/show.tsx'
import { goneSignal } from '#machinery/http/gone.ts'
import { bodyOf } from '#machinery/http/sending.ts'
import { readerFor } from '#machinery/http/streamed.ts'
import { listPdf, ROWS_A_FILE } from '#machinery/ticket-documents/list-pdf.ts'
import { ButtonLink, Head } from '#machinery/web/components/parts.tsx'
import { withQuery } from '#machinery/web/link.ts'
import { type List, Table } from '#machinery/web/lists/list.tsx'
import type { Voice } from '#machinery/web/voice.ts'
import { ticketsAmong } from '#product/catalog/registration-types/kinds.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import type { TypeDetails } from '#product/catalog/registration-types/schemas.ts'
import { listByName } from '#product/entrance/check-ins/printed-list.ts'
import { CheckInTabs, findToLookAt, OF_DOORS, type ToLookAt } from './door-parts.tsx'
import { type PrintedTicket, tellStates } from './paper-due.ts'

/** Sorting keeps the bytes of `MOST_NAMES` names at most, and drawing keeps those of each row. */
const BYTES_A_NAME = 200
const MOST_NAMES = 50_000
const BYTES_A_ROW = 1_000

/** A list of all tickets, or of the tickets of one type. */
interface Choice {
  /** It is undefined for all types. */
  id: string | undefined
  name: string
  sold: number
}

/** Offers the lists that can be printed. */
export const paperLists = showPage('event', {
  ...OF_DOORS,
  path: '/e/{event}/doors/paper',
  load: async (tx, request): Promise<{ types: readonly TypeDetails[]; toLookAt: ToLookAt | undefined }> => ({
    types: await registrationTypes.listDetails(tx, request.event.id),
    toLookAt: await findToLookAt(tx, request),
  }),
  view: ({ types, toLookAt }, request) => {
    const { event, voice } = request
    const { doors: texts } = voice.texts
    const sold = ticketsAmong(types).reduce((sum, type) => sum + type.sold, 0)
    const all: Choice = { id: undefined, name: texts.paperAll, sold }
    return {
      title: voice.texts.checkIn.paper,
      body: (
        <>
          <Head
            title={voice.texts.checkIn.paper}
            about={texts.paperAbout}
            actions={<ButtonLink href={paths.checkInList(event.id)}>{texts.paperOnScreen}</ButtonLink>}
          />
          <CheckInTabs current="paper" toLookAt={toLookAt} request={request} />
          {sold > ROWS_A_FILE && <p>{texts.paperParts(voice.format.number(ROWS_A_FILE))}</p>}
          <Table list={listOf(request)} rows={types.length > 1 ? [all, ...types] : [all]} voice={voice} />
        </>
      ),
    }
  },
})

function partsOf(sold: number): number {
  return Math.max(1, Math.ceil(sold / ROWS_A_FILE))
}

function listOf({ event }: EventRequest): List<Choice> {
  return {
    caption: texts => texts.doors.paperCaption,
    columns: [
      {
        label: texts => texts.doors.paperList,
        place: 'name',
        cell: ({ name }) => <bdi>{name}</bdi>,
      },
      {
        label: texts => texts.doors.paperTickets,
        place: 'line',
        cell: ({ sold }, { texts }) => texts.page.tickets(sold),
      },
      {
        label: texts => texts.doors.paperFiles,
        place: 'amount',
        isNumber: true,
        isAction: true,
        cell: ({ id, name, sold }, voice) => {
          const parts = partsOf(sold)
          return (
            <span class="row">
              {Array.from({ length: parts }, (_, at) => {
                const part = parts === 1 ? undefined : String(at + 1)
                const text = tellPart(at + 1, parts, voice)
                return (
                  <a
                    key={text}
                    class="button"
                    href={withQuery(paths.paperList(event.id), { type: id, part })}
                    aria-label={voice.texts.doors.paperOf(text, name)}
                  >
                    {text}
                  </a>
                )
              })}
            </span>
          )
        },
      },
    ],
  }
}

function tellPart(part: number, of: number, { texts, format }: Voice): string {
  return of === 1 ? texts.doors.paperFile : texts.doors.paperPart(format.number(part), format.number(of))
}

/** Answers with a part of a list as a PDF. It is drawn off the event loop, and is short enough for others to wait for. */
export const paperList: PageAt<'event'> = {
  ...OF_DOORS,
  path: '/e/{event}/doors/paper/list',
  level: 'event',
  isFile: true,
  get: async ({ db, clock }, context, request) => {
    const { account, event, query, voice } = request
    const { texts, format } = voice
    const types = await db.read(account.id, tx => registrationTypes.listDetails(tx, event.id))
    const typeId = query.get('type') ?? undefined
    const type = types.find(({ id }) => id === typeId)
    const sold = (
      typeId === undefined ? ticketsAmong(types) : types.filter(({ id }) => id === typeId)
    ).reduce((sum, each) => sum + each.sold, 0)
    const part = Number(query.get('part') ?? '1')
    const parts = partsOf(sold)
    const isThere = Number.isInteger(part) && part >= 1 && part <= parts
    if ((typeId !== undefined && type === undefined) || !isThere) throw new Problem('not_found')
    const { holding } = context.state
    holding.keep('answer', Math.min(sold, MOST_NAMES) * BYTES_A_NAME + ROWS_A_FILE * BYTES_A_ROW)
    const place = { typeId, skip: (part - 1) * ROWS_A_FILE, most: ROWS_A_FILE }
    const rows = []
    const reader = readerFor(db, context.res)
    for await (const tickets of listByName(reader, account.id, event.id, undefined, place)) {
      for (const told of await tellStates(reader, account.id, tickets, voice)) rows.push(toRow(told, voice))
    }
    const of = [event.title, type?.name, parts === 1 ? undefined : tellPart(part, parts, voice)]
    const list = {
      language: request.user.language,
      title: of.filter(each => each !== undefined).join(' · '),
      author: account.name,
      issuedAt: clock(),
      about: texts.doors.paperMade(format.dateTime(clock())),
      columns: [texts.checkIn.name, texts.checkIn.ticket] as const,
      rows,
      nobody: texts.doors.paperNobody,
      leftOut: texts.doors.paperLeftOut,
      page: (at: number, count: number) => texts.doors.paperPage(format.number(at), format.number(count)),
    }
    const shares = [account.id, request.user.id]
    const file = await listPdf(list, { lane: 'members', shares, signal: goneSignal(context.res) })
    context.status = 200
    context.attachment(`${event.slug}${parts === 1 ? '' : `-${part}`}.pdf`)
    context.body = bodyOf(context.res, file)
    context.type = 'application/pdf'
    context.length = file.length
  },
}

function toRow({ ticket, state }: PrintedTicket, { texts }: Voice) {
  const { name, buyer_name: buyer, seat, checked_in_at } = ticket
  const isInside = checked_in_at !== null
  const what = [
    ticket.registration_type_name,
    seat === null ? undefined : texts.checkIn.seat(seat),
    isInside ? texts.checkIn.isInside : undefined,
    state,
  ]
  return {
    name: name ?? buyer,
    note: name === null || name === buyer ? null : texts.checkIn.boughtBy(buyer),
    what: what.filter(each => each !== undefined).join(' · '),
    isTicked: isInside,
  }
}

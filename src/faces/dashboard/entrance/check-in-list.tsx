import type { VNode } from 'preact'
import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { longPage } from '#faces/dashboard/frame/show.tsx'
import type { Reader } from '#machinery/db/batches.ts'
import { RowsThatFollow } from '#machinery/web/answer-page.ts'
import { Head } from '#machinery/web/components/parts.tsx'
import { ticketsAmong } from '#product/catalog/registration-types/kinds.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import { listByName } from '#product/entrance/check-ins/printed-list.ts'
import type { Texts } from '#texts/texts.ts'
import { type PrintedTicket, tellStates } from './paper-due.ts'

/** Sorting the list keeps this many bytes for each name, and at most `MOST_NAMES` names at a time. */
const BYTES_A_NAME = 200
const MOST_NAMES = 50_000

/** Lists everybody with a ticket by name, with boxes to tick, for a door without a screen. */
export const checkInList = longPage('event', {
  path: '/e/{event}/check-in/list',
  permission: 'checkins',
  load: async (tx, { event }) => {
    const types = ticketsAmong(await registrationTypes.listDetails(tx, event.id))
    return { sold: types.reduce((sum, type) => sum + type.sold, 0) }
  },
  keeps: ({ sold }) => Math.min(sold, MOST_NAMES) * BYTES_A_NAME,
  view: ({ sold }, { event, voice }) => {
    const { texts, format } = voice
    return {
      title: texts.checkIn.listTitle,
      body: (
        <>
          <Head
            title={
              <>
                {texts.checkIn.listTitle}: <bdi>{event.title}</bdi>
              </>
            }
            crumbs={<a href={paths.checkIn(event.id)}>{texts.navigation.checkIn}</a>}
            about={texts.checkIn.listAbout(format.number(sold))}
            actions={
              <button type="button" class="button main" data-print hidden>
                {texts.checkIn.listPrint}
              </button>
            }
          />
          <table class="paper">
            <caption class="hidden">{texts.checkIn.listTitle}</caption>
            <thead>
              <tr>
                <th scope="col">
                  <span class="hidden">{texts.checkIn.inside}</span>
                </th>
                <th scope="col">{texts.checkIn.name}</th>
                <th scope="col">{texts.checkIn.ticket}</th>
              </tr>
            </thead>
            <tbody>
              <RowsThatFollow />
            </tbody>
          </table>
        </>
      ),
    }
  },
  rows: writeRows,
})

async function* writeRows(reader: Reader, { account, event, voice }: EventRequest): AsyncGenerator<VNode[]> {
  for await (const tickets of listByName(reader, account.id, event.id)) {
    const told = await tellStates(reader, account.id, tickets, voice)
    yield told.map(each => <Row {...each} texts={voice.texts} />)
  }
}

function Row({ ticket, state, texts }: PrintedTicket & { texts: Texts }) {
  const { name, buyer_name: buyer, registration_type_name, seat, checked_in_at } = ticket
  return (
    <tr>
      <td>
        <span class={checked_in_at === null ? 'box' : 'box crossed'}>
          {checked_in_at !== null && <span class="hidden">{texts.checkIn.isInside}</span>}
        </span>
      </td>
      <th scope="row">
        <bdi>{name ?? buyer}</bdi>
        {name !== null && name !== buyer && (
          <span class="small quiet">
            {' '}
            <bdi>{texts.checkIn.boughtBy(buyer)}</bdi>
          </span>
        )}
      </th>
      <td>
        <bdi>{registration_type_name}</bdi>
        {seat !== null && (
          <>
            {' · '}
            <bdi>{texts.checkIn.seat(seat)}</bdi>
          </>
        )}
        {state !== undefined && <b> {state}</b>}
      </td>
    </tr>
  )
}

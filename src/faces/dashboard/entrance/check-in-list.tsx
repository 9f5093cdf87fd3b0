import type { VNode } from 'preact'
import { listByName } from '../../checkins/printed-list.ts'
import type { DoorTicket } from '../../checkins/tickets.ts'
import type { Reader } from '../../db/batches.ts'
import * as registrationTypes from '../../registration-types/rules.ts'
import { RowsThatFollow } from '../../web/answer-page.ts'
import { Head } from '../../web/components/parts.tsx'
import type { Texts } from '../../web/texts/texts.ts'
import type { OfEvent } from '../asked.ts'
import { paths } from '../paths.ts'
import { longPage } from '../show.tsx'

/** Of a name, while the list is put in order; so many names are kept at a time. */
const BYTES_A_NAME = 200
const MOST_NAMES = 50_000

/** Everybody with a ticket, by name, with boxes: for a door without a screen. */
export const checkInList = longPage('event', {
  path: '/e/{event}/check-in/list',
  permission: 'checkins',
  load: async (tx, { account, event }) => {
    const types = await registrationTypes.listDetails(tx, account.id, event.id)
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

async function* writeRows(reader: Reader, { account, event, voice }: OfEvent): AsyncGenerator<VNode[]> {
  for await (const tickets of listByName(reader, account.id, event.id)) {
    yield tickets.map(ticket => <Row ticket={ticket} texts={voice.texts} />)
  }
}

function Row({ ticket, texts }: { ticket: DoorTicket; texts: Texts }) {
  const { name, buyer_name: buyer, registration_status, registration_type_name, seat, checked_in_at } = ticket
  const state = registration_status === 'confirmed' ? undefined : texts.checkIn.states[registration_status]
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

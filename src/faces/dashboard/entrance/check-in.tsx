import { recordedWrite } from '../../access-log/recorded-write.ts'
import * as accessLog from '../../access-log/rules.ts'
import { findCode } from '../../attendees/ticket-code.ts'
import * as checkIns from '../../checkins/rules.ts'
import type { NewCheckIn } from '../../checkins/schemas.ts'
import { type DoorTicket, getTicket, listTickets } from '../../checkins/tickets.ts'
import type { Inside } from '../../figures/inside.ts'
import { isUuid } from '../../ids.ts'
import { findDueAtDoor } from '../../payments/door.ts'
import { lackingOf } from '../../payments/rules.ts'
import { Problem } from '../../problem.ts'
import * as registrationTypes from '../../registration-types/rules.ts'
import type { TypeDetails } from '../../registration-types/schemas.ts'
import { MINUTE } from '../../time.ts'
import { ButtonLink, Head, Live } from '../../web/components/parts.tsx'
import { flash } from '../../web/flash.ts'
import { withQuery } from '../../web/link.ts'
import type { AtDoor } from '../../web/texts/en/flash.ts'
import { type ActorNames, readActorNames } from '../actors.ts'
import { actorOf, type OfEvent, type Services } from '../asked.ts'
import type { Context } from '../context.ts'
import { type Destination, goTo } from '../destination.ts'
import { readCursor } from '../list-page.ts'
import type { PageAt } from '../page.ts'
import { paths } from '../paths.ts'
import { problemOfForm } from '../refused-form.ts'
import { showPage } from '../show.tsx'
import { type Admitted, InsideByType, InsideFigures, LatestCheckIns } from './check-in-figures.tsx'
import { FoundTickets, ScanForm, type Search, tellVerdict } from './check-in-parts.tsx'

/** How often the numbers are looked at again, in seconds. */
const EVERY = 5
/** What `recent` means. */
const RECENT = 5 * MINUTE
const FOUND_A_PAGE = 20
const LATEST = 8
/** Tickets that are not confirmed, of which a page looks for what is due. */
const MOST_DUE = 50
/** Of what is looked for; of a code no more is looked at than would be one. */
const MAX_SEARCH = 254
const MAX_CODE = 1000
/** Of a name in the cookie that tells what happened. */
const MAX_TOLD = 120

interface Loaded {
  types: readonly TypeDetails[]
  inside: Inside
  latest: readonly Admitted[]
  actors: ActorNames
  search: Search | undefined
}

/** The check-in of an event: what a scanner types into the field is checked in at once, all else is looked for. */
export const checkIn: PageAt<'event'> = {
  ...showPage('event', {
    path: '/e/{event}/check-in',
    permission: 'checkins',
    navigation: { icon: 'check', text: texts => texts.navigation.checkIn },
    prepare,
    view: (loaded, asked) => ({
      title: asked.voice.texts.navigation.checkIn,
      told: tellVerdict(asked),
      body: <CheckInPage loaded={loaded} asked={asked} />,
    }),
  }),
  post: take,
}

async function prepare(services: Services, asked: OfEvent): Promise<Loaded> {
  const { db, inside, clock } = services
  const { account, event } = asked
  const counted = await inside.count(db, account.id, event.id, clock() - RECENT)
  const { tickets } = await listTickets(db, account.id, event.id, { checked_in: true }, { limit: LATEST })
  const read = await db.read(async tx => {
    const latest: Admitted[] = []
    for (const ticket of tickets) {
      const at = Date.parse(ticket.checked_in_at as string)
      const done = { action: 'check_in.create', targetId: ticket.id, at }
      latest.push({ ...ticket, actor: await accessLog.findActor(tx, account.id, done) })
    }
    const types = await registrationTypes.listDetails(tx, account.id, event.id)
    return { latest, types, actors: await readActorNames(tx, account.id) }
  })
  return { inside: counted, ...read, search: await find(services, asked) }
}

async function find({ db, cursors }: Services, asked: OfEvent): Promise<Search | undefined> {
  const { account, event, query } = asked
  const q = (query.get('q') ?? '').trim().slice(0, MAX_SEARCH)
  if (q === '') return undefined
  const scope = `check-in ${event.id} ${q}`
  const page = { limit: FOUND_A_PAGE, after: readCursor(cursors, scope, asked) }
  const { tickets, next } = await listTickets(db, account.id, event.id, { q }, page)
  return {
    q,
    tickets,
    due: await findDue(db, account.id, tickets),
    next: next && cursors.encode(scope, next),
  }
}

/** What is to be paid at the door for tickets that are not confirmed. */
async function findDue(
  db: Services['db'],
  accountId: string,
  tickets: readonly DoorTicket[],
): Promise<Search['due']> {
  const pending = tickets.filter(({ registration_status: status }) => status === 'pending').slice(0, MOST_DUE)
  const due: [string, { amount: number; currency: string }][] = []
  await db.read(async tx => {
    for (const { id } of pending) {
      const found = await findDueAtDoor(tx, accountId, id)
      if (found === undefined) continue
      due.push([id, { amount: lackingOf(found.payment), currency: found.payment.currency }])
    }
  })
  return new Map(due)
}

function CheckInPage({ loaded, asked }: { loaded: Loaded; asked: OfEvent }) {
  const { event, voice } = asked
  const { texts } = voice
  const { search, inside, types, latest, actors } = loaded
  return (
    <>
      <Head
        title={texts.navigation.checkIn}
        actions={<ButtonLink href={paths.checkInList(event.id)}>{texts.checkIn.print}</ButtonLink>}
      />
      <div class="stack">
        <ScanForm event={event.id} texts={texts} />
        <div id="found" class="stack">
          {search !== undefined && <FoundTickets search={search} asked={asked} />}
        </div>
        <Live id="figures" every={EVERY}>
          <InsideFigures inside={inside} types={types} voice={voice} />
          <div class="two">
            <LatestCheckIns latest={latest} actors={actors} asked={asked} />
            {types.length > 1 && <InsideByType inside={inside} types={types} voice={voice} />}
          </div>
        </Live>
      </div>
    </>
  )
}

async function take(services: Services, context: Context, asked: OfEvent): Promise<void> {
  const { body } = context.state
  const q = (body.get('q') ?? '').trim()
  const ticket = body.get('ticket')
  const code = ticket === null ? findCode(q) : undefined
  if (ticket === null && code === undefined) {
    return goTo(services, context, {
      path: withQuery(paths.checkIn(asked.event.id), { q: q.slice(0, MAX_SEARCH) }),
    })
  }
  if (ticket !== null && !isUuid(ticket)) throw new Problem('not_found')
  const chosen = ticket === null ? { qr_code: code?.slice(0, MAX_CODE) } : { attendee_id: ticket }
  // Whoever was picked from a list is one of several, of whom the next may follow.
  const path = withQuery(paths.checkIn(asked.event.id), { q: ticket === null ? undefined : q })
  goTo(services, context, await admitTicket(services, asked, { ...chosen, event_id: asked.event.id }, path))
}

/** Checks in, and tells what came of it. @throws Problem not_found of a ticket that is not there for the asker */
async function admitTicket(
  { db }: Services,
  asked: OfEvent,
  input: NewCheckIn,
  path: string,
): Promise<Destination> {
  const { account, event } = asked
  try {
    const entry = checkIns.createEntry(input)
    const { resource } = await recordedWrite(
      db,
      actorOf(asked),
      tx => checkIns.create(tx, account.id, input),
      entry,
    )
    const ticket = await db.read(tx => getTicket(tx, account.id, event.id, resource.attendee_id))
    const undo = paths.undoThisCheckIn(event.id, ticket.id, resource.id)
    return { path, flash: flash('admitted', toAtDoor(ticket), { undo }) }
  } catch (error) {
    if (error instanceof Problem && error.code === 'not_found' && input.qr_code === undefined) throw error
    const problem = problemOfForm(error)
    const { code, details = {}, message, subject } = problem
    const ticket = subject && (await db.read(tx => findTicket(tx, account.id, event.id, subject)))
    const isDue =
      ticket && code === 'registration_not_confirmed' && (await findDue(db, account.id, [ticket])).size > 0
    const told = {
      ...toAtDoor(ticket || undefined),
      code,
      details,
      message,
      ...(isDue ? { due: ticket.id } : {}),
    }
    return {
      path,
      flash: flash('turnedAway', told, { tone: code === 'already_checked_in' ? 'warn' : 'bad' }),
    }
  }
}

/** Undefined for a ticket of another event: who that is, is not for this door. */
async function findTicket(...place: Parameters<typeof getTicket>): Promise<DoorTicket | undefined> {
  try {
    return await getTicket(...place)
  } catch (error) {
    if (error instanceof Problem && error.code === 'not_found') return undefined
    throw error
  }
}

function toAtDoor(ticket: DoorTicket | undefined): AtDoor {
  if (ticket === undefined) return { name: '', buyer: '', type: '', seat: '' }
  const { name, buyer_name, registration_type_name, seat } = ticket
  const cut = (text: string | null) => (text ?? '').slice(0, MAX_TOLD).toWellFormed()
  return {
    name: cut(name ?? buyer_name),
    buyer: name === null || name === buyer_name ? '' : cut(buyer_name),
    type: cut(registration_type_name),
    seat: cut(seat),
  }
}

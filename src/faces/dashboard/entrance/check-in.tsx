import { isUuid } from '#base/ids.ts'
import { Problem } from '#base/problem.ts'
import { MINUTE } from '#base/time.ts'
import { type ActorNames, readActorNames } from '#faces/dashboard/frame/actors.ts'
import type { Context } from '#faces/dashboard/frame/context.ts'
import { type Destination, goTo } from '#faces/dashboard/frame/destination.ts'
import { readCursor } from '#faces/dashboard/frame/list-page.ts'
import type { PageAt } from '#faces/dashboard/frame/page.ts'
import { actorOf, type EventRequest, type Services } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { problemOfForm } from '#faces/dashboard/frame/refused-form.ts'
import { showPage } from '#faces/dashboard/frame/show.tsx'
import { Head, Live } from '#machinery/web/components/parts.tsx'
import { flash } from '#machinery/web/flash.ts'
import { withQuery } from '#machinery/web/link.ts'
import { recordedWrite } from '#product/administration/access-log/recorded-write.ts'
import * as accessLog from '#product/administration/access-log/rules.ts'
import type { TypeKind } from '#product/catalog/registration-types/kinds.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import type { TypeDetails } from '#product/catalog/registration-types/schemas.ts'
import { findBadgesOf } from '#product/entrance/badges/rules.ts'
import * as checkIns from '#product/entrance/check-ins/rules.ts'
import type { NewCheckIn } from '#product/entrance/check-ins/schemas.ts'
import { type DoorTicket, getTicket, listTickets } from '#product/entrance/check-ins/tickets.ts'
import { findCode } from '#product/guests/attendees/ticket-code.ts'
import type { Inside } from '#product/reporting/figures/inside.ts'
import { readDueAtDoor } from '#product/selling/payments/door.ts'
import type { AtDoor } from '#texts/en/flash.ts'
import { type Admitted, InsideByType, InsideFigures, LatestCheckIns } from './check-in-figures.tsx'
import { describeVerdict, FoundTickets, ScanForm, type Search } from './check-in-parts.tsx'
import { CheckInTabs, findToLookAt, type ToLookAt } from './door-parts.tsx'
import { listTicketsOfOrder } from './order-tickets.ts'
import { tellTwinsApart } from './twins.tsx'

/** The numbers are looked at again this often, in seconds. */
const EVERY = 5
/** Check-ins within this time count as recent. */
const RECENT = 5 * MINUTE
const FOUND_A_PAGE = 20
const LATEST = 8
/** A page looks for what is due for at most this many tickets that are not confirmed. */
const MOST_DUE = 50
/** The most characters of a search, and of a code. No code is longer. */
const MAX_SEARCH = 254
const MAX_CODE = 1000
/** The most characters of a name in the cookie that tells what happened. */
const MAX_NAME = 120

interface Loaded {
  types: readonly TypeDetails[]
  inside: Inside
  latest: readonly Admitted[]
  actors: ActorNames
  search: Search | undefined
  toLookAt: ToLookAt | undefined
}

/**
 * Checks attendees of an event in. A code that a scanner types into the field is checked in at once. The page looks for any other
 * text.
 */
export const checkIn: PageAt<'event'> = {
  ...showPage('event', {
    path: '/e/{event}/check-in',
    permission: 'checkins',
    navigation: { icon: 'check', text: texts => texts.navigation.checkIn },
    prepare,
    view: (loaded, request) => ({
      title: request.voice.texts.navigation.checkIn,
      verdict: describeVerdict(request),
      body: <CheckInPage loaded={loaded} request={request} />,
    }),
  }),
  post: take,
}

async function prepare(services: Services, request: EventRequest): Promise<Loaded> {
  const { db, inside, clock } = services
  const { account, event } = request
  const counted = await inside.count(db, account.id, event.id, clock() - RECENT)
  const { tickets } = await listTickets(db, account.id, event.id, { checked_in: true }, { limit: LATEST })
  const read = await db.read(account.id, async tx => {
    const latest: Admitted[] = []
    for (const ticket of tickets) {
      const at = Date.parse(ticket.checked_in_at as string)
      const done = { action: 'check_in.create', targetId: ticket.id, at }
      latest.push({ ...ticket, actor: await accessLog.findActor(tx, done) })
    }
    const types = await registrationTypes.listDetails(tx, event.id)
    return {
      latest,
      types,
      actors: await readActorNames(tx),
      toLookAt: await findToLookAt(tx, request),
    }
  })
  return { inside: counted, ...read, search: await find(services, request) }
}

async function find({ db, cursors }: Services, request: EventRequest): Promise<Search | undefined> {
  const { account, event, query } = request
  const q = (query.get('q') ?? '').trim().slice(0, MAX_SEARCH)
  if (q === '') return undefined
  const scope = `check-in ${event.id} ${q}`
  const page = { limit: FOUND_A_PAGE, after: readCursor(cursors, scope, request) }
  const { tickets: named, next } = await listTickets(db, account.id, event.id, { q }, page)
  const tickets =
    named.length > 0 || next !== undefined
      ? named
      : await db.read(account.id, tx => listTicketsOfOrder(tx, event.id, q))
  return {
    q,
    tickets,
    due: await findDue(db, account.id, tickets),
    twins: await db.read(account.id, tx => tellTwinsApart(tx, tickets)),
    badges: await findBadges(db, request, tickets),
    next: next && cursors.encode(scope, next),
  }
}

/** Returns which of these tickets have a badge, and whether it is printed. It is undefined for an event without badges. */
async function findBadges(
  db: Services['db'],
  { account, event }: EventRequest,
  tickets: readonly DoorTicket[],
): Promise<Search['badges']> {
  if (event.badge_layout === null) return undefined
  const ids = tickets.map(({ id }) => id)
  return db.read(account.id, tx => findBadgesOf(tx, ids))
}

/** Returns what is to be paid at the door for tickets that are not confirmed. */
async function findDue(
  db: Services['db'],
  accountId: string,
  tickets: readonly DoorTicket[],
): Promise<Search['due']> {
  const pending = tickets.filter(({ registration_status: status }) => status === 'pending').slice(0, MOST_DUE)
  const due = await readDueAtDoor(db, accountId, pending)
  return new Map(
    pending.flatMap(({ id, registration_id }) => {
      const toPay = due.get(registration_id)
      return toPay === undefined ? [] : [[id, toPay] as const]
    }),
  )
}

function CheckInPage({ loaded, request }: { loaded: Loaded; request: EventRequest }) {
  const { event, voice } = request
  const { texts } = voice
  const { search, inside, types, latest, actors, toLookAt } = loaded
  return (
    <>
      <Head title={texts.navigation.checkIn} />
      <CheckInTabs current="desk" toLookAt={toLookAt} request={request} />
      <div class="stack">
        <ScanForm event={event.id} texts={texts} />
        <div id="found" class="stack">
          {search !== undefined && <FoundTickets search={search} request={request} />}
        </div>
        <Live id="figures" every={EVERY}>
          <InsideFigures inside={inside} types={types} voice={voice} />
          <div class="two">
            <LatestCheckIns latest={latest} actors={actors} request={request} />
            {types.length > 1 && <InsideByType inside={inside} types={types} voice={voice} />}
          </div>
        </Live>
      </div>
    </>
  )
}

async function take(services: Services, context: Context, request: EventRequest): Promise<void> {
  const { body } = context.state
  const q = (body.get('q') ?? '').trim()
  const ticket = body.get('ticket')
  const code = ticket === null ? findCode(q) : undefined
  if (ticket === null && code === undefined) {
    return goTo(services, context, {
      path: withQuery(paths.checkIn(request.event.id), { q: q.slice(0, MAX_SEARCH) }),
    })
  }
  if (ticket !== null && !isUuid(ticket)) throw new Problem('not_found')
  const chosen = ticket === null ? { qr_code: code?.slice(0, MAX_CODE) } : { attendee_id: ticket }
  // After a check-in from a list the search is kept, because the next attendee may be on the same list.
  const path = withQuery(paths.checkIn(request.event.id), { q: ticket === null ? undefined : q })
  goTo(
    services,
    context,
    await admitTicket(services, request, { ...chosen, event_id: request.event.id }, path),
  )
}

/**
 * Checks a ticket in, and returns a flash with the result.
 *
 * @throws Problem not_found for a chosen ticket that does not exist for the user
 */
async function admitTicket(
  { db }: Services,
  request: EventRequest,
  input: NewCheckIn,
  path: string,
): Promise<Destination> {
  const { account, event } = request
  try {
    const entry = checkIns.createEntry(input)
    const { resource } = await recordedWrite(
      db,
      actorOf(request),
      tx =>
        checkIns.create(
          tx,
          input,
          'scanner',
          undefined,
          input.qr_code === undefined ? undefined : refuseExtra,
        ),
      entry,
    )
    const ticket = await db.read(account.id, tx => getTicket(tx, event.id, resource.attendee_id))
    const undo = paths.undoThisCheckIn(event.id, ticket.id, resource.id)
    return { path, flash: flash('admitted', toAtDoor(ticket), { undo }) }
  } catch (error) {
    if (error instanceof Problem && error.code === 'not_found' && input.qr_code === undefined) throw error
    const problem = problemOfForm(error)
    const { code, details = {}, message, subject } = problem
    const ticket = subject && (await db.read(account.id, tx => findTicket(tx, event.id, subject)))
    const isDue =
      ticket && code === 'registration_not_confirmed' && (await findDue(db, account.id, [ticket])).size > 0
    const turnedAway = {
      ...toAtDoor(ticket || undefined),
      code,
      details,
      message,
      ...(isDue ? { due: ticket.id } : {}),
    }
    return {
      path,
      flash: flash('turnedAway', turnedAway, { tone: code === 'already_checked_in' ? 'warn' : 'bad' }),
    }
  }
}

/** A code of an extra hands out nothing at the desk, where nobody has chosen its type. Its line in the list does. */
function refuseExtra({ kind, attendee_id }: { kind: TypeKind; attendee_id: string }): void {
  if (kind === 'extra') throw new Problem('wrong_door', { subject: attendee_id })
}

/** Returns undefined for a ticket of another event, whose attendee is not for this door to know. */
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
  const cut = (text: string | null) => (text ?? '').slice(0, MAX_NAME).toWellFormed()
  return {
    name: cut(name ?? buyer_name),
    buyer: name === null || name === buyer_name ? '' : cut(buyer_name),
    type: cut(registration_type_name),
    seat: cut(seat),
  }
}

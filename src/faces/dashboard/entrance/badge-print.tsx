import { isUuid } from '#base/ids.ts'
import { Problem } from '#base/problem.ts'
import { button } from '#faces/dashboard/frame/button.ts'
import type { Context } from '#faces/dashboard/frame/context.ts'
import type { PageAt } from '#faces/dashboard/frame/page.ts'
import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { showPage } from '#faces/dashboard/frame/show.tsx'
import type { ReadTx } from '#machinery/db/port.ts'
import { goneSignal } from '#machinery/http/gone.ts'
import { bodyOf } from '#machinery/http/sending.ts'
import { badgesAPage } from '#machinery/ticket-documents/badge-formats.ts'
import { ButtonLink, Head, Live, PostButton, Progress } from '#machinery/web/components/parts.tsx'
import { flash } from '#machinery/web/flash.ts'
import { withQuery } from '#machinery/web/link.ts'
import * as jobs from '#product/administration/jobs/rules.ts'
import type { Job } from '#product/administration/jobs/schemas.ts'
import * as looks from '#product/catalog/looks/rules.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import { type BadgeSheet, drawBadges } from '#product/entrance/badges/document.ts'
import { MARK_PRINTED } from '#product/entrance/badges/mark-printed.ts'
import { listOfPrint, printOne } from '#product/entrance/badges/rules.ts'
import type { Badge } from '#product/entrance/badges/schemas.ts'
import { forgetPrinted } from '#product/guests/attendees/printed-badges.ts'
import * as questions from '#product/guests/questions/rules.ts'
import type { Texts } from '#texts/texts.ts'
import { OF_DOORS } from './door-parts.tsx'

/** The page of a large print looks again this often while a job notes its badges, in seconds. */
const EVERY = 2
/** The most bytes of the file of a badge, and of what it is drawn from. */
const BYTES_A_BADGE = 12_000

/** Returns the instant of the print that an address names. @throws Problem not_found */
function instantOf({ params }: EventRequest): number {
  const at = params.print ?? ''
  if (!/^\d{1,15}$/.test(at)) throw new Problem('not_found')
  return Number(at)
}

/** Returns the label with which a print begins, from 1. */
function firstOf({ query, event }: EventRequest): number {
  const first = Number(query.get('first') ?? '1')
  const most = event.badge_layout === null ? 1 : badgesAPage(event.badge_layout)
  return Number.isInteger(first) && first >= 1 && first <= most ? first : 1
}

interface Loaded {
  at: number
  found: readonly Badge[]
  /** The job that still notes the badges. */
  job: Job | undefined
}

/** @throws Problem not_found for an event without badges, or a job of something else */
async function load(tx: ReadTx, request: EventRequest): Promise<Loaded> {
  const { event, query } = request
  const at = instantOf(request)
  const id = query.get('job')
  if (event.badge_layout === null || (id !== null && !isUuid(id))) throw new Problem('not_found')
  const job = id === null ? undefined : await jobs.get(tx, id.toLowerCase())
  const isOther = job !== undefined && (job.event_id !== event.id || job.kind !== MARK_PRINTED)
  if (isOther) throw new Problem('not_found')
  const isUnderWay = job?.state === 'waiting' || job?.state === 'running'
  return { at, found: await listOfPrint(tx, event.id, at), job: isUnderWay ? job : undefined }
}

/** Shows a print: its file, and the way to take it back. */
export const badgePrint = showPage('event', {
  ...OF_DOORS,
  path: '/e/{event}/badges/prints/{print}',
  load,
  view: (loaded, request) => {
    const { event, voice } = request
    const { badges } = voice.texts
    const { found, job } = loaded
    const title = badges.printOf(job?.total ?? found.length)
    return {
      title,
      refresh: job === undefined ? undefined : EVERY,
      body: (
        <>
          <Head title={title} crumbs={<a href={paths.badges(event.id)}>{badges.title}</a>} />
          <Live id="print" every={job === undefined ? undefined : EVERY}>
            {job === undefined ? (
              <Printed loaded={loaded} request={request} />
            ) : (
              <Noting job={job} request={request} />
            )}
          </Live>
        </>
      ),
    }
  },
})

function Noting({ job, request: { voice } }: { job: Job; request: EventRequest }) {
  const { texts, format } = voice
  const { done, total } = job
  return (
    <div class="card stack">
      <p>{texts.badges.noting(format.number(done), format.number(total ?? 0))}</p>
      <Progress label={texts.badges.progress} done={done} total={total} />
    </div>
  )
}

function Printed({ loaded: { at, found }, request }: { loaded: Loaded; request: EventRequest }) {
  const { event, voice } = request
  const { texts, format } = voice
  const { badges } = texts
  const [only] = found
  const first = firstOf(request)
  const file = withQuery(paths.badgeFile(event.id, at), { first: first === 1 ? undefined : String(first) })
  if (only === undefined) {
    return (
      <div class="card stack">
        <p>{badges.nothingLeft}</p>
        <Ways request={request} />
      </div>
    )
  }
  return (
    <>
      <div class="card stack">
        {found.length === 1 && (
          <p>
            <strong>
              <bdi>{only.name}</bdi>
            </strong>
          </p>
        )}
        <p>
          {badges.howTo} {badges.printedAt(format.dateTime(at))}
        </p>
        <p class="row">
          <ButtonLink href={file} main>
            {badges.file}
          </ButtonLink>
          <PostButton action={paths.undoBadges(event.id, at)}>{badges.undo}</PostButton>
        </p>
        <p class="help">{badges.undoAbout}</p>
      </div>
      <Ways request={request} />
    </>
  )
}

function Ways({ request: { event, voice } }: { request: EventRequest }) {
  const { badges, navigation } = voice.texts
  return (
    <p class="row">
      <ButtonLink href={paths.badges(event.id)}>{badges.title}</ButtonLink>
      <ButtonLink href={paths.checkIn(event.id)}>{navigation.checkIn}</ButtonLink>
    </p>
  )
}

/** Answers with the badges of a print as a PDF, which is drawn off the event loop. */
export const badgeFile: PageAt<'event'> = {
  ...OF_DOORS,
  path: '/e/{event}/badges/prints/{print}/pdf',
  level: 'event',
  isFile: true,
  get: async ({ db }, context, request) => {
    const { account, event } = request
    const { sheet, found } = await db.read(account.id, async tx => ({
      ...(await load(tx, request)),
      sheet: await readSheet(tx, event.id),
    }))
    await answerBadges(context, request, found, { ...sheet, first: firstOf(request), at: instantOf(request) })
  },
}

/** Shows how the badges look, on made-up people. Nothing is noted as printed. */
export const badgeSample: PageAt<'event'> = {
  ...OF_DOORS,
  path: '/e/{event}/badges/sample/pdf',
  level: 'event',
  isFile: true,
  get: async ({ db, clock }, context, request) => {
    const { account, event, voice } = request
    const sheet = await db.read(account.id, tx => readSheet(tx, event.id))
    const found = sampleBadges(sheet, voice.texts.badges)
    await answerBadges(context, request, found, { ...sheet, first: 1, at: clock() })
  },
}

/** Returns a badge with a short name and one with a long one, which no door admits. */
function sampleBadges({ types, questions: all }: Sheet, { samples, sampleAnswer }: Texts['badges']): Badge[] {
  const answers = Object.fromEntries(all.map(({ key, choices }) => [key, choices[0] ?? sampleAnswer]))
  return samples.map((name, at) => ({
    ...{ id: name, name, code: 'SAMPLE', answers },
    typeId: (types[at] ?? types[0])?.id ?? '',
  }))
}

type Sheet = Pick<BadgeSheet, 'types' | 'questions' | 'logo'>

async function readSheet(tx: ReadTx, eventId: string): Promise<Sheet> {
  return {
    types: (await registrationTypes.listDetails(tx, eventId)).filter(({ kind }) => kind === 'ticket'),
    questions: await questions.list(tx, eventId),
    logo: (await looks.carry(tx, eventId)).logo,
  }
}

/** @throws Problem not_found without badges, and for an event that prints none */
async function answerBadges(
  context: Context,
  { account, event, user, voice }: EventRequest,
  found: readonly Badge[],
  sheet: Sheet & Pick<BadgeSheet, 'first' | 'at'>,
): Promise<void> {
  const layout = event.badge_layout
  if (found.length === 0 || layout === null) throw new Problem('not_found')
  context.state.holding.keep('answer', found.length * BYTES_A_BADGE)
  const of = { ...sheet, layout, event, organizer: account.name, voice }
  const shares = [account.id, user.id]
  const file = await drawBadges(found, of, { lane: 'badges', shares, signal: goneSignal(context.res) })
  context.status = 200
  context.attachment(`${event.slug}-badges.pdf`)
  context.body = bodyOf(context.res, file)
  context.type = 'application/pdf'
  context.length = file.length
}

/** Says that a print did not come out, so its badges are yet to be printed. */
export const undoBadges = button('event', {
  ...OF_DOORS,
  path: '/e/{event}/badges/prints/{print}/undo',
  act: (tx, request) => forgetPrinted(tx, request.event.id, instantOf(request)),
  entry: ({ event }) => ({
    action: 'badges.undo',
    targetType: 'event',
    targetId: event.id,
    hasChanged: badges => badges > 0,
    details: (_, badges) => ({ badges }),
  }),
  next: (n, { event }) => ({
    path: paths.badges(event.id),
    flash: n === 0 ? undefined : flash('badgesUndone', { n }),
  }),
  back: ({ event }) => paths.badges(event.id),
})

/** Prints the badge of one ticket, such as of somebody who has just arrived. */
export const printBadge = button('event', {
  ...OF_DOORS,
  path: '/e/{event}/badges/tickets/{ticket}',
  act: (tx, { event, params }) => {
    const id = params.ticket ?? ''
    if (event.badge_layout === null || !isUuid(id)) throw new Problem('not_found')
    return printOne(tx, event.id, id)
  },
  entry: ({ params }) => ({ action: 'badges.print', targetType: 'attendee', targetId: params.ticket }),
  next: ({ at }, { event }) => ({ path: paths.badgePrint(event.id, at) }),
  back: ({ event }) => paths.checkIn(event.id),
})

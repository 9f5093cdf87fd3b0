import { Problem } from '#base/problem.ts'
import { formPage } from '#faces/dashboard/frame/form-page.ts'
import { Will } from '#faces/dashboard/frame/form-parts.tsx'
import { actorOf, type EventRequest, type Services } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { readGuestQuery } from '#faces/dashboard/guests/guest-query.ts'
import { readTicked } from '#faces/dashboard/guests/send-choice.ts'
import { badgesAPage } from '#machinery/ticket-documents/badge-formats.ts'
import { ButtonLink, Empty } from '#machinery/web/components/parts.tsx'
import { choiceField, numberField, tickField } from '#machinery/web/forms/field.ts'
import { withQuery } from '#machinery/web/link.ts'
import { type List, ListTools, type Query, Table } from '#machinery/web/lists/list.tsx'
import { may } from '#product/administration/users/roles.ts'
import * as registrationTypes from '#product/catalog/registration-types/rules.ts'
import type { TypeDetails } from '#product/catalog/registration-types/schemas.ts'
import {
  type FoundBadges,
  findBadges,
  MOST_BADGES,
  type Print,
  startPrint,
} from '#product/entrance/badges/rules.ts'
import { CheckInTabs, findToLookAt, OF_DOORS, type ToLookAt } from './door-parts.tsx'

interface Looked {
  types: readonly TypeDetails[]
  query: Query
  found: FoundBadges
  /** The registrations that are ticked in the list of guests. It is undefined for all that the filters find. */
  chosen: readonly string[] | undefined
}

interface Loaded extends Looked {
  toLookAt: ToLookAt | undefined
}

const NOTHING: FoundBadges = { waiting: [], all: [], prints: [], isMore: false }

/** Finds the badges that the address asks for, as the list of guests does. */
async function look({ db }: Services, request: EventRequest): Promise<Looked> {
  const { account, event } = request
  const types = await db.read(account.id, tx => registrationTypes.listDetails(tx, event.id))
  const { query, filters } = readGuestQuery(request, types)
  const isShown = event.badge_layout !== null && filters !== undefined
  const scope = request.query.get('scope')
  const chosen = scope === 'ticked' || scope === 'page' ? readTicked(request.query) : undefined
  const found = isShown ? await findBadges(db, account.id, filters, types, chosen) : NOTHING
  return { types, query, found, chosen }
}

/** Returns an address that chooses the same registrations. */
function withTicked(path: string, chosen: readonly string[] | undefined): string {
  if (chosen === undefined) return path
  const ticked = new URLSearchParams([['scope', 'ticked'], ...chosen.map(id => ['id', id])])
  return `${path}${path.includes('?') ? '&' : '?'}${ticked}`
}

/** Whether the badges that were printed before may be printed again: all of them fit into one print. */
function isRepeatable({ all, waiting }: FoundBadges): boolean {
  return all.length > waiting.length && all.length <= MOST_BADGES
}

/** Prints the badges that are not printed yet, or also the others. */
export const badgesPage = formPage('event', {
  ...OF_DOORS,
  path: '/e/{event}/badges',
  look,
  load: async (tx, request, _services, looked: Looked): Promise<Loaded> => ({
    ...looked,
    toLookAt: await findToLookAt(tx, request),
  }),
  fields: ({ found }, { event: { badge_layout: layout } }) => ({
    first: numberField(1, layout === null ? 1 : badgesAPage(layout), {
      label: ({ badges }) => badges.first,
      help: ({ badges }) => badges.firstHelp(String(layout === null ? 1 : badgesAPage(layout))),
    }),
    again: tickField({ label: ({ badges }) => badges.again(found.all.length - found.waiting.length) }),
  }),
  initial: () => ({ first: 1, again: false }),
  parts: (loaded, request) => {
    const { event, member, voice } = request
    const { badges } = voice.texts
    const { found } = loaded
    const layout = event.badge_layout
    const tabs = <CheckInTabs current="badges" toLookAt={loaded.toLookAt} request={request} />
    const page = { title: badges.title, tabs, leave: paths.checkIn(event.id) }
    const toLayout = (text: string, main?: true) => (
      <ButtonLink href={paths.badgeLayout(event.id)} main={main ?? false}>
        {text}
      </ButtonLink>
    )
    const mayChange = may(member.role, 'events.edit')
    if (layout === null) {
      const about = mayChange ? badges.noneAbout : badges.noneForDoor
      const empty = (
        <Empty icon="tickets" title={badges.none} action={mayChange && toLayout(badges.setUp, true)}>
          {about}
        </Empty>
      )
      return { ...page, submit: '', instead: empty }
    }
    const isOnlyAgain = found.waiting.length === 0
    const count = Math.min(isOnlyAgain ? found.all.length : found.waiting.length, MOST_BADGES)
    const will = sentencesOf(found, badgesAPage(layout), request)
    const isNothing = found.isMore || count === 0 || (isOnlyAgain && !isRepeatable(found))
    const rows = [
      ...(badgesAPage(layout) > 1 ? ['first'] : []),
      ...(isRepeatable(found) && !isOnlyAgain ? ['again'] : []),
    ]
    return {
      ...page,
      about: badges.formats[layout.format],
      actions: (
        <>
          <ButtonLink href={paths.badgeSample(event.id)}>{badges.sample}</ButtonLink>
          {mayChange && toLayout(badges.layout)}
        </>
      ),
      action: withTicked(withQuery(paths.badges(event.id), loaded.query), loaded.chosen),
      first: <Tools loaded={loaded} request={request} />,
      will,
      rows: [rows],
      submit: (isOnlyAgain ? badges.printAgain : badges.print)(count),
      instead: isNothing ? (
        <div class="card">
          <Will sentences={will} />
        </div>
      ) : undefined,
      rest: <Prints prints={found.prints} request={request} />,
    }
  },
  act: (tx, request, { loaded: { found }, values }) => {
    const again = found.waiting.length === 0 || values.again
    const ids = again && isRepeatable(found) ? found.all : found.waiting
    if (found.isMore || ids.length === 0 || request.event.badge_layout === null)
      throw new Problem('invalid_transition', { details: { reason: 'nothing_to_print' } })
    const print = startPrint(tx, request.event.id, { ids, again, by: actorOf(request).who })
    return print.then(started => ({ ...started, first: values.first }))
  },
  entry: ({ event }) => ({
    action: 'badges.print',
    targetType: 'event',
    targetId: event.id,
    details: (_, print) => ({ badges: print?.badges }),
  }),
  next: ({ at, job, first }, { event }) => ({
    path: withQuery(paths.badgePrint(event.id, at), { first: first === 1 ? undefined : String(first), job }),
  }),
})

function sentencesOf(
  found: FoundBadges,
  aPage: number,
  { voice: { texts, format } }: EventRequest,
): string[] {
  const { badges } = texts
  const { all, waiting, isMore } = found
  if (isMore) return [badges.tooMany]
  if (all.length === 0) return [badges.nobody]
  const most = format.number(MOST_BADGES)
  if (waiting.length === 0)
    return [badges.allPrinted(all.length), ...(isRepeatable(found) ? [] : [badges.narrow(most)])]
  const pages = Math.ceil(Math.min(waiting.length, MOST_BADGES) / aPage)
  return [
    `${badges.waiting(waiting.length)} ${badges.sheets(pages)}`,
    ...(waiting.length > MOST_BADGES ? [badges.most(most)] : []),
  ]
}

function Tools({ loaded: { types, query }, request }: { loaded: Loaded; request: EventRequest }) {
  const { event, voice } = request
  const offered = types.filter(({ kind }) => kind === 'ticket')
  const choices = offered.map(({ id, name }) => ({ value: id, label: name }))
  const type = choiceField(
    offered.map(({ id }) => id),
    () => choices,
    { label: texts => texts.guests.type },
  )
  return (
    <ListTools
      path={paths.badges(event.id)}
      query={query}
      voice={voice}
      search={voice.texts.badges.search}
      filters={offered.length > 1 ? { type } : {}}
      kept={['state', 'sent']}
    />
  )
}

function Prints({ prints, request: { event, voice } }: { prints: readonly Print[]; request: EventRequest }) {
  if (prints.length === 0) return null
  const list: List<Print> = {
    caption: ({ badges }) => badges.prints,
    columns: [
      {
        label: ({ badges }) => badges.when,
        place: 'name',
        cell: ({ at }, { format }) => format.dateTime(at),
      },
      {
        label: ({ badges }) => badges.badges,
        place: 'line',
        isNumber: true,
        cell: ({ badges }, { format }) => format.number(badges),
      },
      {
        label: ({ badges }) => badges.action,
        place: 'amount',
        isNumber: true,
        isAction: true,
        cell: ({ at }, { texts: { badges }, format }) => (
          <a
            class="button"
            href={paths.badgePrint(event.id, at)}
            aria-label={badges.openOf(format.dateTime(at))}
          >
            {badges.open}
          </a>
        ),
      },
    ],
  }
  return <Table list={list} rows={prints} voice={voice} hasHeading />
}

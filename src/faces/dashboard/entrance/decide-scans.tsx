import { createHash } from 'node:crypto'
import { isUuid } from '#base/ids.ts'
import { Problem } from '#base/problem.ts'
import { formPage } from '#faces/dashboard/frame/form-page.ts'
import { actorOf, type EventRequest, type Services } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { ButtonLink, Empty, Head } from '#machinery/web/components/parts.tsx'
import type { FormState } from '#machinery/web/forms/form.ts'
import { Form } from '#machinery/web/forms/form-view.tsx'
import { withQuery } from '#machinery/web/link.ts'
import type { Voice } from '#machinery/web/voice.ts'
import * as many from '#product/entrance/check-ins/decide-many.ts'
import * as scanCases from '#product/entrance/check-ins/scan-cases.ts'
import { ChooseScans, type Chosen, type Door, readChosen } from './choose-scans.tsx'
import { OF_DECISIONS } from './door-parts.tsx'

/** The page names this many tickets. */
const MOST_NAMED = 100

type Loaded = { doors: readonly Door[] } & (
  | { chosen?: undefined }
  | { chosen: Chosen; look: many.DecisionPreview }
)

/**
 * Decides about many scans at once, as the address names them: of one ticket at one door, of a door, of a span of time, or all.
 * The page first asks which scans, then says what would happen, and acts only after that.
 */
export const decideScans = formPage('event', {
  ...OF_DECISIONS,
  path: '/e/{event}/doors/decide',
  look: lookFirst,
  load: async (_tx, _request, _services, loaded: Loaded) => loaded,
  fields: () => ({}),
  // Scans that arrived since the page was shown are left out, so only other decisions about these scans change the preview.
  preview: ({ chosen, ...rest }) =>
    chosen === undefined ? '' : digest({ chosen, ...('look' in rest ? rest.look.outcomes : {}) }),
  view: (loaded, request, state) => {
    const { doors: texts } = request.voice.texts
    const { chosen } = loaded
    if (chosen === undefined) {
      const title = isOfConflicts(request) ? texts.seeTitle : texts.decideTitle
      return { title, body: <Choose title={title} doors={loaded.doors} request={request} /> }
    }
    const title = texts.ask[chosen.decision](loaded.look.scans)
    return { title, body: <Confirm title={title} {...loaded} request={request} state={state} /> }
  },
  act: (tx, request, { loaded }) => {
    if (loaded.chosen === undefined) throw new Problem('not_found')
    const { event } = request
    const scans = { ...loaded.chosen, eventId: event.id }
    return many.start(tx, scans, { look: loaded.look, by: actorOf(request).who })
  },
  entry: ({ event }) => ({
    action: 'scans.decide',
    targetType: 'job',
    targetOf: ({ id }) => id,
    details: (_, job) => ({ event_id: event.id, scans: job?.total, ...job?.input }),
  }),
  next: ({ id }, { event }) => ({ path: paths.job(event.id, id) }),
})

function digest(content: object): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('base64url')
}

function isOfConflicts({ query }: EventRequest): boolean {
  return query.get('show') === 'conflict' || query.get('decision') === 'seen'
}

/** @throws Problem not_found for a case of another event, or a case that is over */
async function lookFirst({ db }: Services, request: EventRequest): Promise<Loaded> {
  const { account, event, query } = request
  const outcome = isOfConflicts(request) ? 'conflict' : 'held'
  const doors = await db.read(account.id, tx => scanCases.listDoors(tx, event.id, outcome))
  const chosen = readChosen(doors, request)
  if ('state' in chosen) return { doors }
  const { caseId } = chosen
  if (caseId !== undefined) {
    if (!isUuid(caseId)) throw new Problem('not_found')
    await db.read(account.id, tx => scanCases.get(tx, caseId, event.id))
  }
  const received = /^\d{1,15}$/.exec(query.get('received') ?? '')?.[0]
  const receivedBy = received === undefined ? {} : { receivedBy: Number(received) }
  const look = await many.previewDecision(db, account.id, { ...chosen, eventId: event.id, ...receivedBy })
  return { doors, chosen, look }
}

function Crumb({ request: { event, voice }, show }: { request: EventRequest; show: string }) {
  return <a href={withQuery(paths.scans(event.id), { show })}>{voice.texts.doors.scans}</a>
}

function Choose({ title, doors, request }: { title: string; doors: readonly Door[]; request: EventRequest }) {
  const show = isOfConflicts(request) ? 'conflict' : 'held'
  return (
    <>
      <Head
        title={title}
        about={request.voice.texts.doors.decideAbout}
        crumbs={<Crumb request={request} show={show} />}
      />
      <ChooseScans doors={doors} request={request} />
    </>
  )
}

interface ConfirmProps {
  title: string
  doors: readonly Door[]
  chosen: Chosen
  look: many.DecisionPreview
  request: EventRequest
  state: FormState
}

function Confirm({ title, doors, chosen, look, request, state }: ConfirmProps) {
  const { event, voice, query } = request
  const { texts, format } = voice
  const { decision } = chosen
  const show = decision === 'seen' ? 'conflict' : 'held'
  const back = withQuery(paths.scans(event.id), { show })
  if (look.scans === 0) {
    const { noHeld, noConflicts, noneLeft, backToScans } = texts.doors
    return (
      <>
        <Head title={title} crumbs={<Crumb request={request} show={show} />} />
        <Empty
          icon="check"
          title={show === 'held' ? noHeld : noConflicts}
          action={<ButtonLink href={back}>{backToScans}</ButtonLink>}
        >
          {noneLeft}
        </Empty>
      </>
    )
  }
  const action = new URLSearchParams(query)
  action.set('received', String(look.receivedBy))
  const others = new URLSearchParams(query)
  for (const name of ['received', 'case']) others.delete(name)
  others.set('edit', '1')
  others.set('show', show)
  const facts = factsOf(chosen, doors, request)
  return (
    <>
      <Head title={title} about={<bdi>{facts}</bdi>} crumbs={<Crumb request={request} show={show} />} />
      <div class="card stack">
        <Form
          state={state}
          texts={texts}
          action={`${paths.decideScans(event.id)}?${action}`}
          submit={submitOf(decision, voice)}
          leave={back}
          isDanger={decision === 'dismiss'}
          isGuarded={false}
        >
          <ul class="will">
            {many.manyOutcomes
              .filter(outcome => look.outcomes[outcome] > 0)
              .map(outcome => (
                <li key={outcome}>{texts.doors.would[outcome](look.outcomes[outcome])}</li>
              ))}
            {look.isMore && <li>{texts.doors.onlySome(format.number(look.scans))}</li>}
            <li>{texts.doors.laterOnes}</li>
          </ul>
          <Named look={look} voice={voice} />
        </Form>
        <p>
          <a href={`${paths.decideScans(event.id)}?${others}`}>{texts.doors.change}</a>
        </p>
      </div>
    </>
  )
}

function submitOf(decision: many.ManyDecision, { texts: { doors } }: Voice): string {
  return decision === 'seen' ? doors.seen : doors.decisions[decision]
}

/** Says which door and which time the choice covers. */
function factsOf(chosen: Chosen, doors: readonly Door[], { voice }: EventRequest): string {
  const { texts, format } = voice
  const { caseId, deviceId, from, to } = chosen
  const door = doors.find(({ id }) => id === deviceId)?.name
  return [
    ...(caseId === undefined ? [door ?? texts.doors.allDoors] : [texts.doors.ofOneCaption]),
    ...(from === undefined ? [] : [texts.doors.from(format.dateTime(from))]),
    ...(to === undefined ? [] : [texts.doors.to(format.dateTime(to))]),
  ].join(' · ')
}

/** Lists what would become of each ticket. */
function Named({ look: { tickets, others }, voice }: { look: many.DecisionPreview; voice: Voice }) {
  const { texts, format } = voice
  const { byTicket, brief, elsewhere, noTicket, otherTickets, many: tell } = texts.doors
  const named = tickets.slice(0, MOST_NAMED)
  const more = others + tickets.length - named.length
  return (
    <details open={named.length <= 5}>
      <summary>{byTicket}</summary>
      <ul class="named">
        {named.map(({ ticket, door, scans, outcomes }) => (
          <li key={`${door} ${ticket?.id}`}>
            <bdi>{ticket?.name ?? noTicket}</bdi>{' '}
            <span class="quiet">
              {ticket !== null && (
                <>
                  <bdi>{ticket.registration_type_name}</bdi> ·{' '}
                </>
              )}
              <bdi>{door ?? elsewhere}</bdi> · {tell(scans)}:{' '}
              {many.manyOutcomes
                .filter(outcome => outcomes[outcome] > 0)
                .map(outcome => brief[outcome](format.number(outcomes[outcome])))
                .join(', ')}
            </span>
          </li>
        ))}
        {more > 0 && <li class="quiet">{otherTickets(format.number(more))}</li>}
      </ul>
    </details>
  )
}

import { type ActorNames, describeActor } from '#faces/dashboard/frame/actors.ts'
import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { showPage } from '#faces/dashboard/frame/show.tsx'
import { ButtonLink, Empty, Head, Pill, Time } from '#machinery/web/components/parts.tsx'
import type { Tone } from '#machinery/web/flash.ts'
import { withQuery } from '#machinery/web/link.ts'
import { type List, Pages, Table } from '#machinery/web/lists/list.tsx'
import type { Voice } from '#machinery/web/voice.ts'
import type * as scanLog from '#product/entrance/check-ins/scan-log.ts'
import { CheckInTabs, mayDecide, OF_DOORS, ScanTabs } from './door-parts.tsx'
import { Actions, ActionsOfMany } from './scan-actions.tsx'
import { type Loaded, load, nameOf, type Row } from './scan-rows.ts'

/** Lists what doors have scanned: all scans, those admitted twice, or those that wait for a decision. */
export const scansPage = showPage('event', {
  ...OF_DOORS,
  path: '/e/{event}/doors/scans',
  load,
  view: (loaded, request) => ({
    title: request.voice.texts.doors.scans,
    body: <Scans loaded={loaded} request={request} />,
  }),
})

function Scans({ loaded, request }: { loaded: Loaded; request: EventRequest }) {
  const { event, voice, query } = request
  const { doors: texts } = voice.texts
  const { show, caseId, rows, next, toLookAt } = loaded
  const about = { all: undefined, conflict: texts.conflictAbout, held: texts.heldAbout }[show]
  const after = query.get('after') ?? undefined
  return (
    <>
      <Head
        title={texts.scans}
        actions={
          show !== 'all' &&
          rows.length > 0 &&
          mayDecide(request) && (
            <ButtonLink href={withQuery(paths.decideScans(event.id), { show })}>
              {show === 'held' ? texts.decideSeveral : texts.seeSeveral}
            </ButtonLink>
          )
        }
      />
      <CheckInTabs current="scans" toLookAt={toLookAt} request={request} />
      <ScanTabs current={show} toLookAt={toLookAt} request={request} />
      {rows.length === 0 ? (
        <Nothing show={show} request={request} />
      ) : (
        <div class="stack">
          {about !== undefined && <p class="quiet">{about}</p>}
          <Table list={listOf(loaded, request)} rows={rows} voice={voice} />
        </div>
      )}
      <Pages
        path={paths.scans(event.id)}
        query={{ show: show === 'all' ? undefined : show, case: caseId, after }}
        shown={rows.length}
        next={next}
        texts={voice.texts}
      />
    </>
  )
}

function Nothing({ show, request: { event, voice } }: { show: scanLog.ScanList; request: EventRequest }) {
  const { texts } = voice
  const { noScans, noScansAbout, noConflicts, noHeld, noneLeft } = texts.doors
  if (show === 'all')
    return (
      <Empty
        icon="list"
        title={noScans}
        action={<ButtonLink href={paths.newDoor(event.id)}>{texts.doors.add}</ButtonLink>}
      >
        {noScansAbout}
      </Empty>
    )
  return (
    <Empty icon="check" title={show === 'held' ? noHeld : noConflicts}>
      {noneLeft}
    </Empty>
  )
}

const tones: Readonly<Record<scanLog.LoggedScan['outcome'], Tone | 'off' | undefined>> = {
  admitted: 'good',
  refused: 'off',
  conflict: 'bad',
  undone: 'off',
  held: 'warn',
  left: undefined,
}

function listOf({ show, caseId, actors }: Loaded, request: EventRequest): List<Row> {
  return {
    caption: ({ doors: texts }) =>
      caseId !== undefined
        ? texts.ofOneCaption
        : { all: texts.allCaption, conflict: texts.conflictCaption, held: texts.heldCaption }[show],
    hasLongLines: true,
    columns: [
      {
        label: texts => texts.doors.ticket,
        place: 'name',
        cell: (row, voice) => (
          <>
            <bdi>{nameOf(row, voice)}</bdi>
            {row.ticket !== null && (
              <div class="small quiet">
                <bdi>{row.ticket.registration_type_name}</bdi>
              </div>
            )}
            <div class="small quiet only-narrow">
              <ByWhom row={row} voice={voice} />
            </div>
          </>
        ),
      },
      {
        label: texts => texts.doors.what,
        place: 'line',
        cell: (row, voice) => (
          <>
            <Pill tone={tones[row.outcome]}>{tellOutcome(row, voice)}</Pill>
            {row.first !== null && <> {voice.texts.doors.many(row.first.scans)}</>}
            {tellMore(row, voice).map(sentence => (
              <div class="small" key={sentence}>
                <bdi>{sentence}</bdi>
              </div>
            ))}
            <Holder row={row} voice={voice} actors={actors} />
          </>
        ),
      },
      {
        label: texts => texts.doors.name,
        place: 'wide',
        cell: (row, voice) => <ByWhom row={row} voice={voice} />,
      },
      {
        label: texts => texts.doors.when,
        place: 'when',
        isNumber: true,
        cell: ({ scanned_at: at, first }, { format }) => (
          <>
            <Time at={at} format={format} short />
            {first !== null && first.last_scanned_at !== at && (
              <>
                {' – '}
                <Time at={first.last_scanned_at} format={format} short />
              </>
            )}
          </>
        ),
      },
      {
        label: texts => texts.doors.action,
        place: 'amount',
        isNumber: true,
        isAction: true,
        cell: row =>
          row.first === null ? (
            <Actions row={row} show={show} caseId={caseId} request={request} />
          ) : (
            <ActionsOfMany row={row} of={row.first} request={request} />
          ),
      },
    ],
  }
}

function ByWhom({ row: { door }, voice }: { row: Row; voice: Voice }) {
  return <bdi>{door ?? voice.texts.doors.elsewhere}</bdi>
}

function tellOutcome({ kind, outcome }: Row, { texts: { doors, entries } }: Voice): string {
  if (kind === 'exit' && outcome === 'refused') return entries.noExit
  if (kind !== 'undo' || outcome === 'refused') return doors.outcomes[outcome]
  return outcome === 'held' ? `${doors.outcomes.held}: ${doors.undoing}` : doors.undoing
}

/** Returns the reason, and what the attendee saw. */
function tellMore(
  { outcome, reason, note, shown, kind, by_hand: byHand, first }: Row,
  { texts }: Voice,
): string[] {
  const { doors } = texts
  const notes: string[] = []
  const isHeld = outcome === 'held'
  if (reason !== null && (kind === 'scan' || isHeld || outcome === 'refused'))
    notes.push(doors.reason(reason))
  else if (note !== null) notes.push(note)
  // The scans of a case may differ in this, so the page leaves it out.
  if (!isHeld || kind === 'undo' || first !== null) return notes
  const seen = { admitted: doors.shownAdmitted, refused: doors.shownRefused, none: doors.shownNothing }
  return [...notes, seen[shown ?? 'none'], ...(byHand ? [doors.byHand] : [])]
}

/** Shows who holds the check-in, or the entry, instead. */
function Holder({ row, voice, actors }: { row: Row; voice: Voice; actors: ActorNames }) {
  const { kind, outcome, holder, ticket, actor } = row
  const { texts, format } = voice
  const isOpen = kind === 'scan' && ticket !== null && (outcome === 'conflict' || outcome === 'held')
  if (!isOpen || (holder === null && outcome === 'held')) return null
  if (holder === null) return <div class="small">{texts.doors.free}</div>
  const person = actor === null ? texts.doors.elsewhere : describeActor(actor, actors, texts)
  return (
    <div class="small">
      {texts.doors[holder.check_in_id === null ? 'enteredBy' : 'heldBy'](format.dayTime(holder.at))}{' '}
      <bdi>{holder.door ?? person}</bdi>
    </div>
  )
}

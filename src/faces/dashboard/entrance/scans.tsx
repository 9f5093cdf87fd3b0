import * as accessLog from '../../access-log/rules.ts'
import * as scanLog from '../../checkins/scan-log.ts'
import type { ReadTx } from '../../db/port.ts'
import { Empty, Head, Pill, PostButton, Time } from '../../web/components/parts.tsx'
import type { Tone } from '../../web/flash.ts'
import { type List, Pages, Table } from '../../web/lists/list.tsx'
import type { Voice } from '../../web/voice.ts'
import { type ActorNames, readActorNames, tellActor } from '../actors.ts'
import type { OfEvent, Services } from '../asked.ts'
import { countToLookAt, DoorTabs, mayDecide, OF_DOORS, type ToLookAt } from '../door-parts.tsx'
import { readCursor, toNext } from '../list-page.ts'
import { paths } from '../paths.ts'
import { showPage } from '../show.tsx'

const PER_PAGE = 50

/** A scan, and who has made the check-in that its ticket has, where no door did; null where nobody knows. */
interface Row extends scanLog.LoggedScan {
  actor: string | null
}

interface Loaded {
  show: scanLog.ScanList
  rows: readonly Row[]
  next: string | undefined
  toLookAt: ToLookAt
  actors: ActorNames
}

/** What doors have scanned: all, what was admitted twice, or what somebody is to decide on. */
export const scansPage = showPage('event', {
  ...OF_DOORS,
  path: '/e/{event}/doors/scans',
  load,
  view: (loaded, asked) => ({
    title: asked.voice.texts.doors.scans,
    body: <Scans loaded={loaded} asked={asked} />,
  }),
})

async function load(tx: ReadTx, asked: OfEvent, { cursors }: Services): Promise<Loaded> {
  const { account, event, query } = asked
  const wanted = query.get('show')
  const show = scanLog.scanLists.find(each => each === wanted) ?? 'all'
  const scope = `scans ${event.id} ${show}`
  const page = { limit: PER_PAGE + 1, after: readCursor(cursors, scope, asked) }
  const found = [...(await scanLog.list(tx, account.id, event.id, show, page))]
  const rows: Row[] = []
  for (const { resource } of found.slice(0, PER_PAGE)) {
    const { ticket, holder, outcome } = resource
    const isMade = outcome === 'conflict' && ticket !== null && holder?.scan_id === null
    const done = { action: 'check_in.create', targetId: ticket?.id ?? '', at: Date.parse(holder?.at ?? '') }
    rows.push({ ...resource, actor: isMade ? await accessLog.findActor(tx, account.id, done) : null })
  }
  return {
    ...{ show, rows, next: toNext(cursors, scope, found, PER_PAGE) },
    toLookAt: await countToLookAt(tx, asked),
    actors: rows.some(({ actor }) => actor !== null) ? await readActorNames(tx, account.id) : new Map(),
  }
}

function Scans({ loaded, asked }: { loaded: Loaded; asked: OfEvent }) {
  const { event, voice, query } = asked
  const { doors: texts } = voice.texts
  const { show, rows, next, toLookAt } = loaded
  const about = { all: undefined, conflict: texts.conflictAbout, held: texts.heldAbout }[show]
  const after = query.get('after') ?? undefined
  return (
    <>
      <Head title={texts.scans} crumbs={<a href={paths.doors(event.id)}>{texts.title}</a>} />
      <DoorTabs current={show} toLookAt={toLookAt} asked={asked} />
      {rows.length === 0 ? (
        <Nothing show={show} voice={voice} />
      ) : (
        <div class="stack">
          {about !== undefined && <p class="quiet">{about}</p>}
          <Table list={listOf(loaded, asked)} rows={rows} voice={voice} />
        </div>
      )}
      <Pages
        path={paths.scans(event.id)}
        query={{ show: show === 'all' ? undefined : show, after }}
        shown={rows.length}
        next={next}
        texts={voice.texts}
      />
    </>
  )
}

function Nothing({ show, voice: { texts } }: { show: scanLog.ScanList; voice: Voice }) {
  const { noScans, noScansAbout, noConflicts, noHeld, noneLeft } = texts.doors
  if (show === 'all')
    return (
      <Empty icon="list" title={noScans}>
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
}

export function nameOf(
  { ticket, kind }: Pick<scanLog.LoggedScan, 'ticket' | 'kind'>,
  { texts }: Voice,
): string {
  // An undo that was brought from a box, whose scan stayed there as it counts for nothing.
  return ticket?.name ?? (kind === 'undo' ? texts.doors.ofNothing : texts.doors.noTicket)
}

function listOf({ show, actors }: Loaded, asked: OfEvent): List<Row> {
  return {
    caption: ({ doors: texts }) =>
      ({ all: texts.allCaption, conflict: texts.conflictCaption, held: texts.heldCaption })[show],
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
        cell: ({ scanned_at: at }, { format }) => <Time at={at} format={format} short />,
      },
      {
        label: texts => texts.doors.action,
        place: 'amount',
        isNumber: true,
        isAction: true,
        cell: row => <Actions row={row} show={show} asked={asked} />,
      },
    ],
  }
}

function ByWhom({ row: { door }, voice }: { row: Row; voice: Voice }) {
  return <bdi>{door ?? voice.texts.doors.elsewhere}</bdi>
}

function tellOutcome({ kind, outcome }: Row, { texts: { doors } }: Voice): string {
  if (kind === 'scan' || outcome === 'refused') return doors.outcomes[outcome]
  return outcome === 'held' ? `${doors.outcomes.held}: ${doors.undoing}` : doors.undoing
}

/** Why, and what the guest saw. */
function tellMore({ outcome, reason, note, shown, kind, by_hand: byHand }: Row, { texts }: Voice): string[] {
  const { doors } = texts
  const said: string[] = []
  const isHeld = outcome === 'held'
  if (reason !== null && (kind === 'scan' || isHeld)) said.push(doors.reason(reason))
  else if (note !== null) said.push(note)
  if (!isHeld || kind === 'undo') return said
  const seen = { admitted: doors.shownAdmitted, refused: doors.shownRefused, none: doors.shownNothing }
  return [...said, seen[shown ?? 'none'], ...(byHand ? [doors.byHand] : [])]
}

/** Who holds the check-in instead. */
function Holder({ row, voice, actors }: { row: Row; voice: Voice; actors: ActorNames }) {
  const { kind, outcome, holder, ticket, actor } = row
  const { texts, format } = voice
  const isAsked = kind === 'scan' && ticket !== null && (outcome === 'conflict' || outcome === 'held')
  if (!isAsked || (holder === null && outcome === 'held')) return null
  if (holder === null) return <div class="small">{texts.doors.free}</div>
  const person = actor === null ? texts.doors.elsewhere : tellActor(actor, actors, texts)
  return (
    <div class="small">
      {texts.doors.heldBy(format.dayTime(holder.at))} <bdi>{holder.door ?? person}</bdi>
    </div>
  )
}

function Actions({ row, show, asked }: { row: Row; show: scanLog.ScanList; asked: OfEvent }) {
  const { event, voice } = asked
  const { texts, format } = voice
  const { id, kind, outcome, seen_at: seen, scanned_at } = row
  const [name, when] = [nameOf(row, voice), format.dayTime(scanned_at)]
  const path = (what: 'undo' | 'admit' | 'dismiss' | 'seen') => paths.ofScan(event.id, id, what)
  const fields = { show }
  const decides = mayDecide(asked)
  if (outcome === 'held') {
    if (!decides) return null
    return (
      <span class="row">
        <PostButton action={path('admit')} fields={fields} label={texts.doors.admitOf(name, when)}>
          {texts.doors.admit}
        </PostButton>
        <PostButton
          action={path('dismiss')}
          fields={fields}
          tone="plain"
          label={texts.doors.dismissOf(name, when)}
        >
          {texts.doors.dismiss}
        </PostButton>
      </span>
    )
  }
  if (kind === 'undo' || (outcome !== 'admitted' && outcome !== 'conflict')) return null
  if (outcome === 'conflict' && !decides) return null
  return (
    <span class="row">
      {outcome === 'conflict' && seen === null && (
        <PostButton action={path('seen')} fields={fields} label={texts.doors.seenOf(name, when)}>
          {texts.doors.seen}
        </PostButton>
      )}
      <a class="button plain" href={path('undo')} aria-label={texts.doors.undoOf(name, when)}>
        {texts.doors.undo}
      </a>
    </span>
  )
}

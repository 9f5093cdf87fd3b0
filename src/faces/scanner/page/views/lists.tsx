import type { TicketRow } from '../contract.ts'
import { MOST_FOUND } from '../search.ts'
import type { StoredScan } from '../store.ts'
import { type Texts, textsIn } from '../texts/texts.ts'
import { count, when } from './parts.tsx'
import type { ViewProps } from './props.ts'
import { firstIn, reasonIn } from './words.ts'

/** Finds guests by their names, if the door may do so. */
export function Search({ door, state }: ViewProps) {
  const { search } = textsIn(state.language)
  if (state.device?.search !== true) {
    return (
      <section class="panel">
        <h2>{search.title}</h2>
        <p>{search.off}</p>
      </section>
    )
  }
  const { text, found } = state.search
  return (
    <section class="panel">
      <h2>{search.title}</h2>
      <form class="stack" onSubmit={event => event.preventDefault()}>
        <label for="name">{search.label}</label>
        <input
          id="name"
          type="search"
          autocomplete="off"
          spellcheck={false}
          value={text}
          onInput={event => door.search(event.currentTarget.value)}
        />
      </form>
      <p role="status">
        {text.trim() !== '' && found.length === 0 && search.none}
        {found.length === MOST_FOUND && search.many}
      </p>
      <ul class="rows">
        {found.map(row => (
          <Found key={row[0]} door={door} state={state} row={row} />
        ))}
      </ul>
    </section>
  )
}

function Found({ door, state, row }: ViewProps & { row: TicketRow }) {
  const texts = textsIn(state.language)
  const [id, , ticketState, name, seat, owes] = row
  const isOut = state.device?.way === 'out'
  const usedAt = door.copy.firstOf(id, Date.now() + (state.wrongBy ?? 0))?.at ?? null
  const act = isOut ? texts.search.letOut : texts.search.admit
  const isAsking = state.asks?.kind === 'admit' && state.asks.ticketId === id
  const label = usedAt === null ? texts.search.states[ticketState] : texts.search.states.used
  return (
    <li data-ticket={id}>
      <p class="name">
        <bdi>{name}</bdi>
      </p>
      <p class="quiet">
        <bdi>{door.typeOf(row)?.name}</bdi>
        {seat !== null && (
          <>
            {' · '}
            {texts.seat} <bdi>{seat}</bdi>
          </>
        )}
        {` · ${label}`}
        {usedAt !== null && ` ${when(state, usedAt)}`}
      </p>
      {owes && <p class="quiet">{texts.owes}</p>}
      {ticketState === 'unpaid' && <p>{texts.todo.registration_not_confirmed}</p>}
      {isAsking ? (
        <div class="ask">
          <p>
            <b>{isOut ? texts.search.askOut : texts.search.ask}</b> {isOut ? '' : texts.search.askAbout}
          </p>
          <div class="pair">
            <button type="button" class="big main" onClick={() => door.admit(id)}>
              {act}
            </button>
            <button type="button" class="big" onClick={() => door.set({ asks: undefined })}>
              {texts.cancel}
            </button>
          </div>
        </div>
      ) : (
        (isOut ? usedAt !== null : ticketState === 'ok' && usedAt === null) && (
          <button
            type="button"
            class="big"
            onClick={() => door.set({ asks: { kind: 'admit', ticketId: id } })}
          >
            {act}
            <span class="unseen"> {name}</span>
          </button>
        )
      )}
    </li>
  )
}

/** Lists what was scanned here, the newest first, and shows which scans are only on this phone. */
export function Scans({ door, state }: ViewProps) {
  const texts = textsIn(state.language)
  const { waiting, scans } = state
  const wait = waiting === 1 ? texts.scans.waitOne : texts.scans.wait(count(state, waiting))
  return (
    <section class="panel">
      <h2>{texts.scans.title}</h2>
      <p>{waiting === 0 ? texts.scans.allSent : wait}</p>
      {waiting > 0 && (
        <button type="button" class="big" onClick={() => void door.scans.sendNow()}>
          {texts.scans.send}
        </button>
      )}
      {scans.length === 0 && <p class="quiet">{texts.scans.none}</p>}
      <ul class="rows">
        {scans.map(scan => (
          <Kept key={scan.scan_id} door={door} state={state} scan={scan} />
        ))}
      </ul>
    </section>
  )
}

function Kept({ door, state, scan }: ViewProps & { scan: StoredScan }) {
  const texts = textsIn(state.language)
  const row = door.copy.find(scan.ticketId)
  const outcome = outcomeOf(scan)
  const name = row?.[3] ?? door.typeOf(row)?.name ?? texts.noName
  const why = scan.kind === 'undo' ? null : (scan.answerReason ?? scan.reason)
  const isAsking = state.asks?.kind === 'undo' && state.asks.scanId === scan.scan_id
  return (
    <li data-scan={scan.scan_id} data-outcome={outcome}>
      <p class="name">
        <bdi>{name}</bdi>
      </p>
      <p class="quiet">
        {when(state, Date.parse(scan.at) + scan.offset, '2-digit')}
        {' · '}
        {scan.kind !== 'undo'
          ? outcomeIn(texts, scan)
          : scan.outcome === 'refused'
            ? texts.scans.undoRefused
            : texts.scans.undo}
        {scan.ticket !== undefined && ` · ${texts.scans.byName}`}
        {scan.acknowledged === 0 && ` · ${texts.scans.waits}`}
      </p>
      {why !== null && outcome !== 'undone' && (
        <p>
          {reasonIn(texts, why)}
          {scan.first !== null && ` ${texts.alarms.first}: ${firstIn(texts, state, scan.first)}`}
        </p>
      )}
      {door.scans.mayUndo(scan) &&
        (isAsking ? (
          <div class="pair">
            <button type="button" class="big main" onClick={() => void door.undo(scan.scan_id)}>
              {texts.undo.confirm}
            </button>
            <button type="button" class="big" onClick={() => door.set({ asks: undefined })}>
              {texts.undo.keep}
            </button>
          </div>
        ) : (
          <button
            type="button"
            class="big"
            onClick={() => door.set({ asks: { kind: 'undo', scanId: scan.scan_id } })}
          >
            {texts.undo.undo}
            <span class="unseen"> {name}</span>
          </button>
        ))}
    </li>
  )
}

function outcomeOf({ kind, outcome, shown, reason }: StoredScan) {
  if (outcome !== null) return outcome
  return kind === 'exit' ? (reason === null ? 'left' : 'refused') : (shown ?? 'refused')
}

/** An exit that is refused turns nobody away. */
function outcomeIn(texts: Texts, scan: StoredScan): string {
  const outcome = outcomeOf(scan)
  return scan.kind === 'exit' && outcome === 'refused' ? texts.outcomes.stays : texts.scans.outcomes[outcome]
}

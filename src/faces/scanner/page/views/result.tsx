import type { First, TicketRow } from '../contract.ts'
import type { Door } from '../door.ts'
import { type Kind, kindOf } from '../kinds.ts'
import type { Result, State } from '../state.ts'
import type { Alarm } from '../store.ts'
import { type Texts, textsIn } from '../texts/texts.ts'
import { ago, count, Shape, when } from './parts.tsx'
import type { ViewProps } from './props.ts'
import { firstIn, reasonIn } from './words.ts'

/**
 * Fills the whole screen after a scan with words, a shape and a colour. The element is always there, so that a screen reader
 * reads it when it fills.
 */
export function ResultView({ door, state }: ViewProps) {
  const { result, alarms } = state
  const [alarm] = alarms
  const kind = kindShown(state)
  const about = alarm ?? result
  return (
    <section
      id="result"
      class={kind}
      aria-live="assertive"
      aria-atomic="true"
      aria-label={textsIn(state.language).scan.result}
      data-outcome={kind}
      data-reason={about?.reason ?? undefined}
      data-scan={about?.scanId}
      data-ticket={about?.row?.[0]}
      data-alarm={alarm?.kind}
      data-took={alarm === undefined && result !== undefined ? Math.round(result.took) : undefined}
      data-own={alarm === undefined ? result?.isOwn : undefined}
    >
      {alarm !== undefined ? (
        <AlarmView door={door} state={state} alarm={alarm} />
      ) : (
        result !== undefined && <Verdict door={door} state={state} result={result} />
      )}
    </section>
  )
}

/** Returns the kind of what covers the screen, or undefined for nothing. */
export function kindShown({ result, alarms }: State) {
  if (alarms.length > 0) return 'conflict'
  return result === undefined ? undefined : kindOf(result)
}

function Verdict({ door, state, result }: ViewProps & { result: Result }) {
  const texts = textsIn(state.language)
  const kind = kindOf(result)
  const { reason, row, first, scanId } = result
  const isAsking = state.asks?.kind === 'undo'
  return (
    <div class="shown">
      <div class="told">
        <Shape kind={kind} />
        <h2>{titleOf(texts, kind, reason)}</h2>
        {kind === 'admitted' && <LaterEntry state={state} later={result.later} />}
        {reason !== null && kind !== 'undone' && (kind !== 'used' || first === null) && (
          <p class="why">{whyOf(texts, result, reason)}</p>
        )}
        {result.isAgain === true && <p class="why">{texts.again.about}</p>}
        <Ticket texts={texts} row={row} type={result.type} />
        <Extras texts={texts} extras={result.extras} />
        {kind === 'used' && first !== null && <p class="first">{usedIn(texts, door, state, first)}</p>}
        {reason === 'not_valid_today' && <Validity door={door} state={state} row={row} />}
        {reason === 'wrong_door' && <p class="first">{texts.admitsOnly(door.copy.admitted.join(', '))}</p>}
        <Todo texts={texts} kind={kind} todo={todoOf(door, result)} />
        {result.isOwn && row !== undefined && kind !== 'again' && <p class="by">{texts.byPhone}</p>}
      </div>
      <div class="acts">
        {isAsking ? (
          <div class="ask">
            <h3>{result.isExit === true ? texts.undo.exitTitle : texts.undo.title}</h3>
            <p>{result.isExit === true ? texts.undo.exitAbout : texts.undo.about}</p>
            <div class="pair">
              <button
                type="button"
                class="big"
                id="undo-confirm"
                onClick={() => void door.undo(scanId as string)}
              >
                {texts.undo.confirm}
              </button>
              <button type="button" class="big" onClick={() => door.set({ asks: undefined })}>
                {texts.undo.keep}
              </button>
            </div>
          </div>
        ) : (
          <div class="pair">
            {(kind === 'admitted' || kind === 'left') && scanId !== undefined && (
              <button
                type="button"
                class="big"
                id="undo"
                onClick={() => door.set({ asks: { kind: 'undo', scanId } })}
              >
                {texts.undo.undo}
              </button>
            )}
            <button type="button" class="big" id="next" onClick={() => door.clearResult()}>
              {texts.next}
            </button>
          </div>
        )}
      </div>
    </div>
  )
}

/** Lists what the order has beside the ticket. A door that hands it out scans its own code. */
function Extras({ texts, extras = [] }: { texts: Texts; extras: Result['extras'] }) {
  if (extras.length === 0) return null
  return (
    <ul class="extras" aria-label={texts.extras}>
      {extras.map(([name, count]) => (
        <li key={name}>
          {count} × <bdi>{name}</bdi>
        </li>
      ))}
    </ul>
  )
}

/** Says that the guest was in before: on which day this is, or since when the guest was out. */
function LaterEntry({ state, later }: { state: State; later: Result['later'] }) {
  const { later: texts } = textsIn(state.language)
  if (later === undefined) return null
  const text = 'day' in later ? texts.day(count(state, later.day)) : texts.back(when(state, later.leftAt))
  return <p class="later">{text}</p>
}

/** Says what to do next, where that is not just to go on. */
function Todo({ texts, kind, todo }: { texts: Texts; kind: Kind; todo: string | null }) {
  const hasMore = kind === 'used' || kind === 'refused' || kind === 'again' || kind === 'stays'
  if (!hasMore || todo === null || !(todo in texts.todo)) return null
  return <p class="todo">{texts.todo[todo as keyof Texts['todo']]}</p>
}

/** A ticket that was used so short a while ago at this door may be of the guest who still stands there, in milliseconds. */
const STILL_THERE = 2 * 60_000

/** Returns what to do next: the reason itself, or more than it says. */
function todoOf(door: Door, { reason, first, row, at, isNewer }: Result): string | null {
  if (isNewer === true) return 'newer'
  if (reason !== 'already_checked_in') return reason
  const isShort = first !== null && at - Date.parse(first.at) < STILL_THERE
  if (isShort && door.copy.isHere(first.door)) return 'scanned_twice'
  return (row?.[3] ?? null) === null ? reason : 'already_named'
}

function whyOf(texts: Texts, { isNewer, isName, event }: Result, reason: string): string {
  if (isNewer === true) return texts.newer
  if (isName === true) return texts.typedName
  return event === undefined ? reasonIn(texts, reason) : texts.wrongEvent(event)
}

/** Says how long ago a ticket was used, and where. */
function usedIn(texts: Texts, door: Door, state: State, first: First): string {
  const passed = ago(state, first.at)
  if (first.door === null) return passed
  return door.copy.isHere(first.door) ? texts.usedHere(passed) : texts.usedElsewhere(passed, first.door)
}

function titleOf(texts: Texts, kind: Kind, reason: string | null): string {
  if (kind === 'undone') return texts.undo.done
  if (kind === 'again') return reason === 'just_read' ? texts.again.justRead : texts.again.fragment
  return texts.outcomes[kind]
}

function Validity({ door, state, row }: ViewProps & { row: TicketRow | undefined }) {
  const texts = textsIn(state.language)
  const type = door.typeOf(row)
  if (type === undefined) return null
  const { valid_from, valid_until } = type
  return (
    <p class="first">
      {valid_from !== null && <span>{texts.validFrom(when(state, valid_from))}</span>}{' '}
      {valid_until !== null && <span>{texts.validUntil(when(state, valid_until))}</span>}
    </p>
  )
}

function Ticket({
  texts,
  row,
  type,
}: {
  texts: Texts
  row: TicketRow | undefined
  type: string | undefined
}) {
  if (row === undefined) return null
  const [, , , name, seat, owes] = row
  return (
    <div class="ticket">
      {type !== undefined && (
        <p class="type">
          <bdi>{type}</bdi>
        </p>
      )}
      {name !== null && (
        <p class="name">
          <bdi>{name}</bdi>
        </p>
      )}
      {seat !== null && (
        <p class="seat">
          {texts.seat} <bdi>{seat}</bdi>
        </p>
      )}
      {owes && <p class="owes">{texts.owes}</p>}
    </div>
  )
}

function AlarmView({ door, state, alarm }: ViewProps & { alarm: Alarm }) {
  const texts = textsIn(state.language)
  const { kind, reason, first, other, row } = alarm
  const isUsed = reason === 'already_checked_in'
  const title = kind === 'double' && isUsed ? texts.alarms.doubleUsed : texts.alarms[kind]
  return (
    <div class="shown alarm" role="alertdialog" aria-label={title}>
      <div class="told">
        <Shape kind="alarm" />
        <h2>{title}</h2>
        <Ticket texts={texts} row={row} type={alarm.type} />
        <dl class="when">
          {first !== null && (
            <div>
              <dt>{texts.alarms.first}</dt>
              <dd>{firstIn(texts, state, first)}</dd>
            </div>
          )}
          {other !== null && (
            <div>
              <dt>{kind === 'other' ? texts.alarms.also : texts.alarms.here}</dt>
              <dd>{firstIn(texts, state, other)}</dd>
            </div>
          )}
        </dl>
        {kind === 'good' ? (
          <p class="why">{texts.alarms.goodAbout}</p>
        ) : (
          kind !== 'other' && (
            <p class="why">
              {kind === 'double' && `${texts.alarms.doubleAbout} `}
              {reasonIn(texts, reason ?? 'other')}
            </p>
          )
        )}
        {(kind === 'double' || kind === 'other') && (
          <p class="todo">{kind === 'other' || isUsed ? texts.alarms.twiceTodo : texts.alarms.doubleTodo}</p>
        )}
      </div>
      <div class="acts">
        {state.isUnread && <p role="status">{texts.alarms.notRead}</p>}
        <button type="button" class="big" id="seen" ref={focus} onClick={() => door.seeAlarm()}>
          {texts.alarms.seen}
        </button>
        {state.alarms.length > 1 && (
          <>
            <p>{texts.alarms.more(count(state, state.alarms.length - 1))}</p>
            <button type="button" class="big" id="seen-all" onClick={() => door.seeAlarm(true)}>
              {texts.alarms.seenAll(count(state, state.alarms.length))}
            </button>
          </>
        )}
      </div>
    </div>
  )
}

/** The focus makes a screen reader speak at once, and lets a single key confirm. */
function focus(button: HTMLButtonElement | null): void {
  button?.focus({ preventScroll: true })
}

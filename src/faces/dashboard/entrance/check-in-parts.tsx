import type { ComponentChildren } from 'preact'
import type { EventRequest } from '#faces/dashboard/frame/page-request.ts'
import { paths } from '#faces/dashboard/frame/paths.ts'
import { Icon, type IconName } from '#machinery/web/components/icon.tsx'
import { ButtonLink, Pill, PostButton, Time } from '#machinery/web/components/parts.tsx'
import type { Tone } from '#machinery/web/flash.ts'
import { type List, Pages, Table } from '#machinery/web/lists/list.tsx'
import type { Voice } from '#machinery/web/voice.ts'
import type { DoorTicket } from '#product/entrance/check-ins/tickets.ts'
import { describeProblem } from '#texts/describe-problem.ts'
import type { AtDoor, TurnedAway } from '#texts/en/flash.ts'
import type { Texts } from '#texts/texts.ts'
import { BadgeButton, nameOf, type State, stateOf, TicketAction } from './ticket-actions.tsx'
import { Apart, type Distinction } from './twins.tsx'

export interface Search {
  q: string
  tickets: readonly DoorTicket[]
  /** What is to be paid at the door, by ticket. Amounts are in minor units. */
  due: ReadonlyMap<string, { amount: number; currency: string }>
  /** What tells tickets of the same name apart, by ticket. */
  twins: ReadonlyMap<string, Distinction>
  next: string | undefined
  /** The tickets that have a badge, and whether it is printed. Undefined for an event without badges. */
  badges: ReadonlyMap<string, boolean> | undefined
}

const signs = { good: 'check', warn: 'clock', bad: 'cross' } as const

/** Shows the result of a scan so that people at a door see it from afar: a word, a colour and a shape. */
function Verdict({
  tone,
  word,
  sign = signs[tone],
  isUrgent = tone !== 'good',
  children,
  action,
}: {
  tone: Tone
  word: string
  sign?: IconName
  isUrgent?: boolean
  children: ComponentChildren
  action?: ComponentChildren
}) {
  return (
    <div class={`verdict ${tone}`} role={isUrgent ? 'alert' : 'status'}>
      <span class="sign">
        <Icon name={sign} />
      </span>
      <div>
        <p class="word">{word}</p>
        {children}
      </div>
      {action}
    </div>
  )
}

/** Returns the result of the last scan, or undefined if the flash is about something else. */
export function describeVerdict({ flash, voice, event }: EventRequest): ComponentChildren {
  const { texts } = voice
  if (flash?.key === 'admitted') {
    return (
      <Verdict
        tone="good"
        word={texts.checkIn.admitted}
        action={flash.undo !== undefined && <PostButton action={flash.undo}>{texts.page.undo}</PostButton>}
      >
        <Person person={flash.told} texts={texts} />
      </Verdict>
    )
  }
  if (flash?.key !== 'turnedAway') return undefined
  const isUsed = flash.told.code === 'already_checked_in'
  return (
    <Verdict
      tone={flash.tone}
      word={isUsed ? texts.checkIn.alreadyUsed : texts.checkIn.notAdmitted}
      action={
        flash.told.due !== undefined && (
          <ButtonLink href={paths.doorPayment(event.id, flash.told.due)}>
            {texts.payments.door.paid}
          </ButtonLink>
        )
      }
    >
      <p>{describeRefusal(flash.told, voice)}</p>
      {flash.told.name !== '' && <Person person={flash.told} texts={texts} />}
    </Verdict>
  )
}

function describeRefusal(refusal: TurnedAway, { texts, format }: Voice): string {
  const { code, details } = refusal
  const when = (name: string) => {
    const instant = details[name]
    return typeof instant === 'string' ? format.dateTime(instant) : null
  }
  if (code === 'already_checked_in') return texts.checkIn.since(when('checked_in_at') ?? '')
  if (code === 'not_found' || code === 'invalid_qr_code') return texts.checkIn.noTicket
  const sentence = describeProblem(texts, refusal)
  if (code !== 'not_valid_today') return sentence
  return `${sentence} ${texts.checkIn.valid(when('valid_from'), when('valid_until'))}`
}

function Person({ person: { name, ...more }, texts }: { person: AtDoor; texts: Texts }) {
  return (
    <>
      <p class="who">
        <bdi>{name}</bdi>
      </p>
      <p>
        <More {...more} texts={texts} />
      </p>
    </>
  )
}

/** Shows in one line what else is known about a ticket. */
function More({ type, seat, buyer, texts }: Omit<AtDoor, 'name'> & { texts: Texts }) {
  return (
    <bdi>
      {[type, seat && texts.checkIn.seat(seat), buyer && texts.checkIn.boughtBy(buyer)]
        .filter(Boolean)
        .join(' · ')}
    </bdi>
  )
}

/** The field has the focus on each page, and is empty, so that the next ticket can be scanned at once. */
export function ScanForm({ event, texts: { checkIn: texts } }: { event: string; texts: Texts }) {
  return (
    <form class="scan" method="post" action={paths.checkIn(event)} data-search="found">
      <label for="q">{texts.field}</label>
      <p class="help" id="q-help">
        {texts.fieldHelp}
      </p>
      <div class="row">
        <input id="q" name="q" type="search" autocomplete="off" autofocus aria-describedby="q-help" />
        <button type="submit" class="button main">
          {texts.submit}
        </button>
      </div>
    </form>
  )
}

const tones: Readonly<Record<State, Tone | 'off' | undefined>> = {
  inside: 'good',
  outside: undefined,
  void: 'bad',
  cancelled: 'bad',
  refunded: 'bad',
  pending: 'warn',
  failed: 'bad',
}

export function TicketLine({ ticket, texts }: { ticket: DoorTicket; texts: Texts }) {
  const { name, buyer_name: buyer, registration_type_name: type, seat } = ticket
  return (
    <More type={type} seat={seat ?? ''} buyer={name === null || name === buyer ? '' : buyer} texts={texts} />
  )
}

export const nameColumn = {
  label: (texts: Texts) => texts.checkIn.name,
  place: 'name' as const,
  cell: (ticket: DoorTicket) => <bdi>{nameOf(ticket)}</bdi>,
}

/** @param search the search, which is repeated after a check-in */
function foundList(event: string, { q, due, twins, badges }: Search): List<DoorTicket> {
  return {
    caption: texts => texts.checkIn.found(q),
    columns: [
      nameColumn,
      {
        label: texts => texts.checkIn.ticket,
        place: 'line',
        cell: (ticket, { texts }) => (
          <>
            <TicketLine ticket={ticket} texts={texts} />
            <Apart distinction={twins.get(ticket.id)} texts={texts} />
          </>
        ),
      },
      {
        label: texts => texts.checkIn.state,
        place: 'when',
        cell: (ticket, { texts, format }) => {
          const state = stateOf(ticket)
          const toPay = due.get(ticket.id)
          return (
            <>
              <Pill tone={tones[state]}>
                {toPay === undefined
                  ? texts.checkIn.states[state]
                  : texts.payments.door.due(format.money(toPay.amount, toPay.currency))}
              </Pill>
              {state === 'inside' && (
                <>
                  {' '}
                  <Time at={ticket.checked_in_at as string} format={format} short />
                </>
              )}
            </>
          )
        },
      },
      {
        label: texts => texts.checkIn.action,
        place: 'amount',
        isNumber: true,
        isAction: true,
        cell: (ticket, { texts }) => (
          <span class="row">
            <TicketAction event={event} ticket={ticket} search={{ q, due }} texts={texts} />
            <BadgeButton event={event} ticket={ticket} badges={badges} texts={texts} />
          </span>
        ),
      },
    ],
  }
}

export function FoundTickets({ search, request }: { search: Search; request: EventRequest }) {
  const { event, voice, query } = request
  const { texts } = voice
  const { q, tickets, next } = search
  const path = paths.checkIn(event.id)
  const after = query.get('after') ?? undefined
  return (
    <>
      {tickets.length > 0 && (
        <Table list={foundList(event.id, search)} rows={tickets} voice={voice} hasHeading />
      )}
      {tickets.length === 0 && next === undefined && (
        <Verdict tone="warn" word={texts.checkIn.notFound} sign="search" isUrgent={false}>
          <p>
            <bdi>{texts.checkIn.notFoundAbout(q)}</bdi>
          </p>
        </Verdict>
      )}
      {tickets.length === 0 && next !== undefined && <p>{texts.checkIn.notLooked}</p>}
      <Pages path={path} query={{ q, after }} shown={tickets.length} next={next} texts={texts} isForward />
    </>
  )
}
